import AdapterKit
import Testing

@Suite("Base 64, written,")
struct Base64WritingTests {
    @Test(
        "is as RFC 4648 has it",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }

    @Test("is read back as it was, and as another writer has it")
    func roundTrip() {
        var random = SeededGenerator(seed: 4648)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64.encode(bytes)
            #expect(Base64.decode(text) == bytes)
            #expect(text == Base64Writer.text(bytes))
            #expect(Base64.encode(bytes.dropFirst()) == Base64Writer.text(Array(bytes.dropFirst())))
        }
    }
}
