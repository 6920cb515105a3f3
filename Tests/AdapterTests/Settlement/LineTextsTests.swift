import AdapterKit
import Domain
import Testing

@Suite("The texts of a settlement line")
struct LineTextsTests {
    private static func line() -> SettlementLine { SettlementLine(row: 2, kind: .payment, type: "charge") }

    private static let words: [SettlementLine.Text: String] = [
        .account: "acct_1", .submerchant: "Bäckerei 🥨", .reference: "", .paymentReference: "pi_1",
        .objectReference: "ch_1", .entryReference: String(repeating: "é", count: 300), .batch: "po_1",
        .exchangeRate: "1.08",
    ]

    private static var properties: [WritableKeyPath<SettlementLine, String?>] {
        [
            \.account, \.submerchant, \.reference, \.paymentReference, \.objectReference, \.entryReference, \.batch,
            \.exchangeRate,
        ]
    }

    @Test("are what was written, each by itself, in whatever order they came")
    func order() {
        var (forwards, backwards) = (Self.line(), Self.line())
        for (text, property) in zip(SettlementLine.Text.allCases, Self.properties) {
            #expect(forwards[keyPath: property] == nil && !forwards.has(text))
            forwards[keyPath: property] = Self.words[text]
            #expect(forwards[keyPath: property] == Self.words[text] && forwards.has(text))
        }
        for (text, property) in zip(SettlementLine.Text.allCases, Self.properties).reversed() {
            backwards[keyPath: property] = "something else"
            #expect(forwards != backwards)
            backwards[keyPath: property] = Self.words[text]
        }
        #expect(forwards == backwards && forwards.hashValue == backwards.hashValue)
        #expect(Self.properties.map { forwards[keyPath: $0] } == SettlementLine.Text.allCases.map { Self.words[$0] })
    }

    @Test("can be taken away, and an empty one is not none", arguments: 0..<8)
    func removal(of place: Int) {
        var line = Self.line()
        line[keyPath: Self.properties[place]] = ""
        #expect(line != Self.line() && line[keyPath: Self.properties[place]]?.isEmpty == true)
        let copy = line
        line[keyPath: Self.properties[place]] = nil
        #expect(line == Self.line() && line.hashValue == Self.line().hashValue)
        #expect(copy[keyPath: Self.properties[place]]?.isEmpty == true)
    }

    @Test("of a table are read the same however its bytes are divided", arguments: ["\n", "\r\n"])
    func division(lineEnd: String) throws {
        let rows = [
            "row,text,last", "1,Bäckerei 🥨,x", "2,\"a,\"\"b\"\"\r\nc\",\"y\"", "3,,", "4,\"\",\"\"", "5,é,🥨",
        ]
        let bytes = Array((rows.joined(separator: lineEnd) + lineEnd).utf8)
        let expected = [
            ["row", "text", "last"], ["1", "Bäckerei 🥨", "x"], ["2", "a,\"b\"\r\nc", "y"], ["3", "", ""],
            ["4", "", ""],
            ["5", "é", "🥨"],
        ]
        for size in 1...bytes.count {
            var reader = CSVReader()
            var read: [[String]] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.feed(bytes[start..<min(start + size, bytes.count)])
                while let row = try reader.next() {
                    read.append((0..<row.count).map { String(decoding: row[$0], as: UTF8.self) })
                    #expect(!row.isMalformed && row.isTerminated)
                }
            }
            #expect(try reader.finish() == nil)
            #expect(read == expected, "in pieces of \(size) bytes")
        }
    }
}
