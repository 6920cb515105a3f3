import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing

/// What Checkout.com's tests share: an account, names, and short ways to requests and outcomes.
enum CheckoutSample {
    static let payment = "pay_mbabizu24mvu3mela5njyhpit4"
    static let action = "act_gefycn3jcvuupboxfmqrhk2aym"
    static let operation = "op_01ka524mnpzx45hy43kwjrp1xp"
    static let publicKey = "pk_sample_public"
    static let ownEntity = "ent_platform3sec6urkmvnm7uw"

    /// The account, with more credentials, or without those whose value is nil.
    static func settings(_ more: [String: String?] = [:]) -> AdapterSettings {
        var settings = Sample.settings
        settings.credentials["public_key"] = Secret(publicKey)
        settings.credentials["entity_id"] = Secret(ownEntity)
        for (name, value) in more { settings.credentials[name] = value.map { Secret($0) } }
        return settings
    }

    static func request(
        _ call: Call,
        after exchanges: [Exchange] = [],
        settings: AdapterSettings = settings()
    ) throws -> WireRequest {
        let step = try CheckoutAdapter(settings: settings).next(for: call, after: exchanges)
        guard case .send(let request) = step else {
            Issue.record("nothing is sent: \(step)")
            throw SettingsError.missingCredential("request")
        }
        return request
    }

    static func outcome(
        of call: Call,
        after replies: [WireReply] = [],
        settings: AdapterSettings = settings()
    ) throws -> Outcome {
        let step = try CheckoutAdapter(settings: settings).next(for: call, after: replies.map { Exchange(reply: $0) })
        guard case .outcome(let outcome) = step else {
            Issue.record("something is sent: \(step)")
            throw SettingsError.missingCredential("outcome")
        }
        return outcome
    }

    static func body(_ request: WireRequest) throws -> JSON { try JSON.parse(request.body) }

    static func headers(_ request: WireRequest) -> [String: String] {
        Dictionary(request.headers.map { ($0.name, $0.value) }) { first, second in "\(first), \(second)" }
    }

    static func reply(_ status: Int, _ json: JSON? = nil) -> WireReply {
        let own = [Header("Cko-Request-Id", "e2c1c0e7")]
        guard let json else { return WireReply(status: status, headers: own) }
        return WireReply(status: status, headers: own + RobustnessTests.json, body: json.bytes)
    }

    /// The body of a refused request.
    static func refusal(_ codes: [String], type: String = "request_invalid") -> JSON {
        ["request_id": "e2c1c0e7", "error_type": .string(type), "error_codes": .strings(codes)]
    }

    /// A payment as `GET /payments/{id}` shows it.
    static func found(
        _ status: String,
        authorized: Int64 = 10_000,
        captured: Int64 = 0,
        voided: Int64 = 0,
        refunded: Int64 = 0,
        onItsWay: Int64 = 0
    ) -> JSON {
        let left = authorized - captured - voided - onItsWay
        return [
            "id": .string(payment), "status": .string(status), "approved": true, "amount": 10_000, "currency": "USD",
            "reference": "att_01ka5xxqkfbf5kznwj47tan9zt",
            "balances": [
                "total_authorized": .integer(authorized), "total_captured": .integer(captured),
                "total_voided": .integer(voided),
                "available_to_void": .integer(left), "available_to_capture": .integer(left),
                "available_to_refund": .integer(captured - refunded),
            ],
        ]
    }
}
