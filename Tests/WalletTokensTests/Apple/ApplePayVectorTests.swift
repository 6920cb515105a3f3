import Domain
import OpenSSLCMS
import StrictJSON
import Testing
import WireFormats

@testable import WalletTokens

@Suite("Apple Pay: published and synthetic tokens")
struct ApplePayVectorTests {
    @Test("every token that should open is there")
    func vectorsAreThere() {
        #expect(ApplePayVector.published.count == 3)
        #expect(ApplePayVector.synthetic.count == 7)
    }

    @Test("opens at its signing time and says what was encrypted", arguments: ApplePayVector.all)
    func opens(vector: ApplePayVector) throws {
        let opened = try vector.opener().open(vector.token, at: vector.signingTime)
        let payment = opened.payment
        #expect(opened.signingTime == vector.signingTime)
        #expect(opened.environment == vector.environment)
        #expect(payment.number.reveal() == vector.plaintext["applicationPrimaryAccountNumber"]?.stringValue)
        #expect(payment.amount.minorUnits == vector.plaintext["transactionAmount"]?.integerValue)
        let code = vector.plaintext["currencyCode"]?.stringValue.flatMap { Int($0) }
        #expect(payment.amount.currency.numericCode == code)
        #expect(payment.deviceManufacturerIdentifier == vector.plaintext["deviceManufacturerIdentifier"]?.stringValue)
        let date = try #require(vector.plaintext["applicationExpirationDate"]?.stringValue)
        #expect(payment.expiration.description.filter { $0 != "-" } == "20" + date)
        #expect(payment.merchantTokenIdentifier == vector.plaintext["merchantTokenIdentifier"]?.stringValue)
        try Self.checkAuthentication(payment, vector.plaintext)
        #expect(payment.responses.count == vector.plaintext["authenticationResponses"]?.arrayValue?.count ?? 0)
    }

    private static func checkAuthentication(_ payment: ApplePayPayment, _ expected: JSON) throws {
        let data = try #require(expected["paymentData"])
        switch payment.authentication {
        case .threeDSecure(let cryptogram, let eci):
            #expect(expected["paymentDataType"]?.stringValue == "3DSecure")
            #expect(cryptogram?.reveal() == data["onlinePaymentCryptogram"]?.stringValue)
            #expect(eci == data["eciIndicator"]?.stringValue)
        case .emv(let emv, let pin):
            #expect(expected["paymentDataType"]?.stringValue == "EMV")
            #expect(emv.reveal() == data["emvData"]?.stringValue)
            #expect(pin?.reveal() == data["encryptedPINData"]?.stringValue)
        }
        for (response, json) in zip(payment.responses, expected["authenticationResponses"]?.arrayValue ?? []) {
            #expect(response.merchantHash == json["merchantIdentifier"]?.stringValue)
            #expect(String(response.amount) == json["transactionAmount"]?.stringValue)
            #expect(response.cryptogram.reveal() == json["authenticationData"]?.stringValue)
        }
    }

    @Test("tells the transaction, the application data and whose key opened it")
    func binding() throws {
        let vector = try SyntheticVectors.vector("ec_application_data")
        let opened = try vector.opener().open(vector.token, at: vector.signingTime)
        let header = try #require(vector.paymentData()["header"])
        #expect(opened.transactionID == header["transactionId"]?.stringValue)
        #expect(opened.applicationDataHash == header["applicationData"]?.stringValue)
        let text = try #require(SyntheticVectors.entry("ec_application_data")["applicationData_utf8"]?.stringValue)
        #expect(opened.applicationDataHash == Hexadecimal.encode(MerchantIdentifierHash.of(text)))
        #expect(opened.merchantIdentifier == "merchant.test.example.marketplace")
        #expect(opened.isEncrypted(for: "merchant.test.example.marketplace"))
        #expect(!opened.isEncrypted(for: "merchant.test.example.market"))
        #expect(opened.payment.maskedNumber == "400000******0002")
        let single = try SyntheticVectors.vector("ec_single")
        #expect(try single.opener().open(single.token, at: single.signingTime).applicationDataHash == nil)
    }

    @Test("is refused today: the published signers have expired", arguments: ApplePayVector.published)
    func expiredToday(vector: ApplePayVector) {
        #expect(
            refusal { () throws(TokenRefusal) in
                try vector.opener().open(vector.token, at: ApplePayVector.today)
            } == "certificate_chain/not_valid_now"
        )
    }

    @Test("is refused today: the synthetic tokens were signed long ago", arguments: ApplePayVector.synthetic)
    func outsideToday(vector: ApplePayVector) throws {
        #expect(
            refusal { () throws(TokenRefusal) in
                try vector.opener().open(vector.token, at: ApplePayVector.today)
            } == "signing_time/outside_window"
        )
        _ = try vector.opener(windowMilliseconds: nil).open(vector.token, at: ApplePayVector.today)
    }

    @Test(
        "is taken five minutes before and after its signing time, and not a second more",
        arguments: ApplePayVector.all,
        [-301, -300, -240, 240, 300, 301] as [Int64]
    )
    func window(vector: ApplePayVector, seconds: Int64) {
        let refused = refusal { () throws(TokenRefusal) in
            try vector.opener().open(vector.token, at: vector.signingTime.adding(seconds: seconds))
        }
        #expect(refused == (abs(seconds) > 300 ? "signing_time/outside_window" : nil))
    }

    @Test(
        "is matched against the environment that is configured",
        arguments: ApplePayVector.published,
        [WalletAccess.ApplePay.Environment.production, .sandbox, .any]
    )
    func environment(vector: ApplePayVector, configured: WalletAccess.ApplePay.Environment) {
        let refused = refusal { () throws(TokenRefusal) in
            try vector.opener(environment: configured).open(vector.token, at: vector.signingTime)
        }
        let isAccepted = configured == .any || configured.rawValue == vector.environment.rawValue
        #expect(refused == (isAccepted ? nil : "certificate_chain/environment_mismatch"))
    }

    @Test(
        "refuses what should be refused, for the right stage",
        arguments: [
            ("bad_ciphertext_flipped", "signature/content_changed"),
            ("bad_transaction_id_swapped", "signature/content_changed"),
            ("bad_leaf_without_oid", "certificate_chain/missing_leaf_marker"),
            ("bad_signing_time_old", "signing_time/outside_window"),
        ]
    )
    func refused(name: String, expected: String) throws {
        let vector = try SyntheticVectors.vector(name)
        let refused = refusal { () throws(TokenRefusal) in
            try vector.opener().open(vector.token, at: vector.signingTime)
        }
        #expect(refused == expected)
    }

    @Test("refuses a published token whose data was tampered with")
    func tampered() throws {
        let token = try ApplePayVector.bytes("gala-2021-tampered-data/token.json")
        let vector = try #require(ApplePayVector.published.first { $0.name == "gala-2021-mastercard" })
        let refused = refusal { () throws(TokenRefusal) in try vector.opener().open(token, at: vector.signingTime) }
        #expect(refused == "structure/malformed_token")
    }

    @Test("verifies a published token whose merchant key is not, and decrypts it with its content key")
    func contentKey() throws {
        let bytes = try ApplePayVector.bytes("processout-2017-ec/token.json")
        let expected = try JSON.parse(ApplePayVector.bytes("processout-2017-ec/expected.json"))
        let time = Timestamp.seconds(of: try #require(expected["verification"]?["signing_time"]?.stringValue))
        let opener = ApplePayOpener(ring: ApplePayRing([]), roots: try AppleRoot.roots())
        let token = try ApplePayToken(TokenText.parse(bytes, depthLimit: ApplePayToken.depthLimit))
        #expect(try opener.verify(token, at: time).environment == .production)
        #expect(
            refusal { () throws(TokenRefusal) in try opener.open(bytes, at: time) } == "key_selection/unknown_key"
        )
        let key = try #require(expected["symmetric_key_hex"]?.stringValue.flatMap(Hexadecimal.decode))
        let plaintext = try #require(AESGCM.open(token.sealed, key: key, nonce: ApplePayDecryption.nonce))
        #expect(String(decoding: plaintext, as: UTF8.self) == expected["plaintext_utf8"]?.stringValue)
        #expect(try ApplePayPayload.read(plaintext).amount.currency.code == "EUR")
    }

    @Test("opens a token that an unknown shape does not hide", arguments: ApplePayVector.all)
    func shapes(vector: ApplePayVector) throws {
        let data = try vector.paymentData()
        let inner = JSON.object([.init("paymentData", data), .init("transactionIdentifier", "00")])
        let outer = JSON.object([.init("token", inner), .init("shippingContact", JSON.object([]))])
        let opener = vector.opener()
        let opened = try opener.open(data, at: vector.signingTime)
        for shape in [inner, outer] { #expect(try opener.open(shape, at: vector.signingTime) == opened) }
    }

    @Test("carries the root that Apple publishes, and the file in Config is the same")
    func root() throws {
        let root = try #require(AppleRoot.roots().certificates.first)
        #expect(root.der == (try ApplePayVector.bytes("roots/AppleRootCA-G3.cer")))
        #expect(root.commonName == "Apple Root CA - G3")
    }
}
