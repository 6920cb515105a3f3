import Domain
import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A wallet token is refused", .timeLimit(.minutes(10)))
struct WalletRefusalTests {
    private static let path = "/v1/orders"

    /// What is wrong with a token or with the order it stands on.
    enum Fault: String, CaseIterable, Sendable {
        case otherAmount = "token_amount_mismatch"
        case otherCurrency = "currency is token_amount_mismatch"
        case otherKey = "unknown_key"
        case otherMerchant = "token_merchant_mismatch"
        case stale = "outside_window"
        case forged = "data is forged"
        case bundleOnOneContext = "multi_merchant_token_on_one_context"
        case responsesOfOtherAmounts = "authentication_amounts_mismatch"
        case emv = "emv_not_supported"
        case emvBundle = "bundle is emv_not_supported"
        case oneMerchantsOverTwo = "credential_covers_one_context"
        case foreignGooglePay = "google_pay_not_configured"
    }

    @Test("for its own reason, with nothing stored, no PSP called and its key still free", arguments: Fault.allCases)
    func refusal(_ fault: Fault) async throws {
        try await WalletStage.with(.sqlite) { stage in
            let client = try await stage.api.client("checkout")
            let reply = try await client.post(Self.path, try await Self.body(fault, stage), key: "key")
            #expect(reply.status == 422, "\(reply)")
            let code = reply.json.at("errors/0/code")?.stringValue
            if fault == .forged {
                #expect(code != nil)
            } else {
                #expect(code.map { fault.rawValue.hasSuffix($0) } == true, "\(reply)")
            }
            #expect(await stage.api.psp.count(.authorize) == 0)
            #expect(try await client.get(Self.path).json["data"] == [])
            let free = try await client.post(Self.path, OrderBody.trip, key: "key")
            #expect(free.status == 201)
        }
    }

    private static func body(_ fault: Fault, _ stage: WalletStage) async throws -> JSON {
        let one: [(merchant: String, amount: Int64)] = [("airline", 30_000)]
        let two: [(merchant: String, amount: Int64)] = [("airline", 30_000), ("hotel", 20_000)]
        switch fault {
        case .otherAmount:
            return WalletStage.order(one, token: try stage.token(TestApplePayment(amount: 29_999)))
        case .otherCurrency:
            var payment = TestApplePayment(amount: 30_000)
            payment.currencyCode = "978"
            return WalletStage.order(one, token: try stage.token(payment))
        case .otherKey:
            let stranger = try TestWallet(merchantIdentifier: WalletStage.agency, pki: stage.device.pki)
            let token = try stranger.token(TestApplePayment(amount: 30_000), signedAt: stage.api.clock.now())
            return WalletStage.order(one, token: token)
        case .otherMerchant:
            try await stage.name(["airline": "merchant.airline"])
            return WalletStage.order(one, token: try stage.token(TestApplePayment(amount: 30_000)))
        case .stale:
            let before = stage.api.clock.now().adding(milliseconds: -400_000)
            let token = try stage.device.token(TestApplePayment(amount: 30_000), signedAt: before)
            return WalletStage.order(one, token: token)
        case .forged:
            let token = try stage.token(TestApplePayment(amount: 30_000))
            let data = try #require(token.at("paymentData/data")?.stringValue)
            let forged = (data.hasPrefix("A") ? "B" : "A") + data.dropFirst()
            return WalletStage.order(one, token: token.with("paymentData/data", .string(forged)))
        case .bundleOnOneContext:
            let bundle = TestApplePayment(amount: 30_000, responses: [WalletStage.response("airline", 30_000)])
            return WalletStage.order(one, token: try stage.token(bundle))
        case .responsesOfOtherAmounts:
            let bundle = TestApplePayment(
                amount: 50_000,
                responses: [WalletStage.response("airline", 25_000), WalletStage.response("hotel", 25_000)]
            )
            return WalletStage.order(two, token: try stage.token(bundle))
        case .emv, .emvBundle:
            let responses = [WalletStage.response("airline", 30_000), WalletStage.response("hotel", 20_000)]
            var payment = TestApplePayment(
                amount: fault == .emv ? 30_000 : 50_000,
                responses: fault == .emv ? [] : responses
            )
            payment.isEMV = true
            return WalletStage.order(fault == .emv ? one : two, token: try stage.token(payment))
        case .oneMerchantsOverTwo:
            return WalletStage.order(two, token: try stage.token(TestApplePayment(amount: 50_000)))
        case .foreignGooglePay:
            return WalletStage.order(one, token: [:]).with("payment", ["type": "google_pay", "token": "{}"])
        }
    }
}
