import AdapterKit
import Foundation
import PSPSimulator
import StrictJSON
import Synchronization
import Testing
import WireFormats

/// Speaks Access Worldpay's Payments API (docs.worldpay.com/access/products/payments, version 2024-06-01).
struct WorldpayDriver: TwinDriver {
    static let secrets = (
        right: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        wrong: "10112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    )
    static let hasKeys = false
    static let worksLater = true

    let account = "shop"
    let client: RawClient
    let links = WorldpayLinks()
    var credentials = "access_key_shop:secret"
    var version = "2024-06-01"

    init(_ client: RawClient) {
        var client = client
        client.key = ""
        self.client = client
    }

    private var authorization: String { "Authorization: Basic \(Data(credentials.utf8).base64EncodedString())" }

    /// Posts JSON, or nothing, to a path of the Payments API.
    func post(_ path: String, _ body: JSON?) async throws -> RawReply {
        let type = body == nil ? [] : ["Content-Type: application/json"]
        return try await client.send(
            "POST",
            path,
            headers: [authorization, "WP-Api-Version: \(version)", "Accept: application/json"] + type,
            body: body?.text ?? ""
        )
    }

    /// Reads a path of the Payments API.
    func get(_ path: String) async throws -> RawReply {
        try await client.send("GET", path, headers: [authorization, "WP-Api-Version: \(version)"])
    }

    /// Asks Payment Queries.
    func query(_ path: String) async throws -> RawReply {
        let type = "Accept: application/vnd.worldpay.payment-queries-v1.hal+json"
        return try await client.send("GET", "/paymentQueries/payments" + path, headers: [authorization, type])
    }

    /// Follows a link of Card Payments, as Payment Queries gives it.
    func followCard(
        _ name: String,
        _ payment: String,
        _ body: JSON? = nil,
        method: String = "POST",
        type: String = "application/vnd.worldpay.payments-v7+json"
    ) async throws -> RawReply {
        try await client.send(
            method,
            links.path(name, of: payment),
            headers: [authorization, "Content-Type: \(type)", "Accept: application/vnd.worldpay.payments-v7+json"],
            body: body?.text ?? ""
        )
    }

    /// The body of a payment.
    static func payment(
        _ instrument: JSON,
        method: String = "card",
        reference: String = "att_1",
        amount: Int64 = 1000,
        capture: Bool = false,
        takesPart: Bool = false
    ) -> JSON {
        var value: [JSON.Member] = [.init("currency", "USD"), .init("amount", .integer(amount))]
        if takesPart { value.append(.init("acceptPartialAmount", true)) }
        return [
            "transactionReference": .string(reference), "merchant": ["entity": "default"], "channel": "ecom",
            "instruction": [
                "method": .string(method), "paymentInstrument": instrument, "narrative": ["line1": "Shop 1"],
                "value": .object(value), "settlement": ["auto": .bool(capture)],
            ],
        ]
    }

    /// A stored token, by its link.
    static func token(_ token: String) -> JSON {
        ["type": "token", "href": .string("https://try.access.worldpay.com/tokens/" + token)]
    }

    /// A wallet's number and cryptogram.
    static func decrypted(_ number: String) -> JSON {
        [
            "type": "decrypted", "number": .string(number), "expiryDate": ["month": 12, "year": 2031],
            "cryptogram": "MAAAAAAAAAAAAAAAAAAAAAAAAAB=", "eci": "07",
        ]
    }

    /// Apple Pay's encrypted data that stands for a token.
    static func encrypted(_ token: String) -> JSON {
        let wallet: JSON = ["version": "EC_v1", "data": .string(Data(token.utf8).base64EncodedString())]
        return ["type": "encrypted", "walletToken": .string(wallet.text)]
    }

    func place(
        _ credential: TwinCredential,
        reference: String,
        amount: Int64,
        capture: Bool
    ) async throws -> TwinAnswer? {
        let (instrument, method) =
            switch credential {
            case .token(let token): (Self.token(token), "card")
            case .number(let number): (Self.decrypted(number), "applepay")
            case .wallet(let token): (Self.encrypted(token), "applepay")
            }
        let body = Self.payment(instrument, method: method, reference: reference, amount: amount, capture: capture)
        return answer(try await post("/api/payments", body), to: nil)
    }

    func capture(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        let body = Self.part(amount, reference, [JSON.Member("sequence", ["number": 1, "total": 1])])
        return try await follow("partiallySettlePayment", payment, body)
    }

    func void(_ payment: String, reference: String) async throws -> TwinAnswer {
        try await follow("cancelPayment", payment)
    }

    func refund(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        try await follow("partiallyRefundPayment", payment, Self.part(amount, reference))
    }

    /// Follows a link of the Payments API.
    func follow(_ name: String, _ payment: String, _ body: JSON? = nil) async throws -> TwinAnswer {
        answer(try await post(links.path(name, of: payment), body), to: payment)
    }

    /// The body of a settlement or refund in part.
    static func part(_ amount: Int64, _ reference: String, _ more: [JSON.Member] = []) -> JSON {
        .object(
            [
                JSON.Member("reference", .string(reference)),
                JSON.Member("value", ["currency": "USD", "amount": .integer(amount)]),
            ] + more
        )
    }

    func find(reference: String) async throws -> TwinAnswer? {
        let reply = try await query("?transactionReference=\(reference)")
        guard reply.status == 200, let found = reply.json?["_embedded"]?["payments"]?.arrayValue else {
            return TwinAnswer(word: .unknown, payment: nil, reply: reply)
        }
        let word: TwinAnswer.Word =
            switch found.first?["lastEvent"]?.stringValue {
            case nil: .nothing
            case "authorizationSucceeded": .authorized
            case "settlementRequestSubmitted": .captured
            default: .unknown
            }
        return TwinAnswer(word: word, payment: found.first?["paymentId"]?.stringValue, reply: reply)
    }

    func intrude() async throws -> TwinAnswer {
        var stranger = self
        stranger.credentials = "access_key_shop:invalid"
        let body = Self.payment(Self.token("tok_approve"))
        return stranger.answer(try await stranger.post("/api/payments", body), to: nil)
    }

    func isSigned(_ incoming: IncomingWebhook, with secret: String) throws -> Bool {
        let key = try #require(Hexadecimal.decode(secret).flatMap(SigningKey.init(bytes:)))
        let header = try #require(incoming.headers.first { $0.name.lowercased() == "event-signature" }?.value)
        let code = key.code(of: incoming.body)
        return header.split(separator: ",").contains { signature in
            let parts = signature.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 3 && Int(parts[0]) != nil && parts[1] == "SHA256"
                && Hexadecimal.decode(String(parts[2])) == code
        }
    }

    func words(_ incoming: IncomingWebhook) throws -> String {
        let details = try #require(try JSON.parse(incoming.body)["eventDetails"])
        let amount = details["amount"]?["value"]?.integerValue.map { " \($0)" } ?? ""
        return (details["type"]?.stringValue ?? "") + amount
    }

    private func answer(_ reply: RawReply, to payment: String?) -> TwinAnswer {
        guard let status = reply.status, status < 500, let json = reply.json else {
            return TwinAnswer(word: .unknown, payment: payment, reply: reply)
        }
        let payment = payment ?? json["paymentId"]?.stringValue
        if let payment { links.remember(json, of: payment) }
        return TwinAnswer(
            word: Self.word(json, isSale: reply.text.contains("authorizationCode")),
            payment: payment,
            reply: reply
        )
    }

    private static func word(_ json: JSON, isSale: Bool) -> TwinAnswer.Word {
        if let name = json["errorName"]?.stringValue {
            return .refused(json["validationErrors"]?[0]?["errorName"]?.stringValue ?? name)
        }
        let outcome = json["outcome"]?.stringValue ?? ""
        return switch outcome {
        case "authorized": .authorized
        case "refused": .declined(json["refusalCode"]?.stringValue ?? "")
        case "fraudHighRisk", "3dsAuthenticationFailed": .declined(outcome)
        case "3dsDeviceDataRequired", "3dsChallenged": .action
        case "sentForSettlement" where isSale: .captured
        case let outcome where outcome.hasPrefix("sentFor"): .pending
        default: .unknown
        }
    }
}

/// The links that answers have led to so far, by the payment and the name of the link.
final class WorldpayLinks: Sendable {
    private let links = Mutex<[String: [String: String]]>([:])

    /// Remembers every link of an answer.
    func remember(_ json: JSON, of payment: String) {
        for name in ["_links", "_actions"] {
            for member in json[name]?.objectValue ?? [] {
                guard let href = member.value["href"]?.stringValue else { continue }
                links.withLock { $0[payment, default: [:]][member.key] = href }
            }
        }
    }

    /// The path that a link of the payment leads to; one that leads nowhere if there is none.
    func path(_ name: String, of payment: String) -> String {
        let href = links.withLock { $0[payment]?[name] } ?? "http://127.0.0.1/api/payments/none/\(name)"
        let afterScheme = href.firstRange(of: "://").map { href[$0.upperBound...] } ?? href[...]
        return String(afterScheme.drop { $0 != "/" })
    }
}
