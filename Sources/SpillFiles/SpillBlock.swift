/// A stretch of a spill file.
package struct SpillBlock: Hashable, Sendable {
    /// Where it begins, in bytes.
    package let offset: Int
    /// How long it is, in bytes.
    package let count: Int
}
