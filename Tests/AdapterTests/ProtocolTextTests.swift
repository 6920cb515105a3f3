import AdapterKit
import Testing

@Suite("Of what a PSP writes")
struct ProtocolTextTests {
    @Test(
        "words of its protocol are kept",
        arguments: ["insufficient_funds", "E00027", "payment_method_data[card][number]", "source.number", "a-b", "7"]
    )
    func words(_ text: String) { #expect(ProtocolText.word(text) == text) }

    @Test("paths of a JSON document are kept", arguments: ["$", "$.value.amount", "$.items[0].card-number"])
    func paths(_ text: String) { #expect(ProtocolText.path(text) == text) }

    @Test(
        "nothing else is, which may repeat what was sent",
        arguments: ["", "two words", "a\nb", "a\u{0}b", "caf\u{E9}", "4111 1111", "a/b", "a@b", "\"a\"", "a,b", "{a}"]
    )
    func others(_ text: String) {
        #expect(ProtocolText.word(text) == nil)
        #expect(ProtocolText.path("$.\(text)") == (text.isEmpty ? "$." : nil))
    }

    @Test("a word is at most 80 bytes, and a path begins with a dollar and is at most 120")
    func lengths() {
        let word = String(repeating: "a", count: 80)
        #expect(ProtocolText.word(word) == word && ProtocolText.word(word + "a") == nil)
        let path = "$" + String(repeating: "a", count: 119)
        #expect(ProtocolText.path(path) == path && ProtocolText.path(path + "a") == nil)
        #expect(ProtocolText.path("value.amount") == nil && ProtocolText.path("$.a$") == nil)
    }

    @Test("an identifier is printable ASCII without a space, as long as its limit at most")
    func identifiers() {
        #expect(ProtocolText.isPrintable("evt_1~!", limit: 7) && !ProtocolText.isPrintable("evt_1~!", limit: 6))
        for text in ["", " ", "a b", "a\u{7F}", "\u{E9}"] { #expect(!ProtocolText.isPrintable(text, limit: 10)) }
    }
}
