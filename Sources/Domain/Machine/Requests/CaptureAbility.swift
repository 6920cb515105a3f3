/// How a PSP account can capture, as its adapter declares.
package struct CaptureAbility: Hashable, Sendable {
    /// Whether less than is authorized can be captured, the rest being released.
    package var partial: Bool
    /// Whether a hold can be captured in several parts.
    package var multiple: Bool
    /// Whether what is left of a hold that was captured in part can be let go of.
    package var releasesRest: Bool

    /// Makes a declaration.
    package init(partial: Bool, multiple: Bool, releasesRest: Bool = false) {
        self.partial = partial
        self.multiple = multiple
        self.releasesRest = releasesRest
    }
}
