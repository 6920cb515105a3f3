import Domain
import StrictJSON
import Testing

@testable import WalletTokens

@Suite("Apple Pay: what a token encrypts")
struct ApplePayPayloadTests {
    /// A payload, with other members in place of some of its own; nil takes one away.
    private static func read(_ changes: KeyValuePairs<String, JSON?> = [:]) throws(TokenRefusal) -> ApplePayPayment {
        let payload: JSON = [
            "applicationPrimaryAccountNumber": "4000000000000002", "applicationExpirationDate": "290228",
            "currencyCode": "840", "transactionAmount": 100, "deviceManufacturerIdentifier": "040010030273",
            "paymentDataType": "3DSecure", "paymentData": ["onlinePaymentCryptogram": "AAEC", "eciIndicator": "7"],
        ]
        let changed = changes.reduce(payload) { $0.setting($1.key.split(separator: "/").map(String.init), $1.value) }
        return try ApplePayPayload.read(changed.bytes)
    }

    @Test("is read exactly")
    func plain() throws {
        let payment = try Self.read()
        #expect(payment.amount == (try Money(minorUnits: 100, currency: #require(Currency(code: "USD")))))
        #expect(payment.expiration.description == "2029-02-28")
        #expect(payment.maskedNumber == "400000******0002")
        #expect(payment.authentication == .threeDSecure(cryptogram: Secret("AAEC"), eci: "7"))
        #expect(payment.responses.isEmpty)
        #expect(payment.merchantTokenIdentifier == nil)
    }

    @Test("currencies are the numeric ones of ISO 4217", arguments: [("036", "AUD"), ("392", "JPY"), ("978", "EUR")])
    func currencies(code: String, expected: String) throws {
        #expect(try Self.read(["currencyCode": .string(code)]).amount.currency.code == expected)
    }

    @Test("what Apple may add is ignored")
    func unknown() throws {
        let payment = try Self.read(["somethingNew": ["a": 1], "paymentData/somethingElse": "x"])
        #expect(payment == (try Self.read()))
    }

    @Test("an indicator may be missing or empty", arguments: [nil, .null, ""] as [JSON?])
    func indicator(value: JSON?) throws {
        #expect(
            try Self.read(["paymentData/eciIndicator": value]).authentication
                == .threeDSecure(cryptogram: Secret("AAEC"), eci: nil)
        )
    }

    @Test("a merchant token's identifier is as long as Apple makes it")
    func merchantToken() throws {
        let identifier = String(repeating: "D", count: 200)
        #expect(try Self.read(["merchantTokenIdentifier": .string(identifier)]).merchantTokenIdentifier == identifier)
    }

    @Test("a multi-merchant token may lack a cryptogram of its own, another one may not")
    func cryptogram() throws {
        let response: JSON = ["merchantIdentifier": "ab", "authenticationData": "AAEC", "transactionAmount": "100"]
        let payment = try Self.read([
            "authenticationResponses": [response], "paymentData/onlinePaymentCryptogram": Optional<JSON>.none,
        ])
        #expect(payment.authentication == .threeDSecure(cryptogram: nil, eci: "7"))
        #expect(payment.responses == [BundleResponse(merchantHash: "ab", amount: 100, cryptogram: Secret("AAEC"))])
        let bare = try Self.read(["authenticationResponses": [response], "paymentData": Optional<JSON>.none])
        #expect(bare.authentication == .threeDSecure(cryptogram: nil, eci: nil))
        #expect(try Self.read(["authenticationResponses": []]).responses.isEmpty)
    }

    @Test("UnionPay's data may have an encrypted PIN")
    func unionPay() throws {
        let data: JSON = ["emvData": "AAEC", "encryptedPINData": "b59326be043dcdc6"]
        #expect(
            try Self.read(["paymentDataType": "EMV", "paymentData": data]).authentication
                == .emv(data: Secret("AAEC"), encryptedPIN: Secret("b59326be043dcdc6"))
        )
        #expect(
            try Self.read(["paymentDataType": "EMV", "paymentData": ["emvData": "AAEC"]]).authentication
                == .emv(data: Secret("AAEC"), encryptedPIN: nil)
        )
    }

    static let wrongMembers: [(String, JSON?)] = [
        ("applicationPrimaryAccountNumber", nil), ("applicationPrimaryAccountNumber", "4000 0000 0000 0002"),
        ("applicationPrimaryAccountNumber", "40000000000"), ("applicationPrimaryAccountNumber", "40000000000000000020"),
        ("applicationPrimaryAccountNumber", 4_000_000_000_000_002), ("applicationPrimaryAccountNumber", "４０００００００００００"),
        ("applicationExpirationDate", nil), ("applicationExpirationDate", "290230"),
        ("applicationExpirationDate", "20290228"), ("applicationExpirationDate", "291300"),
        ("currencyCode", nil), ("currencyCode", "USD"), ("currencyCode", "84"), ("currencyCode", "0840"),
        ("currencyCode", 840), ("currencyCode", "999"), ("currencyCode", "-84"), ("transactionAmount", nil),
        ("transactionAmount", -1), ("transactionAmount", "100"), ("transactionAmount", .number("100.0")),
        ("transactionAmount", .number("1e2")), ("transactionAmount", .number("9223372036854775808")),
        ("transactionAmount", .null), ("deviceManufacturerIdentifier", nil), ("paymentDataType", nil),
        ("paymentDataType", "3dsecure"), ("paymentDataType", "EMV"), ("paymentData", nil), ("paymentData", "x"),
        ("paymentData/onlinePaymentCryptogram", nil), ("paymentData/onlinePaymentCryptogram", ""),
        ("paymentData/onlinePaymentCryptogram", "A"), ("paymentData/eciIndicator", "123"),
        ("paymentData/eciIndicator", 7), ("merchantTokenIdentifier", ""), ("merchantTokenIdentifier", 1),
        ("authenticationResponses", "x"), ("authenticationResponses", ["x"]),
        (
            "authenticationResponses",
            [["merchantIdentifier": "a", "authenticationData": "AAEC", "transactionAmount": 1]]
        ),
        (
            "authenticationResponses",
            [["merchantIdentifier": "a", "authenticationData": "AAEC", "transactionAmount": "-1"]]
        ),
        (
            "authenticationResponses",
            [["merchantIdentifier": "a", "authenticationData": "AAEC", "transactionAmount": "1.0"]]
        ),
        (
            "authenticationResponses",
            [["merchantIdentifier": "", "authenticationData": "AAEC", "transactionAmount": "1"]]
        ),
        ("authenticationResponses", [["merchantIdentifier": "a", "authenticationData": "", "transactionAmount": "1"]]),
        ("authenticationResponses", [["merchantIdentifier": "a", "transactionAmount": "1"]]),
        (
            "authenticationResponses",
            [["merchantIdentifier": "a", "authenticationData": "AAEC", "transactionAmount": "9223372036854775808"]]
        ),
    ]

    @Test("anything else is refused, and no value is repeated", arguments: wrongMembers)
    func refused(member: String, value: JSON?) throws {
        do throws(TokenRefusal) {
            _ = try Self.read([member: value])
            Issue.record("it was taken")
        } catch {
            #expect(error.name == "payload/malformed_payload")
            #expect(!error.detail.contains("4000"))
            if let text = value?.stringValue, text.count > 3 { #expect(!error.detail.contains(text)) }
        }
    }

    @Test("what is no document is refused", arguments: ["", "[]", "null", "{", #"{"a":1,"a":2}"#])
    func noDocument(text: String) {
        #expect(
            refusal { () throws(TokenRefusal) in try ApplePayPayload.read(Array(text.utf8)) }
                == "payload/malformed_payload"
        )
    }

    @Test("no description of it shows number or cryptogram")
    func masked() throws {
        let payment = try Self.read()
        var dumped = ""
        dump(payment, to: &dumped)
        for text in ["\(payment)", String(reflecting: payment), dumped] {
            #expect(!text.contains("4000000000000002") && !text.contains("AAEC"))
        }
    }
}
