import AdapterKit
import Domain
import StatementFiles
import Testing
import TributaryTestKit

/// Whoever pays decides what stands in a bank's file about the payment, and about no more than that.
@Suite("Banks' files of marks without end", .serialized, .timeLimit(.minutes(10)))
struct HostileTextTests {
    /// A little less than an element of a camt message, or a row of a table, may have.
    private static let bytes = 60_000
    /// A little less than a line of a SWIFT message may have.
    private static let lineBytes = 3900

    @Test(
        "cost no more than as much ASCII, in every text and attribute of a camt message",
        arguments: ["genkgo/camt052.v8.xml", "genkgo/camt053.v8.xml", "genkgo/camt054.v8.xml"]
    )
    func camt(file: String) throws {
        let whole = try Fixture.text(file)
        let pieces = whole.split(omittingEmptySubsequences: false) { $0 == "<" || $0 == ">" }.map(String.init)
        for hostile in HostileText.allCases {
            for place in pieces.indices where pieces[place].contains(where: { !$0.isWhitespace }) {
                // Between "<" and ">" only what stands in quotation marks is anybody's text.
                guard place.isMultiple(of: 2) || pieces[place].contains("=\"") else { continue }
                Self.compare(CamtReader(), Self.bytes, hostile, "piece \(place)") { text in
                    let own = place.isMultiple(of: 2) ? text : Self.replacingQuoted(pieces[place], with: text)
                    return pieces.enumerated().map { index, piece in
                        let piece = index == place ? own : piece
                        return index.isMultiple(of: 2) ? piece : "<\(piece)>"
                    }.joined()
                }
            }
        }
    }

    @Test("cost no more in every line of an MT940 and of an MT942", arguments: ["jejik/ing.sta", "cmxl/mt940.sta", ""])
    func swift(file: String) throws {
        let whole = file.isEmpty ? MTMessageText.report : try Fixture.text(file)
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for hostile in HostileText.allCases {
            for place in lines.indices {
                Self.compare(MTReader(), Self.lineBytes, hostile, "line \(place)") { text in
                    var lines = lines
                    lines[place] += text
                    return lines.joined(separator: "\n")
                }
            }
            // What a short line costs is lost in the file: a field has up to two hundred.
            Self.compare(MTReader(), Self.lineBytes, hostile, "a field of many lines") { text in
                let field = [String](repeating: text, count: 150).joined(separator: "\n")
                return MTMessageText.statement(
                    ":61:2611201120C3,50NTRFE2E-1//BANK-1\n:86:\(field)",
                    closing: "C261120EUR103,50"
                )
            }
        }
    }

    @Test("cost no more in every cell of a bank's table, in either encoding", arguments: BankTableEncoding.allCases)
    func table(encoding: BankTableEncoding) throws {
        let table = BankTable(
            name: "t",
            encoding: encoding,
            amount: .indicated(.name("Amount"), indicator: .name("Way"), credit: ["CR"], debit: ["DR"]),
            currencyColumn: .name("Currency"),
            accountColumn: .name("Account"),
            columns: BankTableColumns(
                bookedOn: .name("Booked"),
                endToEnd: .name("Reference"),
                counterpartyName: .name("Name"),
                remittance: [.name("Text")],
                type: .name("Type")
            )
        )
        let head = ["Amount", "Way", "Currency", "Account", "Booked", "Reference", "Name", "Text", "Type", "Else"]
        let row = ["1.00", "CR", "EUR", "DE1", "2026-11-20", "E-1", "A", "B", "C", "D"]
        for hostile in HostileText.allCases {
            for column in head.indices {
                for isHead in [true, false] {
                    Self.compare(BankTableReader(table), Self.bytes, hostile, "\(head[column]), \(isHead)") { text in
                        var rows = [head, row]
                        rows[isHead ? 0 : 1][column] = text
                        return rows.map { $0.joined(separator: ",") + "\n" }.joined()
                    }
                }
            }
        }
    }

    private static func replacingQuoted(_ tag: String, with text: String) -> String {
        guard let start = tag.firstIndex(of: "\""), let end = tag.lastIndex(of: "\"") else { return tag }
        return "\(tag[...start])\(text)\(tag[end...])"
    }

    /// Compares reading a file, and looking at its entries, with as much ASCII.
    private static func compare(
        _ reader: some BankReader,
        _ bytes: Int,
        _ hostile: HostileText,
        _ what: String,
        _ file: (String) -> String
    ) {
        let (bad, plain) = (Array(file(hostile.text(bytes)).utf8), Array(file(hostile.ascii(bytes)).utf8))
        let ratio = ProcessorWork.ratio(of: { read(bad, reader) }, to: { read(plain, reader) }, tries: 3)
        #expect(ratio < HostileText.bound, "\(hostile) in \(what): \(ratio)")
    }

    private static func read(_ file: [UInt8], _ reader: some BankReader) {
        guard let reading = try? BankReading(reader, file) else { return }
        _ = Set(reading.entries).count
        _ = reading.entries.map { ($0.bookedOn?.day, $0.valueOn?.timestamp) }
    }
}
