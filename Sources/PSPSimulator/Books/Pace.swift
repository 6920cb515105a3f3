/// How a PSP works on a change that it answers before it has acted.
package struct Pace: Hashable, Sendable {
    /// How long it takes unless a trigger says otherwise, in milliseconds.
    package let milliseconds: Int64
    /// Whether a change that the state or the amount does not allow is taken as well, and fails by then.
    ///
    /// If not, it is refused at once.
    package let takesAll: Bool

    /// Describes a pace.
    package init(milliseconds: Int64, takesAll: Bool) {
        self.milliseconds = milliseconds
        self.takesAll = takesAll
    }
}
