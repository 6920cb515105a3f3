import AdapterKit
import Foundation
import PSPSimulator
import StrictJSON
import Testing
import WireFormats

/// Speaks Stripe's API v1 (docs.stripe.com/api, version 2026-05-27).
struct StripeDriver: TwinDriver {
    static let secrets = (right: "whsec_right", wrong: "whsec_wrong")
    static let hasKeys = true
    static let worksLater = false

    let account = "shop"
    var client: RawClient

    init(_ client: RawClient) {
        self.client = client
        self.client.key = "sk_test_key_shop"
    }

    /// What every payment of the tests is sent with, but for what pays.
    static func fields(_ reference: String, _ amount: Int64, capture: Bool) -> [(String, String)] {
        [
            ("amount", "\(amount)"), ("currency", "usd"), ("confirm", "true"),
            ("capture_method", capture ? "automatic" : "manual"), ("payment_method_types[0]", "card"),
            ("metadata[attempt]", reference),
        ]
    }

    /// What pays, as a token.
    static func token(_ token: String) -> [(String, String)] {
        [("payment_method_data[type]", "card"), ("payment_method_data[card][token]", token)]
    }

    /// A network token, as a wallet's opened data gives it.
    static func networkToken(_ number: String) -> [(String, String)] {
        let data = "payment_method_data[card][network_token]"
        let options = "payment_method_options[card][network_token]"
        return [
            ("payment_method_data[type]", "card"), ("\(data)[number]", number), ("\(data)[exp_month]", "12"),
            ("\(data)[exp_year]", "2031"), ("\(data)[tokenization_method]", "apple_pay"),
            ("\(options)[cryptogram]", "AgAAAAAABk4DWZ4C28yUQAAAAAA="),
            ("\(options)[electronic_commerce_indicator]", "07"),
        ]
    }

    /// Posts a form, under a key that follows from `key`.
    func post(
        _ path: String,
        key: String?,
        _ fields: [(String, String)],
        headers: [String] = []
    ) async throws -> RawReply {
        var form = FormFields()
        for (name, value) in fields { form.append(name, value) }
        return try await client.send(
            "POST",
            path,
            headers: headers + ["Content-Type: application/x-www-form-urlencoded"]
                + (key.map { ["Idempotency-Key: key-\($0)"] } ?? []),
            body: form.encoded
        )
    }

    func place(
        _ credential: TwinCredential,
        reference: String,
        amount: Int64,
        capture: Bool
    ) async throws -> TwinAnswer? {
        var fields = Self.fields(reference, amount, capture: capture)
        switch credential {
        case .token(let token): fields += Self.token(token)
        case .number(let number): fields += Self.networkToken(number)
        case .wallet(let token):
            let wallet: JSON = [
                "version": "EC_v1", "data": .string(Data(token.utf8).base64EncodedString()), "signature": "MIAG",
                "header": ["ephemeralPublicKey": "MFkw", "publicKeyHash": "aGFzaA==", "transactionId": "00"],
            ]
            let made = try await post("/v1/tokens", key: "token-\(reference)", [("pk_token", wallet.text)])
            fields += Self.token(try #require(made.json?["id"]?.stringValue))
        }
        return answer(try await post("/v1/payment_intents", key: reference, fields))
    }

    func capture(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        let fields = [("amount_to_capture", "\(amount)"), ("metadata[operation]", reference)]
        return answer(try await post("/v1/payment_intents/\(payment)/capture", key: reference, fields))
    }

    func void(_ payment: String, reference: String) async throws -> TwinAnswer {
        answer(try await post("/v1/payment_intents/\(payment)/cancel", key: reference, []))
    }

    func refund(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        let fields = [("payment_intent", payment), ("amount", "\(amount)"), ("metadata[operation]", reference)]
        return answer(try await post("/v1/refunds", key: reference, fields))
    }

    func find(reference: String) async throws -> TwinAnswer? {
        let query = FormFields.percentEncoded("metadata['attempt']:'\(reference)'")
        let reply = try await client.get("/v1/payment_intents/search?query=\(query)")
        guard reply.status == 200, let data = reply.json?["data"]?.arrayValue else { return answer(reply) }
        guard let first = data.first else { return TwinAnswer(word: .nothing, payment: nil, reply: reply) }
        return TwinAnswer(word: Self.word(first), payment: first["id"]?.stringValue, reply: reply)
    }

    func intrude() async throws -> TwinAnswer {
        var stranger = self
        stranger.client.key = "sk_test_invalid"
        return stranger.answer(try await stranger.client.get("/v1/payment_intents"))
    }

    func isSigned(_ incoming: IncomingWebhook, with secret: String) throws -> Bool {
        let header = try #require(incoming.header("Stripe-Signature"))
        let parts = header.split(separator: ",")
        let time = try #require(parts.first { $0.hasPrefix("t=") }).dropFirst(2)
        let code = try #require(parts.first { $0.hasPrefix("v1=") }).dropFirst(3)
        let key = try #require(SigningKey(bytes: Array(secret.utf8)))
        let expected = key.code(of: Array("\(time).".utf8) + incoming.body)
        return Hexadecimal.decode(code) == expected
    }

    func words(_ incoming: IncomingWebhook) throws -> String {
        let event = try JSON.parse(incoming.body)
        let object = try #require(event["data"]?["object"])
        return "\(event["type"]?.stringValue ?? "") \(object["status"]?.stringValue ?? "")"
    }

    /// What a reply says.
    func answer(_ reply: RawReply) -> TwinAnswer {
        guard let status = reply.status, status < 500, let json = reply.json else {
            return TwinAnswer(word: .unknown, payment: nil, reply: reply)
        }
        if let error = json["error"] {
            let code = (error["decline_code"] ?? error["code"] ?? error["type"])?.stringValue ?? ""
            let payment = error["payment_intent"]?["id"]?.stringValue
            let word: TwinAnswer.Word =
                status == 402
                ? .declined(code) : code == "resource_missing" && status == 404 ? .nothing : .refused(code)
            return TwinAnswer(word: word, payment: payment, reply: reply)
        }
        let payment = json["object"] == "refund" ? json["payment_intent"] : json["id"]
        return TwinAnswer(word: Self.word(json), payment: payment?.stringValue, reply: reply)
    }

    private static func word(_ object: JSON) -> TwinAnswer.Word {
        switch (object["object"]?.stringValue, object["status"]?.stringValue) {
        case ("payment_intent", "requires_capture"): .authorized
        case ("payment_intent", "succeeded"): .captured
        case ("payment_intent", "canceled"): .voided
        case ("payment_intent", "processing"), ("refund", "pending"): .pending
        case ("payment_intent", "requires_action"): .action
        case ("refund", "succeeded"): .refunded
        default: .unknown
        }
    }
}
