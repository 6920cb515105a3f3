import AdapterKit
import Domain
import Testing
import WireFormats

@Suite("A key for HMAC-SHA1")
struct SHA1SigningKeyTests {
    /// Test cases 1, 2 and 6 of RFC 2202 section 3.
    static let vectors: [(key: [UInt8], message: String, code: String)] = [
        ([UInt8](repeating: 0x0B, count: 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        (Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (
            [UInt8](repeating: 0xAA, count: 80), "Test Using Larger Than Block-Size Key - Hash Key First",
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"
        ),
    ]

    @Test("makes the codes of RFC 2202", arguments: vectors)
    func codes(vector: (key: [UInt8], message: String, code: String)) throws {
        let key = try #require(SHA1SigningKey(bytes: vector.key))
        let code = try #require(Hexadecimal.decode(vector.code))
        let message = Array(vector.message.utf8)
        #expect(key.code(of: message) == code)
        #expect(key.authenticates(code, of: message))
        #expect(!key.authenticates(Array(code.dropLast()), of: message))
        #expect(!key.authenticates(code, of: message + [0]))
        #expect(!key.authenticates([], of: message))
    }

    /// The hash of "abc" is the example of FIPS 180-4.
    @Test("is never empty, and may be the hash of a secret")
    func made() throws {
        #expect(SHA1SigningKey(bytes: []) == nil && SHA1SigningKey(hashOf: Secret("")) == nil)
        let hash = try #require(Hexadecimal.decode("a9993e364706816aba3e25717850c26c9cd0d89d"))
        #expect(SHA1SigningKey(hashOf: Secret("abc")) == SHA1SigningKey(bytes: hash))
    }
}
