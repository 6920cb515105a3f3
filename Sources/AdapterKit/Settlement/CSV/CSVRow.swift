/// One row of a table of comma-separated values.
public struct CSVRow: Sendable {
    /// Which row of the file it is, the first being 1; blank rows count.
    public let number: Int
    /// Whether it breaks RFC 4180: a quote inside a field that does not begin with one, text behind a closing quote, a
    /// carriage return without a line feed, or NUL.
    public let isMalformed: Bool
    /// Whether a line end follows; only a file's last row can lack it.
    public let isTerminated: Bool
    /// What its fields stand in.
    let bytes: ArraySlice<UInt8>
    /// Where each field ends, counted from the first byte.
    private let ends: [Int]
    /// How many bytes stand between two fields.
    private let gap: Int

    init(number: Int, bytes: ArraySlice<UInt8>, ends: [Int], gap: Int, isMalformed: Bool, isTerminated: Bool) {
        self.number = number
        self.bytes = bytes
        self.ends = ends
        self.gap = gap
        self.isMalformed = isMalformed
        self.isTerminated = isTerminated
    }

    /// How many fields it has; at least 1.
    public var count: Int { ends.count }
    /// Whether there is nothing between two line ends.
    public var isBlank: Bool { ends.count == 1 && ends[0] == 0 && !isMalformed }

    /// The bytes of a field, without its quotes.
    public subscript(index: Int) -> ArraySlice<UInt8> {
        let range = range(index)
        return bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)]
    }

    /// Where a field stands, counted from the first byte.
    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1] + gap)..<ends[index] }
}
