import Testing

@testable import HTTPAPI

@Suite("Base 64")
struct Base64TextTests {
    /// RFC 4648 section 10, and the two digits that URLs would write otherwise.
    @Test(
        "is written in groups of four",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("~~>", "fn4+"), ("???", "Pz8/"),
        ]
    )
    func written(_ text: String, _ encoded: String) {
        #expect(Base64Text.encoded(Array(text.utf8)) == encoded)
        #expect(Base64Text.isValid(encoded))
        #expect(Base64.decoded(encoded) == text)
    }
}
