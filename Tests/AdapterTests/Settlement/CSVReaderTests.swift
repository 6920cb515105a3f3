import AdapterKit
import Testing

@Suite("The CSV reader")
struct CSVReaderTests {
    /// The rows as `number: [field|field]`, `!` before a malformed one, `…` behind one without a line end.
    private static func rows(_ bytes: [UInt8], piece: Int = .max) throws(SettlementProblem) -> [String] {
        var csv = CSVReader()
        var rows: [CSVRow] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            csv.feed(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            while let row = try csv.next() { rows.append(row) }
        }
        if let row = try csv.finish() { rows.append(row) }
        return rows.map { row in
            let fields = (0..<row.count).map { String(decoding: row[$0], as: UTF8.self) }.joined(separator: "|")
            return "\(row.isMalformed ? "!" : "")\(row.number): [\(fields)]\(row.isTerminated ? "" : "…")"
        }
    }

    @Test(
        "reads what RFC 4180 describes",
        arguments: [
            ("", []), ("a", ["1: [a]…"]), ("a\n", ["1: [a]"]), ("a,b\r\nc,d\r\n", ["1: [a|b]", "2: [c|d]"]),
            ("a,b\nc,d", ["1: [a|b]", "2: [c|d]…"]), (",\n,,\n", ["1: [|]", "2: [||]"]), ("a,", ["1: [a|]…"]),
            ("\"a\",\"b\"\n", ["1: [a|b]"]), ("\"a,b\"\n", ["1: [a,b]"]), ("\"a\"\"b\"\n", ["1: [a\"b]"]),
            ("\"\"\n", ["1: []"]), ("\"\"", ["1: []…"]), ("\"\"\"\"\r\n", ["1: [\"]"]),
            ("\"a\r\nb\nc\"\nd\n", ["1: [a\r\nb\nc]", "2: [d]"]), ("\n\r\na\n", ["1: []", "2: []", "3: [a]"]),
            (" a , b \n", ["1: [ a | b ]"]), ("a\r", ["1: [a]"]), ("\u{FEFF}a,b\n", ["1: [a|b]"]),
            ("\u{FEFF}\"a\"\n", ["1: [a]"]), ("a\u{FEFF}\n", ["1: [a\u{FEFF}]"]), ("é,漢\n", ["1: [é|漢]"]),
        ] as [(String, [String])]
    )
    func grammar(text: String, rows: [String]) throws {
        #expect(try Self.rows(Array(text.utf8)) == rows)
        for piece in 1...5 { #expect(try Self.rows(Array(text.utf8), piece: piece) == rows, "pieces of \(piece)") }
    }

    @Test(
        "marks what breaks it, and goes on behind the line end",
        arguments: [
            ("a\"b\nc\n", ["!1: [a\"b]", "2: [c]"]), ("\"a\"b\nc\n", ["!1: [ab]", "2: [c]"]),
            ("\"a\" ,b\nc\n", ["!1: [a |b]", "2: [c]"]), ("a\rb\nc\n", ["!1: [a\rb]", "2: [c]"]),
            ("a\r\r\nc\n", ["!1: [a\r]", "2: [c]"]), ("a\0\nc\n", ["!1: [a\0]", "2: [c]"]),
            ("\"a\0\"\nc\n", ["!1: [a\0]", "2: [c]"]), ("\0", ["!1: [\0]…"]),
            ("\"a\"\"b\"c,\"d\"\n", ["!1: [a\"bc|d]"]),
            ("\"a\"\rb\n", ["!1: [a\rb]"]), ("\"a\"\r\nc\n", ["1: [a]", "2: [c]"]),
        ] as [(String, [String])]
    )
    func malformed(text: String, rows: [String]) throws {
        #expect(try Self.rows(Array(text.utf8)) == rows)
        for piece in 1...5 { #expect(try Self.rows(Array(text.utf8), piece: piece) == rows, "pieces of \(piece)") }
    }

    @Test(
        "takes the beginning of a byte order mark for content",
        arguments: [[0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0x41]]
    )
    func halfMark(bytes: [UInt8]) throws {
        for piece in 1...3 {
            #expect(try Self.rows(bytes, piece: piece) == ["1: [\(String(decoding: bytes, as: UTF8.self))]…"])
        }
    }

    @Test("says where a file ends between quotes", arguments: ["\"a", "\"", "a\n\"b\nc\n", "\u{FEFF}\"a\"\"\n"])
    func truncated(text: String) throws {
        let row = text.hasPrefix("a") ? 2 : 1
        #expect(throws: SettlementProblem.truncated(row: row)) { try Self.rows(Array(text.utf8)) }
    }

    @Test("refuses a row that is too long or has too many fields, without keeping it", arguments: [1000, 10_000_000])
    func limits(piece: Int) throws {
        let limit = CSVReader.rowLimitBytes
        let long = Array("a\n\"".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: limit + 1)
        #expect(throws: SettlementProblem.tooLarge(row: 2)) { try Self.rows(long, piece: piece) }
        let wide = Array("a\n".utf8) + [UInt8](repeating: UInt8(ascii: ","), count: CSVReader.fieldLimit)
        #expect(throws: SettlementProblem.tooLarge(row: 2)) { try Self.rows(wide, piece: piece) }
        let fits = [UInt8](repeating: UInt8(ascii: "x"), count: limit) + [0x0A]
        #expect(try Self.rows(fits, piece: piece).count == 1)
    }
}
