/// One row of a table of comma-separated values.
public struct CSVRow: Hashable, Sendable {
    /// Which row of the file it is, the first being 1; blank rows count.
    public let number: Int
    /// Whether it breaks RFC 4180: a quote inside a field that does not begin with one, text behind a closing quote, a
    /// carriage return without a line feed, or NUL.
    public let isMalformed: Bool
    /// Whether a line end follows; only a file's last row can lack it.
    public let isTerminated: Bool
    private let bytes: [UInt8]
    private let ends: [Int]

    init(number: Int, bytes: [UInt8], ends: [Int], isMalformed: Bool, isTerminated: Bool) {
        self.number = number
        self.bytes = bytes
        self.ends = ends
        self.isMalformed = isMalformed
        self.isTerminated = isTerminated
    }

    /// How many fields it has; at least 1.
    public var count: Int { ends.count }
    /// Whether there is nothing between two line ends.
    public var isBlank: Bool { ends.count == 1 && ends[0] == 0 && !isMalformed }

    /// The bytes of a field, without its quotes.
    public subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
}
