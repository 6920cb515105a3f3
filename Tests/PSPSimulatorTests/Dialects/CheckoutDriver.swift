import AdapterKit
import PSPSimulator
import StrictJSON
import Testing
import WireFormats

/// Speaks Checkout.com's Unified Payments API (api-reference.checkout.com).
struct CheckoutDriver: TwinDriver {
    static let secrets = (right: "cko_secret", wrong: "cko_Secret")
    static let hasKeys = true
    static let worksLater = true

    let account = "shop"
    let client: RawClient
    var secretKey = "sk_sbox_key_shop"

    init(_ client: RawClient) {
        var client = client
        client.key = ""
        self.client = client
    }

    /// Sends a request with the secret key, or another one.
    func send(
        _ method: String,
        _ path: String,
        key: String? = nil,
        _ body: JSON? = nil,
        bearer: String? = nil
    ) async throws -> RawReply {
        try await client.send(
            method,
            path,
            headers: ["Authorization: Bearer \(bearer ?? secretKey)", "Content-Type: application/json"]
                + (key.map { ["Cko-Idempotency-Key: key-\($0)"] } ?? []),
            body: body?.text ?? ""
        )
    }

    /// The body of a payment of 1000 USD.
    static func payment(
        _ source: JSON,
        reference: String = "att_1",
        amount: Int64 = 1000,
        capture: Bool = false,
        _ more: [JSON.Member] = []
    ) -> JSON {
        .object(
            [
                JSON.Member("source", source), JSON.Member("amount", .integer(amount)),
                JSON.Member("currency", "USD"), JSON.Member("reference", .string(reference)),
                JSON.Member("capture", .bool(capture)),
                JSON.Member("processing_channel_id", "pc_hpswyyx23geezflc2ocz3exn4y"),
            ] + more
        )
    }

    /// A token as a source.
    static func token(_ token: String) -> JSON { ["type": "token", "token": .string(token)] }

    /// A network token as a source.
    static func networkToken(_ number: String) -> JSON {
        [
            "type": "network_token", "token": .string(number), "token_type": "applepay", "expiry_month": 12,
            "expiry_year": 2031, "cryptogram": "AgAAAAAAAIR8CQrXcIhbQAAAAAA=", "eci": "05",
        ]
    }

    /// Apple Pay's encrypted data as `POST /tokens` takes it.
    static func wallet(_ token: String) -> JSON {
        [
            "type": "applepay",
            "token_data": [
                "version": "EC_v1", "data": .string(Base64.encode(Array(token.utf8))), "signature": "MIAGCSqGSIb3",
                "header": [
                    "ephemeralPublicKey": "MFkwEwYHKoZIzj0CAQYI", "publicKeyHash": "tqYV+tmG9aMh+l",
                    "transactionId": "3cee89679130a4",
                ],
            ],
        ]
    }

    func place(
        _ credential: TwinCredential,
        reference: String,
        amount: Int64,
        capture: Bool
    ) async throws -> TwinAnswer? {
        let source: JSON
        switch credential {
        case .token(let token): source = Self.token(token)
        case .number(let number): source = Self.networkToken(number)
        case .wallet(let token):
            let made = try await send("POST", "/tokens", Self.wallet(token), bearer: "pk_sbox_key_shop")
            source = Self.token(try #require(made.json?["token"]?.stringValue))
        }
        let body = Self.payment(source, reference: reference, amount: amount, capture: capture)
        return answer(try await send("POST", "/payments", key: reference, body), to: nil)
    }

    func capture(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        try await act("captures", payment, amount: amount, reference: reference)
    }

    func void(_ payment: String, reference: String) async throws -> TwinAnswer {
        try await act("voids", payment, reference: reference)
    }

    func refund(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        try await act("refunds", payment, amount: amount, reference: reference)
    }

    /// Does something to a payment.
    func act(
        _ word: String,
        _ payment: String,
        amount: Int64? = nil,
        reference: String,
        _ more: [JSON.Member] = []
    ) async throws -> TwinAnswer {
        let members =
            [JSON.Member("reference", .string(reference))]
            + (amount.map { [JSON.Member("amount", .integer($0))] } ?? []) + more
        return answer(
            try await send("POST", "/payments/\(payment)/\(word)", key: reference, .object(members)),
            to: payment
        )
    }

    func find(reference: String) async throws -> TwinAnswer? {
        let reply = try await send("GET", "/payments?reference=\(reference)&limit=1")
        guard reply.status == 200, let data = reply.json?["data"]?.arrayValue else {
            return TwinAnswer(word: .unknown, payment: nil, reply: reply)
        }
        guard let found = data.first else { return TwinAnswer(word: .nothing, payment: nil, reply: reply) }
        return TwinAnswer(word: word(of: found), payment: found["id"]?.stringValue, reply: reply)
    }

    func intrude() async throws -> TwinAnswer {
        var stranger = self
        stranger.secretKey = "sk_sbox_invalid"
        let body = Self.payment(Self.token("tok_approve"))
        return stranger.answer(try await stranger.send("POST", "/payments", body), to: nil)
    }

    func isSigned(_ incoming: IncomingWebhook, with secret: String) throws -> Bool {
        let key = try #require(SigningKey(bytes: Array(secret.utf8)))
        let signature = try #require(incoming.headers.first { $0.name.lowercased() == "cko-signature" }?.value)
        return signature == Hexadecimal.encode(key.code(of: incoming.body))
    }

    func words(_ incoming: IncomingWebhook) throws -> String {
        let event = try JSON.parse(incoming.body)
        let type = event["type"]?.stringValue ?? ""
        let amount = event["data"]?["amount"]?.integerValue ?? 0
        return ([type, "\(amount)"] + [event["data"]?["response_code"]?.stringValue].compactMap { $0 })
            .joined(separator: " ")
    }

    private func answer(_ reply: RawReply, to payment: String?) -> TwinAnswer {
        guard let status = reply.status, status < 500 else {
            return TwinAnswer(word: .unknown, payment: payment, reply: reply)
        }
        if status >= 400 {
            let code = reply.json?["error_codes"]?[0]?.stringValue ?? "\(status)"
            return TwinAnswer(word: .refused(code), payment: payment, reply: reply)
        }
        guard let json = reply.json else { return TwinAnswer(word: .unknown, payment: payment, reply: reply) }
        if let payment {
            let isDone = json["action_id"] != nil
            return TwinAnswer(word: isDone ? .pending : .unknown, payment: payment, reply: reply)
        }
        return TwinAnswer(word: word(of: json), payment: json["id"]?.stringValue, reply: reply)
    }

    private func word(of payment: JSON) -> TwinAnswer.Word {
        switch payment["status"]?.stringValue {
        case "Authorized": .authorized
        case "Captured", "Partially Captured": .captured
        case "Voided": .voided
        case "Refunded", "Partially Refunded": .refunded
        case "Pending": payment["_links"]?["redirect"] == nil ? .pending : .action
        case "Declined" where payment["approved"] == false:
            .declined(payment["response_code"]?.stringValue ?? "")
        default: .unknown
        }
    }
}
