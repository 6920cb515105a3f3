import Domain
import StrictJSON
import Testing

@testable import WalletTokens

@Suite("Published Google Pay tokens")
struct GooglePayVectorTests {
    private static let yoyowallet = GooglePayFixture(folder: "yoyowallet-ecv2")
    private static let tink = GooglePayFixture(folder: "tink-ecv1")

    /// A published token, when it is opened, and how it is refused.
    struct Case: Sendable, CustomTestStringConvertible {
        var file: String
        var at: Int64 = 1_772_366_400_000
        var refusal: String

        var testDescription: String { "\(file) at \(at): \(refusal)" }
    }

    @Test(
        "open at a time when they were valid",
        arguments: [
            ("encrypted_token.json", 1_772_366_400_000, "32506264800000"),
            ("encrypted_expired_token.json", 946_684_799_999, "946684800000"),
            (
                "encrypted_google_pay_token_with_expired_intermediate_signature.json", 1_361_023_457_680,
                "32506264800000"
            ),
        ] as [(String, Int64, String)]
    )
    func opened(file: String, at: Int64, expiration: String) throws {
        let payment = try Self.yoyowallet.opener().open(Self.yoyowallet.token(file), at: .milliseconds(at))
        #expect(payment.version == .ecV2)
        #expect(payment.messageExpiration == .milliseconds(try #require(Int64(expiration))))
        #expect(payment.messageIdentifier.hasPrefix("AH2EjtfkY514K5lmPF4NOP9lMR5tPedsjQR719hIzI"))
        #expect(payment.gatewayMerchantIdentifier == nil)
        #expect(payment.card.number.reveal() == "4111111111111111")
        #expect(payment.card.maskedNumber == "411111******1111")
        #expect(payment.card.expirationYear == 2026)
        #expect(payment.card.expirationMonth == 12)
        #expect(payment.card.authentication == .numberOnly)
    }

    @Test(
        "are refused by the check that fails",
        arguments: [
            Case(file: "encrypted_expired_token.json", refusal: "signing_time/message_expired"),
            Case(file: "encrypted_expired_token.json", at: 946_684_800_000, refusal: "signing_time/message_expired"),
            Case(
                file: "encrypted_google_pay_token_with_expired_intermediate_signature.json",
                refusal: "certificate_chain/intermediate_key_expired"
            ),
            Case(
                file: "encrypted_google_pay_token_with_expired_intermediate_signature.json",
                at: 1_361_023_457_681,
                refusal: "certificate_chain/intermediate_key_expired"
            ),
            Case(file: "encrypted_invalid_tag.json", refusal: "decryption/authentication_failed"),
            Case(file: "encrypted_plaintext.json", refusal: "payload/malformed_payload"),
            Case(
                file: "encrypted_token.json",
                at: 1_879_409_613_939,
                refusal: "certificate_chain/intermediate_key_expired"
            ),
            Case(file: "encrypted_token.json", at: 32_506_264_800_000, refusal: "certificate_chain/no_root_key"),
        ]
    )
    func refused(_ row: Case) throws {
        let opener = try Self.yoyowallet.opener()
        let token = try Self.yoyowallet.token(row.file)
        #expect(refusal { () throws(TokenRefusal) in try opener.open(token, at: .milliseconds(row.at)) } == row.refusal)
    }

    @Test("decrypt to what was published, of either version")
    func plaintext() throws {
        for (fixture, file) in [(Self.tink, "token.json"), (Self.yoyowallet, "encrypted_plaintext.json")] {
            let token = try GooglePayToken(TokenText.parse(fixture.token(file), depthLimit: GooglePayToken.depthLimit))
            let plaintext = try fixture.opener().plaintext(of: token, at: GooglePayFixture.moment)
            #expect(String(decoding: plaintext, as: UTF8.self) == "plaintext")
        }
    }

    @Test("are refused for a recipient they are not for, and with a key they are not for")
    func wrongRecipient() throws {
        for (fixture, file) in [(Self.tink, "token.json"), (Self.yoyowallet, "encrypted_token.json")] {
            let token = try fixture.token(file)
            let stranger = try fixture.opener(recipient: "notsomeRecipient")
            let refused = refusal { () throws(TokenRefusal) in try stranger.open(token, at: GooglePayFixture.moment) }
            #expect(refused == "signature/invalid_signature")
            let other = try Self.tink.privateKey("alternate_merchant_private_key_pkcs8_b64")
            let opener = try fixture.opener(keys: [other])
            let undecided = refusal { () throws(TokenRefusal) in try opener.open(token, at: GooglePayFixture.moment) }
            #expect(undecided == "decryption/authentication_failed")
        }
    }

    @Test("open with whichever key of the ring they are for")
    func ring() throws {
        let other = try Self.tink.privateKey("alternate_merchant_private_key_pkcs8_b64")
        let right = try Self.yoyowallet.privateKey()
        let token = try Self.yoyowallet.token("encrypted_token.json")
        for keys in [[other, right], [right, other], [Secret(other.reveal() + right.reveal())]] {
            let payment = try Self.yoyowallet.opener(keys: keys).open(token, at: GooglePayFixture.moment)
            #expect(payment.card.number.reveal() == "4111111111111111")
        }
    }

    @Test("of one version are not verified with a root key of the other")
    func otherVersion() throws {
        let token = try Self.tink.token("token.json")
        let opener = GooglePayOpener(
            roots: try GooglePayRoots(file: Self.yoyowallet.rootsFile()),
            keys: try GooglePayPrivateKeys(pem: [Self.tink.privateKey()]),
            recipientIdentifier: "someRecipient"
        )
        let refused = refusal { () throws(TokenRefusal) in try opener.open(token, at: GooglePayFixture.moment) }
        #expect(refused == "certificate_chain/no_root_key")
    }

    @Test("of a wallet request without a real token are refused")
    func walletRequests() throws {
        let opener = try Self.tink.opener(keys: [
            Secret(String(decoding: GooglePayFixture.bytes("payconnector/test-private-key.pem"), as: UTF8.self))
        ])
        let expectations = [
            "example-auth-request.json": "signature/invalid_signature",
            "example-3ds-auth-request.json": "signature/invalid_signature",
            "invalid-empty-signature-auth-request.json": "structure/malformed_token",
        ]
        for (file, expected) in expectations {
            let request = try JSON.parse(GooglePayFixture.bytes("payconnector/\(file)"))
            let data = try #require(request["encrypted_payment_data"])
            let asSent = refusal { () throws(TokenRefusal) in try opener.open(data, at: GooglePayFixture.moment) }
            #expect(asSent == "structure/unsigned_token")
            let token = JSON.object(omittingAbsent: [
                "protocolVersion": data["protocol_version"], "signature": data["signature"],
                "signedMessage": data["signed_message"],
            ])
            let refused = refusal { () throws(TokenRefusal) in try opener.open(token, at: GooglePayFixture.moment) }
            #expect(refused == expected)
        }
    }
}
