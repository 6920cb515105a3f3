import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import Testing
import WireFormats

@testable import WalletTokens

/// A published or synthetic token that opens, with all that opening it takes and what it has to come to.
struct ApplePayVector: Sendable, CustomTestStringConvertible {
    /// What it is called among the fixtures.
    let name: String
    /// The token as published.
    let token: [UInt8]
    /// When it was signed.
    let signingTime: Timestamp
    /// The key that opens it.
    let key: ProcessingKey
    /// The root above its signer.
    let roots: TrustRoots
    /// What it encrypts, as published or computed with other software.
    let plaintext: JSON
    /// Where it was made.
    let environment: ApplePayEnvironment

    var testDescription: String { name }

    /// Now, as far as these tests are concerned: after every published token was signed.
    static let today = Timestamp.seconds(of: "2026-11-21T00:00:00Z")

    /// An opener for this token alone.
    func opener(
        windowMilliseconds: Int64? = ApplePayOpener.usualWindowMilliseconds,
        environment: WalletAccess.ApplePay.Environment = .any,
        cache: SignerCache = SignerCache()
    ) -> ApplePayOpener {
        ApplePayOpener(ApplePayRing([key]), roots, windowMilliseconds, environment, cache)
    }

    /// The token's fields.
    func parsed() throws -> ApplePayToken {
        try ApplePayToken(TokenText.parse(token, depthLimit: ApplePayToken.depthLimit))
    }

    /// The signed part of the token.
    func paymentData() throws -> JSON {
        let json = try JSON.parse(token)
        return json["paymentData"] ?? json
    }
}

extension ApplePayVector {
    /// Tokens of Apple's own signers, with the merchant's key.
    static let published: [ApplePayVector] =
        (try? [
            vector("gala-2014-visa-seatgeek", .production), vector("gala-2021-mastercard", .production),
            vector("sepuka-2019-visa", .sandbox),
        ]) ?? []

    /// Tokens that this project made.
    static let synthetic: [ApplePayVector] =
        (try? [
            "ec_single", "ec_z_leading_zero", "ec_application_data", "ec_mpan", "ec_multimerchant_3",
            "ec_multimerchant_equal_amounts", "rsa_emv",
        ].map { try SyntheticVectors.vector($0) }) ?? []

    /// All that open.
    static let all = published + synthetic

    /// The bytes of a fixture.
    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL)
        return try Array(Data(contentsOf: folder.appending(path: "Fixtures/apple-pay/\(path)")))
    }

    /// Apple's root.
    static let appleRoots = Result { try AppleRoot.roots() }

    private static func vector(_ folder: String, _ environment: ApplePayEnvironment) throws -> ApplePayVector {
        let expected = try JSON.parse(bytes("\(folder)/expected.json"))
        let time = try #require(expected["verification"]?["signing_time"]?.stringValue)
        let signingTime = Timestamp.seconds(of: time)
        let pair = ApplePayCertificate(
            certificate: try bytes("\(folder)/certificate.pem"),
            key: try bytes("\(folder)/private_key.pem"),
            at: signingTime
        )
        return ApplePayVector(
            name: folder,
            token: try bytes("\(folder)/token.json"),
            signingTime: signingTime,
            key: try #require(pair.key),
            roots: try appleRoots.get(),
            plaintext: try #require(expected["decrypted"]),
            environment: environment
        )
    }
}

/// The tokens of `synthetic-vectors.json`, with their own root and merchant keys.
enum SyntheticVectors {
    /// When they were signed.
    static let signingTime = Timestamp.seconds(of: "2026-03-01T12:00:00Z")

    /// The whole file.
    static let file = Result { try JSON.parse(ApplePayVector.bytes("synthetic-vectors.json")) }

    /// A token that opens.
    static func vector(_ name: String) throws -> ApplePayVector {
        let entry = try entry(name)
        let text = try #require(entry["steps"]?["plaintext"]?.stringValue)
        return ApplePayVector(
            name: name,
            token: try #require(entry["token"]).bytes,
            signingTime: signingTime,
            key: try key(name.hasPrefix("rsa") ? "rsa" : "ec"),
            roots: try roots(),
            plaintext: try JSON.parse(text: text),
            environment: .production
        )
    }

    /// What the file has under a name.
    static func entry(_ name: String) throws -> JSON { try #require(file.get()["vectors"]?[name]) }

    /// The root above their signers.
    static func roots() throws -> TrustRoots { try TrustRoots([Certificate(der: base64("root_der_b64"))]) }

    /// The merchant's key of a kind.
    static func key(_ kind: String) throws -> ProcessingKey {
        let pair = try #require(file.get()[kind])
        let key = try #require(pair["privateKeyPkcs8_b64"]?.stringValue.flatMap(Base64.decode(nonempty:)))
        let certificate = try #require(pair["certificate_der_b64"]?.stringValue.flatMap(Base64.decode(nonempty:)))
        return try #require(ApplePayCertificate(certificate: certificate, key: key, at: signingTime).key)
    }

    private static func base64(_ key: String) throws -> [UInt8] {
        try #require(file.get()[key]?.stringValue.flatMap(Base64.decode(nonempty:)))
    }
}

extension Timestamp {
    /// The moment of an RFC 3339 text without a fraction; 1970 for any other text.
    static func seconds(of text: String) -> Timestamp {
        let date = try? Date(text.replacing("+00:00", with: "Z"), strategy: .iso8601)
        return Timestamp(seconds: Int64(date?.timeIntervalSince1970 ?? 0))
    }

    /// The moment some seconds later.
    func adding(seconds: Int64) -> Timestamp { adding(milliseconds: seconds * 1000) }
}
