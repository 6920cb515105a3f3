import AdapterKit
import Domain
import StrictJSON
import Testing
import TributaryTestKit

/// Whoever writes into a report, a buyer's name or a merchant's reference among them, decides about no more than their text.
@Suite("Settlement reports of marks without end", .serialized, .timeLimit(.minutes(10)))
struct SettlementWorkTests {
    /// A little less than a row may have.
    private static let cellBytes = 60_000
    /// So much of a file is looked at to tell what it is.
    private static let headBytes = 16_384

    @Test("cost no more than as much ASCII, in every cell", arguments: SettlementFormat.all.filter(\.isTable))
    func tables(format: SettlementFormat) throws {
        let rows = try Self.rows(of: format)
        let head = try #require(rows.first)
        let row = try #require(rows.dropFirst().first)
        for hostile in HostileText.allCases {
            for column in head.indices {
                Self.compare(hostile, "\(hostile) as the name of \(head[column])", format) { text in
                    Self.file([Self.replacing(head, column, text), row])
                }
                Self.compare(hostile, "\(hostile) as \(head[column])", format) { text in
                    Self.file([head, Self.replacing(row, column, text)])
                }
            }
            Self.compare(hostile, "\(hostile) as the name of one column more", format) { text in
                Self.file([head + [text], row + ["x"]])
            }
        }
    }

    @Test("cost no more in every text of a page", arguments: SettlementFormat.all.filter { !$0.isTable })
    func pages(format: SettlementFormat) throws {
        var reader = JSONPageReader()
        reader.feed(try format.bytes[...])
        let page = try JSON.parse(#require(try reader.next()))
        for hostile in HostileText.allCases {
            for number in 0..<page.textCount {
                Self.compare(hostile, "\(hostile) as text \(number)", format) { text in
                    page.replacing(text: number, with: text).bytes
                }
            }
            Self.compare(hostile, "\(hostile) as a key", format) { text in
                JSON.object([JSON.Member(text, 1), JSON.Member(text + "1", 2)] + (page.objectValue ?? [])).bytes
            }
        }
    }

    /// Compares reading a file with as much ASCII: what it is, its lines, and what is done with lines.
    ///
    /// Optimised code reads ASCII many times as fast as other text. What costs more than so many times as much is therefore
    /// read at a quarter of the length too: four times the text may cost eight times the work, which on a busy machine is
    /// far from the four times of what is read once and from the sixteen times of what is read again for each piece.
    private static func compare(
        _ hostile: HostileText,
        _ what: String,
        _ format: SettlementFormat,
        _ file: (String) -> [UInt8]
    ) {
        let (bad, plain) = (file(hostile.text(cellBytes)), file(hostile.ascii(cellBytes)))
        let ratio = ProcessorWork.ratio(of: { read(bad, format) }, to: { read(plain, format) }, tries: 3)
        guard ratio >= HostileText.bound else { return }
        let quarter = file(hostile.text(cellBytes / 4))
        let growth = ProcessorWork.ratio(of: { read(bad, format) }, to: { read(quarter, format) }, allowed: 8)
        #expect(growth < 8, "\(what): \(ratio) times the work of ASCII, \(growth) times that of a quarter of the text")
    }

    private static func read(_ file: [UInt8], _ format: SettlementFormat) {
        _ = format.report.recognises(Array(file.prefix(headBytes)))
        guard let reading = try? SettlementReading(format.report, file) else { return }
        _ = Set(reading.lines).count
        _ = Set(reading.lines.map(\.type)).count
        _ = reading.lines.map { ($0.occurredOn?.timestamp, $0.bookedOn?.day) }
    }

    /// The cells of the file's first rows.
    private static func rows(of format: SettlementFormat) throws -> [[String]] {
        var reader = CSVReader()
        reader.feed(try format.bytes[...])
        var rows: [[String]] = []
        while rows.count < 2, let row = try reader.next() {
            rows.append((0..<row.count).map { String(decoding: row[$0], as: UTF8.self) })
        }
        return rows
    }

    private static func replacing(_ row: [String], _ column: Int, _ text: String) -> [String] {
        var row = row
        if row.indices.contains(column) { row[column] = text }
        return row
    }

    private static func file(_ rows: [[String]]) -> [UInt8] {
        rows.flatMap { row in Array((row.map { "\"\($0)\"" }.joined(separator: ",") + "\n").utf8) }
    }
}
