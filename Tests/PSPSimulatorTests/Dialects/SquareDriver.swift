import AdapterKit
import PSPSimulator
import StrictJSON
import Testing
import WireFormats

/// Speaks Square's Payments and Refunds APIs (developer.squareup.com/reference/square, version 2025-08-20).
struct SquareDriver: TwinDriver {
    static let secrets = (right: "Ibxx_5AKakO-3qeNVR61Dw", wrong: "MCmhFRxGX82xMwg5FsaoQA")
    static let hasKeys = true
    static let worksLater = false

    let account = "shop"
    var client: RawClient

    init(_ client: RawClient) {
        self.client = client
        self.client.key = "EAAAl_key_shop"
    }

    /// Sends JSON; nothing at all without a body.
    func send(_ method: String, _ path: String, _ body: JSON?) async throws -> RawReply {
        let text = body?.text ?? ""
        return try await client.send(
            method,
            path,
            headers: ["Square-Version: 2025-08-20", "Content-Type: application/json"]
                + (method == "PUT" ? ["Content-Length: \(text.utf8.count)"] : []),
            body: text
        )
    }

    /// The body of a payment of 1000 USD.
    static func payment(
        _ source: String,
        reference: String = "att_1",
        amount: Int64 = 1000,
        capture: Bool = false,
        _ more: [JSON.Member] = []
    ) -> JSON {
        .object(
            [
                JSON.Member("source_id", .string(source)), JSON.Member("idempotency_key", .string("key-\(reference)")),
                JSON.Member("amount_money", money(amount)), JSON.Member("autocomplete", .bool(capture)),
                JSON.Member("reference_id", .string(reference)), JSON.Member("location_id", "L1"),
            ].filter { usual in !more.contains { $0.key == usual.key } } + more
        )
    }

    /// An amount of USD.
    static func money(_ amount: Int64) -> JSON { ["amount": .integer(amount), "currency": "USD"] }

    /// Makes a payment.
    func create(_ body: JSON) async throws -> TwinAnswer { answer(try await send("POST", "/v2/payments", body)) }

    func place(
        _ credential: TwinCredential,
        reference: String,
        amount: Int64,
        capture: Bool
    ) async throws -> TwinAnswer? {
        guard case .token(let token) = credential else { return nil }
        let body = Self.payment("cnon:\(token)", reference: reference, amount: amount, capture: capture)
        return try await create(body)
    }

    /// Changes the amount if it is another one, and completes; asks first, as a completion has no key.
    func capture(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        var known = try await client.get("/v2/payments/\(payment)")
        guard known.json?["payment"]?["status"] == "APPROVED" else { return answer(known) }
        if known.json?["payment"]?["total_money"] != Self.money(amount) {
            known = try await update(payment, to: amount, key: reference, version: known.version)
            guard known.status == 200 else { return answer(known) }
        }
        let body: JSON = .object(omittingAbsent: ["version_token": known.version.map(JSON.string)])
        return answer(try await send("POST", "/v2/payments/\(payment)/complete", body))
    }

    /// Changes the amount of a payment.
    func update(_ payment: String, to amount: Int64, key: String, version: String? = nil) async throws -> RawReply {
        let changed: JSON = .object(omittingAbsent: [
            "amount_money": Self.money(amount), "version_token": version.map(JSON.string),
        ])
        let body: JSON = ["idempotency_key": .string("key-\(key)"), "payment": changed]
        return try await send("PUT", "/v2/payments/\(payment)", body)
    }

    func void(_ payment: String, reference: String) async throws -> TwinAnswer {
        answer(try await send("POST", "/v2/payments/\(payment)/cancel", nil))
    }

    /// The body of a refund.
    static func refund(_ payment: String, amount: Int64, reference: String, _ more: [JSON.Member] = []) -> JSON {
        .object(
            [
                JSON.Member("idempotency_key", .string("key-\(reference)")),
                JSON.Member("payment_id", .string(payment)), JSON.Member("amount_money", money(amount)),
            ].filter { usual in !more.contains { $0.key == usual.key } } + more
        )
    }

    /// Refunds, and asks until it is done.
    func refund(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        var reply = try await send("POST", "/v2/refunds", Self.refund(payment, amount: amount, reference: reference))
        while let id = reply.json?["refund"]?["id"]?.stringValue, reply.json?["refund"]?["status"] == "PENDING" {
            try await Task.sleep(for: .milliseconds(5))
            reply = try await client.get("/v2/refunds/\(id)")
        }
        return answer(reply)
    }

    /// Looks through the payments of the location: there is no search by the caller's reference.
    func find(reference: String) async throws -> TwinAnswer? {
        let reply = try await client.get("/v2/payments?location_id=L1&begin_time=2026-01-01T00:00:00Z")
        guard reply.status == 200, let json = reply.json else { return answer(reply) }
        let found = json["payments"]?.arrayValue?.first { $0["reference_id"] == .string(reference) }
        guard let found else { return TwinAnswer(word: .nothing, payment: nil, reply: reply) }
        return TwinAnswer(word: Self.word(found, isRefund: false), payment: found["id"]?.stringValue, reply: reply)
    }

    func intrude() async throws -> TwinAnswer {
        var stranger = self
        stranger.client.key = "EAAAl_invalid"
        return try await stranger.create(Self.payment("cnon:card-nonce-ok"))
    }

    func isSigned(_ incoming: IncomingWebhook, with secret: String) throws -> Bool {
        let signature = try #require(incoming.header("x-square-hmacsha256-signature"))
        let key = try #require(SigningKey(bytes: Array(secret.utf8)))
        let expected = key.code(of: Array(incoming.url.utf8) + incoming.body)
        return Base64.decode(signature) == expected
    }

    func words(_ incoming: IncomingWebhook) throws -> String {
        let event = try JSON.parse(incoming.body)
        let data = try #require(event["data"])
        let object = try #require(data["object"]?[data["type"]?.stringValue ?? ""])
        try #require(object["id"] == data["id"])
        let state = (object["status"] ?? object["state"])?.stringValue ?? ""
        let amount = (object["total_money"] ?? object["amount_money"])?["amount"]?.integerValue ?? 0
        return "\(event["type"]?.stringValue ?? "") \(state) \(amount)"
    }

    /// What a reply says.
    func answer(_ reply: RawReply) -> TwinAnswer {
        guard let status = reply.status, status < 500, let json = reply.json else {
            return TwinAnswer(word: .unknown, payment: nil, reply: reply)
        }
        let payment = json["payment"]?["id"]?.stringValue
        if let error = json["errors"]?[0] {
            let code = error["code"]?.stringValue ?? ""
            let isNothing = code == "NOT_FOUND" && error["field"] == nil
            let isDeclined = error["category"] == "PAYMENT_METHOD_ERROR" && error["field"] == nil
            let word: TwinAnswer.Word = isDeclined ? .declined(code) : isNothing ? .nothing : .refused(code)
            return TwinAnswer(word: word, payment: payment, reply: reply)
        }
        let object = json["payment"] ?? json["refund"] ?? .null
        let word = Self.word(object, isRefund: json["refund"] != nil)
        return TwinAnswer(word: word, payment: payment ?? object["payment_id"]?.stringValue, reply: reply)
    }

    private static func word(_ object: JSON, isRefund: Bool) -> TwinAnswer.Word {
        switch object["status"]?.stringValue {
        case "APPROVED": .authorized
        case "COMPLETED": isRefund ? .refunded : .captured
        case "CANCELED": .voided
        case "PENDING": .pending
        default: .unknown
        }
    }
}

extension RawReply {
    /// The version of the payment that it shows.
    fileprivate var version: String? { json?["payment"]?["version_token"]?.stringValue }
}

/// Runs `body` against a simulator that speaks Square.
func withSquare(_ body: (SquareDriver, RunningSimulator) async throws -> Void) async throws {
    try await withSimulator(dialect: .square) { simulator, client in
        try await body(SquareDriver(client), simulator)
        #expect(await simulator.read { books, _ in books.violations } == [])
    }
}

extension RawReply {
    /// The code of the first error.
    var squareCode: String? { json?["errors"]?[0]?["code"]?.stringValue }

    /// The payment that it shows.
    var squarePayment: JSON? { json?["payment"] }
}
