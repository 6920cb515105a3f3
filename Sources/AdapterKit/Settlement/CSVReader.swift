/// Reads comma-separated values (RFC 4180) that come in pieces.
///
/// Fields may be quoted, quotes inside are doubled, lines end in CRLF or LF, and a byte order mark is skipped. A row that
/// breaks the rules is handed over as malformed; reading goes on behind its line end. A line end inside quotes belongs
/// to the field.
public struct CSVReader: Sendable {
    /// The longest row, in bytes; reports have a few hundred.
    public static let rowLimitBytes = 65_536
    /// The most fields of a row.
    public static let fieldLimit = 512

    private enum State {
        /// Before the first byte of a field.
        case fieldStart
        /// In a field without quotes, or behind a closing quote.
        case plain
        /// Between quotes.
        case quoted
        /// Behind a quote between quotes: its end, or half of a doubled one.
        case quoteInQuotes
        /// Behind a carriage return.
        case carriageReturn
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D

    private let separator: UInt8
    /// The quotation mark; more than a byte holds if there is none.
    private let quote: UInt16
    /// No byte above it has a meaning of its own.
    private let greatestSpecial: UInt8
    private var input: ArraySlice<UInt8> = []
    private var state = State.fieldStart
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var isMalformed = false
    private var rows = 0
    /// How much of a byte order mark stands at the file's beginning; nil behind it.
    private var markLength: Int? = 0

    /// Makes a reader at the beginning of a file.
    public init() { self.init(separator: UInt8(ascii: ","), hasQuotes: true) }

    /// Makes a reader of a table that departs from RFC 4180 in what separates fields, or in having no quotes.
    package init(separator: UInt8, hasQuotes: Bool) {
        self.separator = separator
        quote = hasQuotes ? UInt16(UInt8(ascii: "\"")) : .max
        greatestSpecial = max(separator, UInt8(ascii: "\""))
    }

    /// Hands over more of the file.
    public mutating func feed(_ chunk: ArraySlice<UInt8>) {
        if input.isEmpty { input = chunk } else { input += chunk }
    }

    /// The next row; nil if more has to be fed first.
    ///
    /// - Throws: ``SettlementProblem/tooLarge(row:)``.
    public mutating func next() throws(SettlementProblem) -> CSVRow? {
        skipByteOrderMark()
        if let row = plainRow() { return row }
        let chunk = input
        let content = chunk.span
        var position = 0
        defer { input = chunk.dropFirst(position) }
        while position < content.count {
            let run = runEnd(content, from: position)
            if run > position {
                bytes.append(contentsOf: chunk[(chunk.startIndex + position)..<(chunk.startIndex + run)])
                position = run
            } else {
                let byte = content[position]
                position += 1
                if take(byte) { return endRow(isTerminated: true) }
            }
            guard bytes.count <= Self.rowLimitBytes, ends.count < Self.fieldLimit else {
                throw .tooLarge(row: rows + 1)
            }
        }
        return nil
    }

    /// The row that the input begins with, where it stands; nil if it has to be taken byte by byte, because it is not
    /// all there, or has quotes.
    private mutating func plainRow() -> CSVRow? {
        guard state == .fieldStart, bytes.isEmpty, ends.isEmpty, markLength == nil else { return nil }
        let chunk = input
        let content = chunk.span
        let (separator, greatestSpecial) = (separator, greatestSpecial)
        var end = 0
        while end < content.count {
            let byte = content[end]
            if byte <= greatestSpecial {
                if byte == separator { ends.append(end) } else if isSpecial(byte) { break }
            }
            end += 1
        }
        let isCRLF = end + 1 < content.count && content[end] == Self.carriageReturn && content[end + 1] == Self.lineFeed
        let next = isCRLF ? end + 2 : end + 1
        guard next <= content.count, content[next - 1] == Self.lineFeed, end <= Self.rowLimitBytes,
            ends.count < Self.fieldLimit
        else {
            ends.removeAll(keepingCapacity: true)
            return nil
        }
        ends.append(end)
        input = chunk.dropFirst(next)
        return endRow(chunk.prefix(end), gap: 1, isTerminated: true)
    }

    /// The row that ends with the file; nil if the file ends behind a line end.
    ///
    /// - Throws: ``SettlementProblem/truncated(row:)`` if it ends between quotes.
    public mutating func finish() throws(SettlementProblem) -> CSVRow? {
        if let markLength {
            bytes += Self.byteOrderMark.prefix(markLength)
            self.markLength = nil
        }
        guard state != .quoted else { throw .truncated(row: rows + 1) }
        guard state != .fieldStart || !ends.isEmpty || !bytes.isEmpty else { return nil }
        let isTerminated = state == .carriageReturn
        ends.append(bytes.count)
        return endRow(isTerminated: isTerminated)
    }

    /// The end of the bytes from `position` on that are nothing but a field's content.
    private func runEnd(_ content: Span<UInt8>, from position: Int) -> Int {
        var end = position
        switch state {
        case .quoted:
            while end < content.count, content[end] != quote, content[end] != 0 { end += 1 }
        case .plain:
            while end < content.count, !isSpecial(content[end]) { end += 1 }
        case .fieldStart, .quoteInQuotes, .carriageReturn: break
        }
        return end
    }

    private func isSpecial(_ byte: UInt8) -> Bool {
        guard byte <= greatestSpecial else { return false }
        return byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn || byte == quote || byte == 0
    }

    /// Takes one byte; true if it ended the row.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch state {
        case .fieldStart where byte == quote:
            state = .quoted
            return false
        case .quoted:
            if byte == quote { state = .quoteInQuotes } else { append(byte) }
            return false
        case .quoteInQuotes where byte == quote:
            bytes.append(byte)
            state = .quoted
            return false
        case .quoteInQuotes where !isSpecial(byte):
            isMalformed = true
        case .carriageReturn where byte != Self.lineFeed:
            isMalformed = true
            bytes.append(Self.carriageReturn)
        case .fieldStart, .plain, .quoteInQuotes, .carriageReturn: break
        }
        return takePlain(byte)
    }

    private mutating func takePlain(_ byte: UInt8) -> Bool {
        state = .plain
        switch byte {
        case separator:
            ends.append(bytes.count)
            state = .fieldStart
        case Self.lineFeed:
            ends.append(bytes.count)
            return true
        case Self.carriageReturn:
            state = .carriageReturn
        case _ where byte == quote:
            isMalformed = true
            bytes.append(byte)
        default:
            append(byte)
        }
        return false
    }

    private mutating func append(_ byte: UInt8) {
        if byte == 0 { isMalformed = true }
        bytes.append(byte)
    }

    private mutating func endRow(isTerminated: Bool) -> CSVRow {
        defer { bytes = [] }
        return endRow(bytes[...], gap: 0, isTerminated: isTerminated)
    }

    private mutating func endRow(_ content: ArraySlice<UInt8>, gap: Int, isTerminated: Bool) -> CSVRow {
        rows += 1
        let row = CSVRow(
            number: rows,
            bytes: content,
            ends: ends,
            gap: gap,
            isMalformed: isMalformed,
            isTerminated: isTerminated
        )
        ends = []
        ends.reserveCapacity(row.count)
        isMalformed = false
        state = .fieldStart
        return row
    }

    /// Skips a mark at the file's beginning; what only begins like one is content.
    private mutating func skipByteOrderMark() {
        while let matched = markLength, let byte = input.first {
            if matched < Self.byteOrderMark.count, byte == Self.byteOrderMark[matched] {
                input = input.dropFirst()
                markLength = matched + 1
            } else {
                if matched < Self.byteOrderMark.count, matched > 0 {
                    bytes += Self.byteOrderMark.prefix(matched)
                    state = .plain
                }
                markLength = nil
            }
        }
    }
}

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
