import Testing

@testable import Domain

@Suite("Text of a kind")
struct TextRuleTests {
    @Test(
        "takes what its alphabet has",
        arguments: [
            (TextRule.slug, "stripe-main"), (.slug, "9.a_b"), (.identifier, "merchant.com.shop:7/A@b+c#1~x"),
            (.reference, "cart 10293 (~!)"), (.freeText, "Café Zürich 東京 🧾❤\u{FE0F}"), (.freeText, ""),
        ]
    )
    func takes(rule: TextRule, text: String) throws {
        #expect(Array(try rule.accept(text).utf8) == Array(text.utf8))
        #expect(rule.allows(text))
    }

    @Test(
        "names the code point that it does not have, and its place",
        arguments: [
            (TextRule.slug, "Stripe", "U+0053 at character 1"), (.slug, "-a", "U+002D at character 1"),
            (.identifier, "cafe\u{301}", "U+0301 at character 5"), (.identifier, "caf\u{E9}", "U+00E9 at character 4"),
            (.identifier, "a b", "U+0020 at character 2"), (.identifier, "p\u{430}y", "U+0430 at character 2"),
            (.reference, " a", "U+0020 at character 1"), (.reference, "a ", "U+0020 at character 2"),
            (.reference, "a\u{7F}", "U+007F at character 2"), (.freeText, "a\nb", "U+000A at character 2"),
            (.freeText, "\u{1B}[2J", "U+001B at character 1"), (.freeText, "ab\u{202E}c", "U+202E at character 3"),
            (.freeText, "a\u{200B}", "U+200B at character 2"), (.freeText, "a\u{E0041}", "U+E0041 at character 2"),
            (.freeText, "👩\u{200D}💻", "U+200D at character 2"), (.freeText, "a\u{2066}", "U+2066 at character 2"),
            (.freeText, "a\u{34F}", "U+034F at character 2"), (.freeText, "a\u{2028}", "U+2028 at character 2"),
        ]
    )
    func refuses(rule: TextRule, text: String, place: String) throws {
        let objection = try #require(throws: TextObjection.self) { _ = try rule.accept(text) }
        #expect(objection.description == "Must consist of \(rule.alphabet); \(place) is not allowed.")
        #expect(!rule.allows(text))
    }

    @Test("what people read has one spelling")
    func normalises() throws {
        let text = try TextRule.freeText.accept("Cafe\u{301} \u{212B}")
        #expect(Array(text.unicodeScalars) == Array("Caf\u{E9} \u{C5}".unicodeScalars))
        #expect(!TextRule.freeText.allows("Cafe\u{301}"))
    }

    @Test("more than thirty combining marks in a row are refused in what people read, and broken elsewhere")
    func runs() throws {
        let run = String(repeating: "\u{301}\u{316}", count: 40)
        let objection = try #require(throws: TextObjection.self) { _ = try TextRule.freeText.accept("e" + run) }
        #expect(objection.position == 32)
        let bounded = Array(("e" + run).withBoundedRuns.unicodeScalars)
        #expect(bounded.indices.filter { bounded[$0] == "\u{34F}" } == [31, 62])
        #expect(Array("Zürich".withBoundedRuns.utf8) == Array("Zürich".utf8))
    }

    @Test("what steers a terminal is written as its number")
    func harmless() {
        #expect("a\u{1B}b\u{9B}\u{202E}\u{7F}é".harmless == "a\\u{1b}b\\u{9b}\\u{202e}\\u{7f}é")
    }
}
