import StrictJSON
import Testing

@Suite("Large documents")
struct LargeDocumentTests {
    private static func contexts(_ count: Int) -> JSON {
        .array(
            (0..<count).map { index in
                [
                    "external_identifier": .string("merchant-\(index)"), "amount": .integer(Int64(index)),
                    "merchant_name": "Café \"Rive\"\tGauche", "live": true, "domain": .null,
                ]
            }
        )
    }

    @Test("reads back a megabyte as it was written", .timeLimit(.minutes(10)))
    func megabyte() throws {
        let document = Self.contexts(9_000)
        let bytes = document.bytes
        #expect(bytes.count > 1_000_000)
        #expect(try JSON.parse(bytes) == document)
    }

    @Test("reads one string of a megabyte, plain or full of escapes", arguments: ["a", "\\n", "\\u20ac", "é"])
    func longString(piece: String) throws {
        let count = 1_000_000 / piece.utf8.count
        let text = try #require(
            try JSON.parse(text: "\"" + String(repeating: piece, count: count) + "\"").stringValue
        )
        #expect(text.unicodeScalars.count == count)
    }

    @Test("names the element in which a large document is wrong")
    func place() throws {
        var text = Self.contexts(2_000).text
        text.removeLast(2)
        text += #","amount":1}]"#
        let refusal = try #require(throws: JSONRefusal.self) { try JSON.parse(text: text) }
        #expect(refusal.reason == .duplicateKey)
        #expect(refusal.pointer == "/1999/amount")
    }
}
