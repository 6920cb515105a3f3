import Crypto
import Domain
import StrictJSON
import Testing
import TributaryTestKit

@testable import WalletTokens

@Suite("What a Google Pay token encrypts")
struct GooglePayPayloadTests {
    private static let moment = Timestamp.milliseconds(1_700_000_000_000)
    private static let malformed = "payload/malformed_payload"

    /// A message, and how it is refused.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var message: GooglePayMessage
        var refusal: String?
    }

    private static func detail(
        _ key: String,
        _ value: JSON?,
        of message: GooglePayMessage = .cryptogram,
        refusal: String? = malformed
    ) -> Case {
        Case(
            testDescription: "\(key): \(value?.text ?? "absent")",
            message: message.changing(key, to: value),
            refusal: refusal
        )
    }

    private static func member(
        _ description: String,
        refusal: String?,
        _ change: (inout GooglePayMessage) -> Void
    ) -> Case {
        var message = GooglePayMessage.numberOnly
        change(&message)
        return Case(testDescription: description, message: message, refusal: refusal)
    }

    @Test(
        "is read strictly",
        arguments: [
            detail("pan", nil), detail("pan", 4_111_111_111_111_111), detail("pan", "4111 1111 1111 1111"),
            detail("pan", "41111111111"), detail("pan", "411111111111", refusal: nil),
            detail("pan", "4111111111111111110", refusal: nil), detail("pan", "41111111111111111100"),
            detail("pan", "٤١١١١١١١١١١١"), detail("expirationMonth", 0), detail("expirationMonth", 13),
            detail("expirationMonth", "12"), detail("expirationMonth", nil), detail("expirationYear", 28),
            detail("expirationYear", 10_000), detail("expirationYear", nil), detail("authMethod", nil),
            detail("authMethod", "3DS"), detail("cryptogram", nil), detail("cryptogram", ""),
            detail("cryptogram", "not base64"), detail("cryptogram", nil, of: .numberOnly, refusal: nil),
            detail("eciIndicator", nil, refusal: nil), detail("eciIndicator", "", refusal: nil),
            detail("eciIndicator", "5", refusal: nil), detail("eciIndicator", "five"), detail("eciIndicator", 5),
            detail("issuer", "a member that Google may add", refusal: nil),
        ]
    )
    func details(_ row: Case) throws { try check(row) }

    @Test(
        "is a card that may still be used",
        arguments: [
            member("usable for another millisecond", refusal: nil) { $0.messageExpiration = "1700000000001" },
            member("expired now", refusal: "signing_time/message_expired") { $0.messageExpiration = "1700000000000" },
            member("expired and malformed", refusal: "signing_time/message_expired") {
                $0.messageExpiration = "1"
                $0.details = []
            },
            member("an expiry that is a number", refusal: malformed) { $0.messageExpiration = 1_800_000_000_000 },
            member("an expiry with a sign", refusal: malformed) { $0.messageExpiration = "+1800000000000" },
            member("an expiry beyond 64 bits", refusal: malformed) { $0.messageExpiration = "99999999999999999999" },
            member("no message id", refusal: malformed) { $0.messageIdentifier = .null },
            member("an empty message id", refusal: malformed) { $0.messageIdentifier = "" },
            member("a bank account", refusal: "payload/unsupported_payment_method") { $0.paymentMethod = "ACCOUNT" },
            member("the method of old tokens", refusal: "payload/unsupported_payment_method") {
                $0.paymentMethod = "TOKENIZED_CARD"
            },
            member("a gateway's merchant that is a number", refusal: malformed) { $0.gatewayMerchantIdentifier = 7 },
        ]
    )
    func messages(_ row: Case) throws { try check(row) }

    @Test("that is no JSON object is refused", arguments: ["", "[]", "{", "plaintext", "{\"pan\":1,\"pan\":2}"])
    func noObject(_ text: String) throws {
        let payload = refusal { () throws(TokenRefusal) in
            try GooglePayPayload.read(Array(text.utf8), .ecV2, at: Self.moment)
        }
        #expect(payload == Self.malformed)
    }

    @Test(
        "names the gateway's merchant that it is for",
        arguments: [
            ("merchant:1", nil, nil, nil), ("merchant:1", "shop-1", nil, nil), ("merchant:1", "shop-1", "shop-1", nil),
            ("merchant:1", "shop-1", "shop-2", "order_mismatch/gateway_merchant_mismatch"),
            ("merchant:1", nil, "shop-1", "order_mismatch/gateway_merchant_mismatch"),
            ("gateway:tributary", nil, nil, "payload/missing_gateway_merchant_id"),
            ("gateway:tributary", "shop-1", nil, nil), ("gateway:tributary", "shop-1", "shop-1", nil),
            ("gateway:tributary", "shop-1", "SHOP-1", "order_mismatch/gateway_merchant_mismatch"),
        ] as [(String, String?, String?, String?)]
    )
    func gatewayMerchant(recipient: String, actual: String?, expected: String?, refused: String?) throws {
        let key = P256.KeyAgreement.PrivateKey()
        var sender = GooglePaySender()
        sender.recipient = recipient
        var message = GooglePayMessage.numberOnly
        message.gatewayMerchantIdentifier = actual.map(JSON.string)
        let token = try sender.token(message.text, for: key.publicKey)
        let opener = GooglePayOpener(
            roots: try GooglePayRoots(file: sender.rootsFile),
            keys: try GooglePayPrivateKeys(pem: [Secret(key.pemRepresentation)]),
            recipientIdentifier: recipient
        )
        let answer = refusal { () throws(TokenRefusal) in
            try opener.open(token, at: Self.moment, gatewayMerchantIdentifier: expected)
        }
        #expect(answer == refused)
        guard refused == nil else { return }
        #expect(try opener.open(token, at: Self.moment).gatewayMerchantIdentifier == actual)
    }

    @Test("never shows in a description, a dump or a refusal")
    func secrecy() throws {
        let message = GooglePayMessage.cryptogram
        let payment = try GooglePayPayload.read(Array(message.text.utf8), .ecV2, at: Self.moment)
        var dumped = ""
        dump(payment, to: &dumped)
        let broken = GooglePayMessage.cryptogram.changing("expirationMonth", to: 13)
        var told = ["\(payment)", String(reflecting: payment), dumped]
        do throws(TokenRefusal) {
            _ = try GooglePayPayload.read(Array(broken.text.utf8), .ecV2, at: Self.moment)
        } catch {
            told += ["\(error)", String(reflecting: error)]
        }
        #expect(told.count == 5)
        for text in told {
            #expect(!text.contains("4111111111"))
            #expect(!text.contains("AAAAAAA"))
        }
    }

    private func check(_ row: Case) throws {
        let text = Array(row.message.text.utf8)
        let answer = refusal { () throws(TokenRefusal) in try GooglePayPayload.read(text, .ecV2, at: Self.moment) }
        #expect(answer == row.refusal)
    }
}
