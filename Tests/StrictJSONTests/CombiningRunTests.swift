import StrictJSON
import Testing

@Suite("Text by its bytes")
struct CombiningRunTests {
    /// An "e" and marks of two classes by turns, which sorting moves furthest.
    private static func run(_ count: Int) -> String {
        var text = String.UnicodeScalarView("e".unicodeScalars)
        for index in 0..<count { text.append(index.isMultiple(of: 2) ? "\u{301}" : "\u{316}") }
        return String(text)
    }

    @Test("takes thirty combining marks in a row as they are", arguments: [CombiningRuns.refused, .broken])
    func thirty(runs: CombiningRuns) throws {
        let text = Self.run(30)
        let read = try JSON.parse(text: "\"\(text)\"", runs: runs).stringValue
        #expect(read.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(
        "refuses one more, in a value and in a key, escaped or not",
        arguments: [
            ("[1,\"\(run(31))\"]", 3, "/1"), ("{\"\(run(31))\":1}", 1, ""), (#"["\u0065"#, 1, "/0"),
        ]
    )
    func refused(document: String, offset: Int, pointer: String) throws {
        let escaped = String(repeating: #"\u0301"#, count: 31) + "\"]"
        let text = document.hasSuffix("0065") ? document + escaped : document
        let refusal = try #require(throws: JSONRefusal.self) { try JSON.parse(text: text, runs: .refused) }
        #expect(refusal.reason == .combiningRun)
        #expect(refusal.offset == offset)
        #expect(refusal.pointer == pointer)
    }

    @Test("breaks a longer run where nothing may be refused")
    func broken() throws {
        let read = try JSON.parse(text: "\"\(Self.run(70))x\"").stringValue
        let marks = read.map { Array($0.unicodeScalars) } ?? []
        #expect(marks.count == 74)
        #expect(marks.indices.filter { marks[$0] == "\u{34F}" } == [31, 62])
    }

    @Test("tells canonical equivalents apart: as keys, as values and in sets")
    func bytes() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let document = try JSON.parse(text: "{\"\(composed)\":1,\"\(decomposed)\":2}")
        #expect(document[composed] == 1)
        #expect(document[decomposed] == 2)
        #expect(JSON.string(composed) != JSON.string(decomposed))
        #expect(Set([JSON.string(composed), JSON.string(decomposed)]).count == 2)
        #expect(UTF8Text(composed) != UTF8Text(decomposed))
        #expect(UTF8Text(composed) == UTF8Text("\u{E9}"))
    }
}
