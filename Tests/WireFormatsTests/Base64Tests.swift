import Testing
import WireFormats

@Suite("Base 64")
struct Base64Tests {
    /// The test vectors of RFC 4648 section 10, and the two digits that URLs would write otherwise.
    private static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("~~>", "fn4+"), ("???", "Pz8/"),
    ]

    @Test("is written and read as RFC 4648 has it", arguments: vectors)
    func examples(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
        #expect(Base64.decode(nonempty: encoded) == (text.isEmpty ? nil : Array(text.utf8)))
        #expect(Base64.isWellFormed(encoded))
    }

    @Test(
        "in any other form is refused",
        arguments: [
            "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "====", "Z===", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm 9", "Zm-_",
            "Z=g=", "Zm9vÄ===",
        ]
    )
    func others(_ text: String) {
        #expect(Base64.decode(text) == nil)
        #expect(Base64.decode(nonempty: text) == nil)
    }

    @Test("is well formed with bits left over as well")
    func leftOver() {
        #expect(Base64.isWellFormed("Zh==") && Base64.isWellFormed("Zm9="))
        #expect(!Base64.isWellFormed("Zg=") && !Base64.isWellFormed("Z===") && !Base64.isWellFormed("Zm-_"))
    }

    @Test("of every byte and of every length is read back as it was, and as another writer has it")
    func roundTrip() {
        for count in 0..<258 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 + 3 * count) * 151) }
            let text = Base64.encode(bytes)
            #expect(Base64.decode(text) == bytes)
            #expect(text == Self.written(bytes))
            #expect(Base64.encode(bytes.dropFirst()) == Self.written(Array(bytes.dropFirst())))
        }
        let every = Array(UInt8.min...UInt8.max)
        #expect(Base64.encode(every) == Self.written(every))
        #expect(Base64.decode(Base64.encode(every[...])) == every)
    }

    /// Base 64 by its definition, group by group.
    private static func written(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[$1]) : 0) }
            for place in 0..<4 { text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=") }
        }
        return text
    }
}
