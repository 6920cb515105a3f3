import AdapterKit
import Foundation
import PSPSimulator
import StrictJSON
import Testing
import WireFormats

/// Speaks Adyen's Checkout API (docs.adyen.com/api-explorer/Checkout/72).
struct AdyenDriver: TwinDriver {
    static let secrets = (
        right: "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
        wrong: "54782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"
    )
    static let hasKeys = true
    static let worksLater = true

    let account = "ShopCOM"
    let client: RawClient
    var apiKey = "AQE_key_shop"

    init(_ client: RawClient) {
        var client = client
        client.key = ""
        self.client = client
    }

    /// Posts JSON under a key that follows from `key`.
    func post(_ path: String, key: String?, _ body: JSON) async throws -> RawReply {
        try await client.send(
            "POST",
            "/v72" + path,
            headers: ["X-API-Key: \(apiKey)", "Content-Type: application/json"]
                + (key.map { ["Idempotency-Key: key-\($0)"] } ?? []),
            body: body.text
        )
    }

    /// The body of a payment of 1000 USD.
    static func payment(
        _ method: JSON,
        reference: String = "att_1",
        amount: Int64 = 1000,
        capture: Bool = false,
        _ more: [JSON.Member] = []
    ) -> JSON {
        .object(
            [
                JSON.Member("amount", ["value": .integer(amount), "currency": "USD"]),
                JSON.Member("merchantAccount", "ShopCOM"), JSON.Member("paymentMethod", method),
                JSON.Member("reference", .string(reference)), JSON.Member("returnUrl", "https://shop.example/back"),
            ] + (capture ? [] : [JSON.Member("additionalData", ["manualCapture": "true"])]) + more
        )
    }

    /// A token as a payment method.
    static func token(_ token: String) -> JSON { ["type": "scheme", "storedPaymentMethodId": .string(token)] }

    func place(
        _ credential: TwinCredential,
        reference: String,
        amount: Int64,
        capture: Bool
    ) async throws -> TwinAnswer? {
        var more: [JSON.Member] = []
        let method: JSON
        switch credential {
        case .token(let token): method = Self.token(token)
        case .number(let number):
            method = [
                "type": "scheme", "number": .string(number), "expiryMonth": "12", "expiryYear": "2031",
            ]
            more = [
                JSON.Member(
                    "mpiData",
                    [
                        "authenticationResponse": "Y", "directoryResponse": "Y",
                        "cavv": "AgAAAAAABk4DWZ4C28yUQAAAAAA=", "eci": "07",
                    ]
                )
            ]
        case .wallet(let token):
            let wallet: JSON = ["version": "EC_v1", "data": .string(Data(token.utf8).base64EncodedString())]
            method = [
                "type": "applepay", "applePayToken": .string(Data(wallet.bytes).base64EncodedString()),
            ]
        }
        let body = Self.payment(method, reference: reference, amount: amount, capture: capture, more)
        return answer(try await post("/payments", key: reference, body), to: nil)
    }

    func capture(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        try await change("captures", payment, amount: amount, reference: reference)
    }

    func void(_ payment: String, reference: String) async throws -> TwinAnswer {
        try await change("cancels", payment, amount: nil, reference: reference)
    }

    func refund(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        try await change("refunds", payment, amount: amount, reference: reference)
    }

    /// Changes a payment by its `pspReference`.
    func change(_ word: String, _ payment: String, amount: Int64?, reference: String) async throws -> TwinAnswer {
        let body: JSON = .object(omittingAbsent: [
            "merchantAccount": "ShopCOM", "reference": .string(reference),
            "amount": amount.map { ["value": .integer($0), "currency": "USD"] },
        ])
        return answer(try await post("/payments/\(payment)/\(word)", key: reference, body), to: payment)
    }

    func find(reference: String) async throws -> TwinAnswer? { nil }

    func intrude() async throws -> TwinAnswer {
        var stranger = self
        stranger.apiKey = "AQE_invalid"
        let body = Self.payment(Self.token("tok_approve"))
        return stranger.answer(try await stranger.post("/payments", key: nil, body), to: nil)
    }

    func isSigned(_ incoming: IncomingWebhook, with secret: String) throws -> Bool {
        let item = try item(incoming)
        let names = ["pspReference", "originalReference", "merchantAccountCode", "merchantReference"]
        let value = item["amount"]?["value"]?.integerValue.map { String($0) } ?? ""
        let fields =
            names.map { item[$0]?.stringValue ?? "" } + [value, item["amount"]?["currency"]?.stringValue ?? ""]
            + ["eventCode", "success"].map { item[$0]?.stringValue ?? "" }
        let key = try #require(Hexadecimal.decode(secret).flatMap(SigningKey.init(bytes:)))
        let signature = try #require(item["additionalData"]?["hmacSignature"]?.stringValue)
        return Base64.decode(signature) == key.code(of: Array(fields.joined(separator: ":").utf8))
    }

    func words(_ incoming: IncomingWebhook) throws -> String {
        let item = try item(incoming)
        let amount = item["amount"]?["value"]?.integerValue ?? 0
        return "\(item["eventCode"]?.stringValue ?? "") \(item["success"]?.stringValue ?? "") \(amount)"
    }

    /// The only item of a webhook.
    func item(_ incoming: IncomingWebhook) throws -> JSON {
        let items = try #require(try JSON.parse(incoming.body)["notificationItems"]?.arrayValue)
        try #require(items.count == 1)
        return try #require(items[0]["NotificationRequestItem"])
    }

    private func answer(_ reply: RawReply, to payment: String?) -> TwinAnswer {
        guard let status = reply.status, status < 500, let json = reply.json else {
            return TwinAnswer(word: .unknown, payment: payment, reply: reply)
        }
        if let code = json["errorCode"]?.stringValue {
            return TwinAnswer(word: .refused(code), payment: payment, reply: reply)
        }
        let word: TwinAnswer.Word =
            switch json["resultCode"]?.stringValue ?? json["status"]?.stringValue {
            case "Authorised": .authorized
            case "Refused": .declined(json["refusalReasonCode"]?.stringValue ?? "")
            case "received", "Pending": .pending
            case "RedirectShopper": .action
            default: .unknown
            }
        return TwinAnswer(word: word, payment: payment ?? json["pspReference"]?.stringValue, reply: reply)
    }
}
