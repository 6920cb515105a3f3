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
