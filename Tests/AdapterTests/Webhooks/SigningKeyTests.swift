import AdapterKit
import Testing
import WireFormats

@Suite("A signing key")
struct SigningKeyTests {
    /// Test cases 1, 2, 6 and 7 of RFC 4231.
    static let vectors: [(key: [UInt8], message: String, code: String)] = [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            "This is a test using a larger than block-size key and a larger than block-size data. "
                + "The key needs to be hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test("makes the codes of RFC 4231", arguments: vectors)
    func codes(vector: (key: [UInt8], message: String, code: String)) throws {
        let key = try #require(SigningKey(bytes: vector.key))
        let code = try #require(Hexadecimal.decode(vector.code))
        let message = Array(vector.message.utf8)
        #expect(key.code(of: message) == code)
        #expect(key.authenticates(code, of: message))
        #expect(!key.authenticates(Array(code.dropLast()), of: message))
        #expect(!key.authenticates(code, of: message + [0]))
        #expect([key].authenticate(anyOf: [[1, 2], code], of: message))
        #expect(![key].authenticate(anyOf: [], of: message))
    }

    @Test("is never empty")
    func empty() { #expect(SigningKey(bytes: []) == nil) }
}
