import StrictJSON
import Testing

@Suite("Refused documents")
struct RefusedDocumentsTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let document: String
        let reason: JSONRefusal.Reason
        let offset: Int
        var pointer = ""
        var testDescription: String { document }

        init(_ document: String, _ reason: JSONRefusal.Reason, _ offset: Int, _ pointer: String = "") {
            (self.document, self.reason, self.offset, self.pointer) = (document, reason, offset, pointer)
        }
    }

    static let structure: [Refused] = [
        Refused("", .empty, 0), Refused(" \n", .empty, 2),
        Refused("nul", .unexpectedEnd, 3), Refused("nulL", .unexpectedCharacter, 3),
        Refused("True", .unexpectedCharacter, 0), Refused("NaN", .unexpectedCharacter, 0),
        Refused("Infinity", .unexpectedCharacter, 0), Refused("undefined", .unexpectedCharacter, 0),
        Refused("truex", .trailingContent, 4), Refused("1 2", .trailingContent, 2),
        Refused("{}}", .trailingContent, 2), Refused("[] // done", .trailingContent, 3),
        Refused("{} {}", .trailingContent, 3), Refused("\u{FEFF}{}", .unexpectedCharacter, 0),
        Refused("\u{A0}1", .unexpectedCharacter, 0), Refused("1\u{C}", .trailingContent, 1),
        Refused("[", .unexpectedEnd, 1, "/0"), Refused("[1", .unexpectedEnd, 2),
        Refused("[1,", .unexpectedEnd, 3, "/1"), Refused("[1,]", .trailingComma, 3),
        Refused("[,1]", .unexpectedCharacter, 1, "/0"),
        Refused("[1 2]", .unexpectedCharacter, 3), Refused("[1,,2]", .unexpectedCharacter, 3, "/1"),
        Refused("]", .unexpectedCharacter, 0), Refused("[1}", .unexpectedCharacter, 2),
        Refused("[1:2]", .unexpectedCharacter, 2), Refused("/* */ 1", .unexpectedCharacter, 0),
        Refused("{", .unexpectedEnd, 1), Refused(#"{"a""#, .unexpectedEnd, 4),
        Refused(#"{"a":"#, .unexpectedEnd, 5, "/a"), Refused(#"{"a":1"#, .unexpectedEnd, 6),
        Refused(#"{"a":1,}"#, .trailingComma, 7), Refused(#"{,"a":1}"#, .unexpectedCharacter, 1),
        Refused(#"{"a" 1}"#, .unexpectedCharacter, 5), Refused(#"{"a"}"#, .unexpectedCharacter, 4),
        Refused(#"{a:1}"#, .unexpectedCharacter, 1), Refused(#"{'a':1}"#, .unexpectedCharacter, 1),
        Refused(#"{1:1}"#, .unexpectedCharacter, 1), Refused(#"{"a":1 "b":2}"#, .unexpectedCharacter, 7),
        Refused(#"{"a":}"#, .unexpectedCharacter, 5, "/a"), Refused("'a'", .unexpectedCharacter, 0),
    ]

    static let numbers: [Refused] = [
        Refused("01", .malformedNumber, 0), Refused("-01", .malformedNumber, 1), Refused("00", .malformedNumber, 0),
        Refused("-", .unexpectedEnd, 1), Refused("--1", .malformedNumber, 1), Refused("+1", .unexpectedCharacter, 0),
        Refused(".5", .unexpectedCharacter, 0), Refused("1.", .unexpectedEnd, 2), Refused("1.e1", .malformedNumber, 2),
        Refused("[1.]", .malformedNumber, 3, "/0"), Refused("1e", .unexpectedEnd, 2),
        Refused("1e+", .unexpectedEnd, 3), Refused("1e5.5", .trailingContent, 3), Refused("0x10", .trailingContent, 1),
        Refused("1_000", .trailingContent, 1), Refused("1,000", .trailingContent, 1),
        Refused("-Infinity", .malformedNumber, 1), Refused("１", .unexpectedCharacter, 0),
        Refused(#"{"amount":007}"#, .malformedNumber, 10, "/amount"),
    ]

    static let strings: [Refused] = [
        Refused(#"""#, .unexpectedEnd, 1), Refused(#""abc"#, .unexpectedEnd, 4), Refused(#""a\"#, .unexpectedEnd, 3),
        Refused(#""\x""#, .malformedEscape, 1), Refused(#""\'""#, .malformedEscape, 1),
        Refused(#""\U0041""#, .malformedEscape, 1), Refused(#""\u00g0""#, .malformedEscape, 1),
        Refused(#""\u00"#, .unexpectedEnd, 5), Refused(#""\u004""#, .malformedEscape, 1),
        Refused("\"a\nb\"", .controlCharacter, 2), Refused("\"\t\"", .controlCharacter, 1),
        Refused("\"\u{1F}\"", .controlCharacter, 1), Refused("\"\u{0}\"", .controlCharacter, 1),
        Refused(#""\ud800""#, .loneSurrogate, 1), Refused(#""\udc00""#, .loneSurrogate, 1),
        Refused(#""\ud800x""#, .loneSurrogate, 1), Refused(#""\ud800\n""#, .loneSurrogate, 1),
        Refused(#""\ud800\ud800""#, .loneSurrogate, 1), Refused(#""\ud800\u0041""#, .loneSurrogate, 1),
        Refused(#""\ude00\ud83d""#, .loneSurrogate, 1), Refused(#""ab\udfff""#, .loneSurrogate, 3),
        Refused(#""\u0000""#, .nul, 1), Refused(#"{"k":["a\u0000"]}"#, .nul, 8, "/k/0"),
    ]

    static let duplicates: [Refused] = [
        Refused(#"{"a":1,"a":1}"#, .duplicateKey, 7, "/a"),
        Refused(#"{"a":1,"\u0061":2}"#, .duplicateKey, 7, "/a"),
        Refused(#"{"":1,"":2}"#, .duplicateKey, 6, "/"),
        Refused(#"{"x":[{},{"a/b":1,"m~n":2,"a/b":3}]}"#, .duplicateKey, 26, "/x/1/a~1b"),
        Refused(#"{"m~n":{"~":1,"~":1}}"#, .duplicateKey, 14, "/m~0n/~0"),
    ]

    @Test("names the reason, the byte and the place", arguments: structure + numbers + strings + duplicates)
    func refuses(_ refused: Refused) throws {
        let refusal = try #require(throws: JSONRefusal.self) { try JSON.parse(text: refused.document) }
        #expect(refusal.reason == refused.reason)
        #expect(refusal.offset == refused.offset)
        #expect(refusal.pointer == refused.pointer)
    }

    static let notUTF8: [([UInt8], Int)] = [
        ([0xFF], 0), ([0x22, 0x80, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xE2, 0x82, 0x22], 1),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0x41, 0xF8, 0x22], 2),
        ([0x5B, 0x31, 0x2C, 0xE9, 0x5D], 3), ([0xFE, 0xFF, 0x00, 0x31], 0),
    ]

    @Test("refuses bytes that are not UTF-8", arguments: notUTF8)
    func refusesEncoding(bytes: [UInt8], offset: Int) throws {
        let refusal = try #require(throws: JSONRefusal.self) { try JSON.parse(bytes) }
        #expect(refusal.reason == .invalidUTF8)
        #expect(refusal.offset == offset)
    }

    @Test("finds a duplicate among many keys, wherever it stands", arguments: [0, 11, 12, 13, 63])
    func refusesLateDuplicate(position: Int) throws {
        let keys = (0..<64).map { "key\($0)" } + ["key\(position)"]
        let document = JSON.object(keys.map { JSON.Member($0, .null) })
        let refusal = try #require(throws: JSONRefusal.self) { try JSON.parse(document.bytes) }
        #expect(refusal.reason == .duplicateKey)
        #expect(refusal.pointer == "/key\(position)")
    }

    @Test("every refusal is a violation with a stable code and a sentence", arguments: JSONRefusal.Reason.allCases)
    func becomesViolation(reason: JSONRefusal.Reason) throws {
        let code = reason.rawValue
        #expect(
            code.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "z")).contains($0) }
        )
        let every = Self.structure + Self.numbers + Self.strings + Self.duplicates
        guard let refused = every.first(where: { $0.reason == reason }) else {
            #expect([.invalidUTF8, .tooDeep, .combiningRun].contains(reason))
            return
        }
        let refusal = try #require(throws: JSONRefusal.self) { try JSON.parse(text: refused.document) }
        #expect(refusal.violation.code == code)
        #expect(refusal.violation.pointer == refused.pointer)
        #expect(refusal.violation.detail.hasSuffix("(byte \(refused.offset))."))
    }
}
