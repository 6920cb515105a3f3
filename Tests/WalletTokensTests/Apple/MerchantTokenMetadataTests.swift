import Domain
import OpenSSLCMS
import StrictJSON
import Testing
import WireFormats

@testable import WalletTokens

@Suite("Apple Pay: what is told of a merchant token's number")
struct MerchantTokenMetadataTests {
    private static let file = Result { try JSON.parse(ApplePayVector.bytes("encrypted-token-metadata.json")) }
    private static let signedAt = Timestamp.seconds(of: "2026-03-01T12:00:00Z")
    private static let day: Int64 = 86_400

    private static func opener(
        windowMilliseconds: Int64? = ApplePayOpener.usualWindowMilliseconds,
        environment: WalletAccess.ApplePay.Environment = .production
    ) throws -> ApplePayOpener {
        let file = try file.get()
        let root = try #require(file["trusted_root_der_b64"]?.stringValue.flatMap(Base64.decode(nonempty:)))
        let merchant = try #require(file["merchant_identifier"]?.stringValue)
        let keys = try ["ec_private_key_pem", "rsa_private_key_pem"].map { name in
            let key = try PrivateKey(Array(#require(file[name]?.stringValue).utf8))
            return try #require(
                ProcessingKey(key, merchantIdentifier: merchant, hash: MerchantIdentifierHash.of(merchant))
            )
        }
        return ApplePayOpener(
            ring: ApplePayRing(keys),
            roots: try TrustRoots([Certificate(der: root)]),
            windowMilliseconds: windowMilliseconds,
            environment: environment
        )
    }

    private static func object(_ name: String) throws -> JSON {
        try #require(file.get()["cases"]?[name]?["object"])
    }

    private static func refused(_ json: JSON, _ opener: ApplePayOpener, at moment: Timestamp) -> String? {
        refusal { () throws(TokenRefusal) in try opener.openTokenMetadata(json, at: moment) }
    }

    @Test("opens, of either kind of key", arguments: ["ec", "rsa"])
    func opens(name: String) throws {
        let metadata = try Self.opener().openTokenMetadata(Self.object(name), at: Self.signedAt)
        #expect(metadata.number.reveal() == "4895370012345670")
        #expect(metadata.expiration == CalendarDay(year: 2029, month: 12, day: 31))
        #expect(metadata.identifier == nil)
        #expect(!"\(metadata)".contains("4895370012345670"))
    }

    @Test(
        "is refused where it was changed, or is signed like a payment",
        arguments: ["bad_data_flipped", "bad_signed_like_a_payment"]
    )
    func altered(name: String) throws {
        let found = try Self.refused(Self.object(name), Self.opener(), at: Self.signedAt)
        #expect(found == "signature/content_changed")
    }

    @Test(
        "is taken for as long as Apple keeps an event, and not longer",
        arguments: [(-600, false), (-200, true), (0, true), (7 * day, true), (9 * day, false)]
    )
    func window(seconds: Int64, isTaken: Bool) throws {
        let moment = Self.signedAt.adding(seconds: seconds)
        let found = try Self.refused(Self.object("ec"), Self.opener(), at: moment)
        #expect(found == (isTaken ? nil : "signing_time/outside_window"))
        #expect(try Self.refused(Self.object("ec"), Self.opener(windowMilliseconds: nil), at: moment) == nil)
    }

    @Test("is no payment, and a payment is none of it")
    func neither() throws {
        let opener = try Self.opener()
        #expect(throws: TokenRefusal.self) { try opener.open(Self.object("ec"), at: Self.signedAt) }
        let vector = try SyntheticVectors.vector("ec_mpan")
        let data = try vector.paymentData()
        let header = try #require(data["header"])
        let disguised = JSON.object(omittingAbsent: [
            "data": data["data"], "signature": data["signature"], "publicKeyHash": header["publicKeyHash"],
            "ephemeralPublicKey": header["ephemeralPublicKey"],
        ])
        #expect(Self.refused(disguised, vector.opener(), at: vector.signingTime) == "signature/content_changed")
    }

    @Test("of another form is refused as that")
    func malformed() throws {
        let opener = try Self.opener()
        let whole = try Self.object("ec")
        guard case .object(let members) = whole else { return }
        for name in ["data", "signature", "publicKeyHash", "ephemeralPublicKey"] {
            let json = JSON.object(members.filter { $0.key != name })
            #expect(Self.refused(json, opener, at: Self.signedAt)?.hasPrefix("structure/") == true, "\(name)")
        }
        let both = JSON.object(members + [JSON.Member("wrappedKey", "AAAA")])
        #expect(Self.refused(both, opener, at: Self.signedAt) == "structure/version_key_mismatch")
        #expect(Self.refused("text", opener, at: Self.signedAt) == "structure/version_key_mismatch")
    }
}
