import StrictJSON
import Testing

@Suite("Accepted documents")
struct AcceptedDocumentsTests {
    static let documents: [(String, JSON)] = [
        ("null", .null), ("true", true), ("false", false), (" \t\r\n1 \n", 1),
        ("0", 0), ("-0", 0), ("-1", -1), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number("9223372036854775808")),
        ("-9223372036854775809", .number("-9223372036854775809")), ("1.50", .number("1.50")),
        ("0.1", .number("0.1")), ("-0.0", .number("-0.0")), ("1e3", .number("1e3")), ("1E+3", .number("1E+3")),
        ("0e0", .number("0e0")), ("12.5e-10", .number("12.5e-10")),
        (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u00E9\u20AC""#, "Aéé€"), (#""\ud83d\ude00""#, "😀"), (#""\uD834\uDD1E x""#, "𝄞 x"),
        (#""é€😀""#, "é€😀"), (#""\uFFFD\uF8FF""#, "\u{FFFD}\u{F8FF}"), ("\"\u{7F}\"", "\u{7F}"),
        (#""a\u0062c\nd""#, "abc\nd"), (#""\uFEFFa""#, "\u{FEFF}a"), (#""\\u0000""#, #"\u0000"#),
        ("[]", []), ("[ ]", []), ("[1]", [1]), ("[1 , 2]", [1, 2]), ("[[],[[]]]", [[], [[]]]),
        ("[null,true,\"x\",{}]", [.null, true, "x", [:]]), ("[1.0]", [.number("1.0")]),
        ("{}", [:]), ("{ }", [:]), (#"{"":0}"#, ["": 0]), (#"{"a" : 1 , "b":[2]}"#, ["a": 1, "b": [2]]),
        (#"{"a":{"a":{"a":null}}}"#, ["a": ["a": ["a": .null]]]), (#"{"a":1,"A":2}"#, ["a": 1, "A": 2]),
        (#"{"a\u0062":1,"a":2}"#, ["ab": 1, "a": 2]), (#"{"é":"ü"}"#, ["é": "ü"]),
    ]

    @Test("reads what RFC 8259 allows", arguments: documents)
    func reads(document: String, value: JSON) throws {
        #expect(try JSON.parse(text: document) == value)
    }

    @Test("writes what it read so that it reads the same again", arguments: documents)
    func roundTrips(document: String, value: JSON) throws {
        let parsed = try JSON.parse(text: document)
        #expect(try JSON.parse(parsed.bytes) == parsed)
        #expect(try JSON.parse(text: parsed.prettyText) == parsed)
    }

    @Test("keeps members in the order in which they were written")
    func keepsOrder() throws {
        let document = try JSON.parse(text: #"{"z":1,"a":2,"m":3}"#)
        #expect(document.objectValue?.map(\.key) == ["z", "a", "m"])
    }

    @Test(
        "keeps the text of a number that is no 64-bit integer",
        arguments: ["1.10", "1e400", "123456789012345678901"]
    )
    func keepsNumberText(text: String) throws {
        #expect(try JSON.parse(text: text) == .number(text))
    }

    @Test("reads many members in one object")
    func readsManyMembers() throws {
        let keys = (0..<100).map { "key\($0)" }
        let document = JSON.object(keys.map { JSON.Member($0, .string($0)) })
        #expect(try JSON.parse(document.bytes) == document)
    }
}
