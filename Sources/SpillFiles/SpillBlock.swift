/// A stretch of a spill file, in few bytes: a long report has hundreds of thousands.
package struct SpillBlock: Hashable, Sendable {
    /// What blocks begin at a multiple of, in bytes: a page of memory, so that no two share one.
    static let alignment = 4_096

    /// Where it begins, in units of ``alignment``: up to 16 TiB.
    private let page: UInt32
    private let length: UInt32

    init(offset: Int, count: Int) {
        page = UInt32(offset / Self.alignment)
        length = UInt32(count)
    }

    /// Where it begins, in bytes.
    package var offset: Int { Int(page) * Self.alignment }
    /// How long it is, in bytes.
    package var count: Int { Int(length) }
}
