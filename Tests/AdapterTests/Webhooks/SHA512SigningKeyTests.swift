import AdapterKit
import Domain
import Testing
import WireFormats

@Suite("A signing key for SHA-512")
struct SHA512SigningKeyTests {
    /// Test cases 1, 2 and 6 of RFC 4231.
    static let vectors: [(key: [UInt8], message: String, code: String)] = [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
        ),
    ]

    @Test("makes the codes of RFC 4231", arguments: vectors)
    func codes(vector: (key: [UInt8], message: String, code: String)) throws {
        let key = try #require(SHA512SigningKey(bytes: vector.key))
        let other = try #require(SHA512SigningKey(bytes: [1]))
        let code = try #require(Hexadecimal.decode(vector.code))
        let message = Array(vector.message.utf8)
        #expect(key.code(of: message) == code)
        #expect(key.authenticates(code, of: message))
        #expect(!key.authenticates(Array(code.dropLast()), of: message))
        #expect(!key.authenticates(code, of: message + [0]))
        #expect([other, key].authenticate(code, of: message))
        #expect(![other].authenticate(code, of: message))
        #expect(![SHA512SigningKey]().authenticate(code, of: message))
    }

    @Test("is never empty, and shows nothing")
    func secrecy() throws {
        #expect(SHA512SigningKey(bytes: []) == nil)
        let key = try #require(SHA512SigningKey(bytes: Array(Sample.webhookSecret.utf8)))
        SecrecyTests.expectNoSecret(in: key, "a key")
        SecrecyTests.expectNoSecret(in: [key], "keys")
        #expect(key.description == "•••")
    }
}
