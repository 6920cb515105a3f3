public import Domain

/// One PSP's pages: what the entries of each say.
public protocol ReportPages: Sendable {
    /// The name of the format; see ``SettlementReport/format``.
    static var format: String { get }
    /// The member that holds a page's entries.
    static var entriesMember: String { get }

    /// Whether the last page that was read is the last that there is, as far as the pages tell.
    var isComplete: Bool { get }

    /// Begins before the first page.
    init()

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - page: a JSON object, unparsed.
    ///   - number: which page it is, the first being 1.
    ///   - firstRow: the row of its first entry.
    /// - Returns: one result for each entry, in their order.
    /// - Throws: ``SettlementProblem/malformedPage(_:)`` or ``SettlementProblem/errorPage(_:)``.
    mutating func entries(
        of page: [UInt8],
        number: Int,
        firstRow: Int
    ) throws(SettlementProblem) -> [Result<SettlementLine, RowProblem>]
}

/// A settlement report that is the pages of an API's list, as they were answered, one after the other.
public struct PagedReport<Pages: ReportPages>: SettlementReport {
    /// The pages' format.
    public static var format: String { Pages.format }

    private var reader = JSONPageReader()
    private var pages = Pages()
    private var tally = SettlementTally()
    private var pageCount = 0
    private var rows = 0
    private var failure: SettlementProblem?

    /// Makes a reader at the beginning of a file.
    public init() {}

    /// Whether an object begins here whose entries are named as the PSP names them.
    public static func recognises(_ head: [UInt8]) -> Bool {
        guard head.first(where: { !JSONPageReader.isSpace($0) }) == UInt8(ascii: "{") else { return false }
        let name = Array("\"\(Pages.entriesMember)\"".utf8)
        return head.indices.contains { head[$0...].starts(with: name) }
    }

    /// Reads on.
    public mutating func read(_ chunk: ArraySlice<UInt8>) throws(SettlementProblem) -> [SettlementLine] {
        if let failure { throw failure }
        do throws(SettlementProblem) {
            reader.feed(chunk)
            var lines: [SettlementLine] = []
            while let page = try reader.next() {
                pageCount += 1
                for entry in try pages.entries(of: page, number: pageCount, firstRow: rows + 1) {
                    rows += 1
                    if let line = tally.take(entry, row: rows) { lines.append(line) }
                }
            }
            return lines
        } catch {
            failure = error
            throw error
        }
    }

    /// Ends the reading.
    public mutating func finish() throws(SettlementProblem) -> SettlementTrailer {
        if let failure { throw failure }
        do throws(SettlementProblem) {
            try reader.finish()
            guard pages.isComplete else { throw SettlementProblem.incomplete }
            return try tally.trailer()
        } catch {
            failure = error
            throw error
        }
    }
}

/// Divides a stream of JSON objects, one after the other, into the objects.
///
/// It only finds where each ends; whether it is JSON is for a parser to say.
public struct JSONPageReader: Sendable {
    /// The longest page, in bytes: Worldpay's 500 items are about 250,000.
    public static let pageLimitBytes = 1_048_576

    private var input: ArraySlice<UInt8> = []
    private var page: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var pages = 0

    /// Makes a reader at the beginning of a file.
    public init() {}

    /// Hands over more of the file.
    public mutating func feed(_ chunk: ArraySlice<UInt8>) {
        if input.isEmpty { input = chunk } else { input += chunk }
    }

    /// The next page; nil if more has to be fed first.
    ///
    /// - Throws: ``SettlementProblem/malformedPage(_:)`` if something else stands where an object should begin, or
    ///   ``SettlementProblem/tooLarge(row:)``.
    public mutating func next() throws(SettlementProblem) -> [UInt8]? {
        var position = input.startIndex
        defer { input = input[position...] }
        while position < input.endIndex {
            let byte = input[position]
            position += 1
            if depth == 0 {
                if Self.isSpace(byte) { continue }
                guard byte == UInt8(ascii: "{") else { throw .malformedPage(pages + 1) }
            }
            page.append(byte)
            guard page.count <= Self.pageLimitBytes else { throw .tooLarge(row: pages + 1) }
            follow(byte)
            guard depth == 0 else { continue }
            pages += 1
            defer { page.removeAll(keepingCapacity: true) }
            return page
        }
        return nil
    }

    /// Ends the reading.
    ///
    /// - Throws: ``SettlementProblem/truncated(row:)`` inside a page, ``SettlementProblem/empty`` if there was none.
    public func finish() throws(SettlementProblem) {
        guard depth == 0 else { throw .truncated(row: pages + 1) }
        guard pages > 0 else { throw .empty }
    }

    private mutating func follow(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
