import StrictJSON
import Testing
import WireFormats

@testable import WalletTokens

@Suite("Apple Pay: a token's outer form")
struct ApplePayTokenTests {
    private static func verdict(_ token: JSON) throws -> String? {
        let vector = try SyntheticVectors.vector("ec_application_data")
        return refusal { () throws(TokenRefusal) in try vector.opener().open(token, at: vector.signingTime) }
    }

    private static func paymentData() throws -> JSON {
        try SyntheticVectors.vector("ec_application_data").paymentData()
    }

    static let wrongFields: [([String], JSON?)] = [
        (["data"], nil), (["data"], ""), (["data"], 1), (["data"], "AAE"), (["data"], "AA=="), (["data"], "AB=="),
        (["data"], "A-_="), (["data"], "AAEC "), (["data"], .null), (["signature"], nil), (["signature"], "="),
        (["header", "publicKeyHash"], nil), (["header", "publicKeyHash"], "AAEC"),
        (["header", "transactionId"], nil), (["header", "transactionId"], "37cd"), (["header", "transactionId"], ""),
        (["header", "transactionId"], .string(String(repeating: "g", count: 64))),
        (["header", "transactionId"], .string(String(repeating: "0", count: 65))),
        (["header", "transactionId"], .string(String(repeating: "0", count: 66))),
        (["header", "applicationData"], ""), (["header", "applicationData"], "00"), (["header", "applicationData"], 1),
        (["header", "ephemeralPublicKey"], 1), (["header", "ephemeralPublicKey"], ""),
    ]

    @Test("every field is there and has its form", arguments: wrongFields)
    func malformed(path: [String], value: JSON?) throws {
        let verdict = try Self.verdict(Self.paymentData().setting(path, value))
        // Two bytes of ciphertext are a form; that they are not what was signed is found later.
        #expect(verdict == (value == "AA==" ? "signature/content_changed" : "structure/malformed_token"))
    }

    @Test("the version is one of the two", arguments: [nil, .null, "", "EC_v2", "ec_v1", 1] as [JSON?])
    func version(value: JSON?) throws {
        #expect(try Self.verdict(Self.paymentData().setting(["version"], value)) == "structure/unknown_version")
    }

    @Test("only the three shapes are known")
    func shapes() throws {
        let data = try Self.paymentData()
        for token: JSON in [
            [], 1, "x", [:], ["token": data], ["token": ["token": ["paymentData": data]]], [data],
            ["paymentData": ["paymentData": data]],
        ] {
            #expect(try Self.verdict(token)?.hasPrefix("structure/") == true)
        }
    }

    @Test("two shapes at once are none", arguments: [["token"], ["paymentData"]])
    func ambiguous(key: [String]) throws {
        let data = try Self.paymentData()
        let both = data.setting(key, key == ["token"] ? ["paymentData": data] : data)
        #expect(try Self.verdict(both) == "structure/unknown_shape")
        let wrapped: JSON = ["paymentData": data, "token": ["paymentData": data]]
        #expect(try Self.verdict(wrapped) == "structure/unknown_shape")
    }

    @Test("what is not JSON, too long or too deep is refused")
    func documents() throws {
        let vector = try SyntheticVectors.vector("ec_single")
        func verdict(_ text: String) -> String? {
            refusal { () throws(TokenRefusal) in try vector.opener().open(Array(text.utf8), at: vector.signingTime) }
        }
        #expect(verdict("") == "structure/malformed_token")
        #expect(verdict("{") == "structure/malformed_token")
        #expect(verdict(String(repeating: "[", count: 60_000)) == "structure/malformed_token")
        #expect(verdict(String(repeating: " ", count: 65_537)) == "structure/token_too_long")
        let text = String(decoding: vector.token, as: UTF8.self)
        let twice = text.replacing("\"header\":", with: "\"version\":\"EC_v1\",\"header\":")
        #expect(verdict(twice) == "structure/malformed_token")
    }

    @Test("hexadecimal digits may be of either case")
    func letterCase() throws {
        let data = try Self.paymentData()
        let id = try #require(data["header"]?["transactionId"]?.stringValue)
        #expect(try Self.verdict(data.setting(["header", "transactionId"], .string(id.uppercased()))) == nil)
        #expect(Hexadecimal.decode("0aF") == nil)
        #expect(Hexadecimal.decode("0aFf") == [10, 255])
        #expect(Hexadecimal.encode([10, 255]) == "0aff")
    }
}
