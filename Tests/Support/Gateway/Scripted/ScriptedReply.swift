import AdapterKit
import StrictJSON

/// Replies in the simulator's dialect.
enum ScriptedReply {
    static func authorization(_ authorization: ScriptedAuthorization) -> JSON {
        .object(omittingAbsent: [
            "object": "authorization", "id": .string(authorization.id), "reference": .string(authorization.reference),
            "currency": .string(authorization.currency), "amount": .integer(authorization.amount),
            "status": .string(authorization.status), "authorized_amount": .integer(authorization.authorized),
            "captured_amount": .integer(authorization.captured),
            "capture_method": authorization.capturesAtOnce ? "automatic" : "manual",
            "payment_method": ["network": "visa", "last4": "4242"],
            "stored_method": authorization.storedMethod.map { id in
                [
                    "id": .string(id), "owner": .string(authorization.storesFor ?? ""), "network": "visa",
                    "last4": "4242", "expiry_month": 12, "expiry_year": 2031,
                ]
            },
            "network_transaction_id": authorization.storedMethod.map { .string("SIM" + $0) },
            "decline": authorization.declineCode.map(decline),
            "next_action": authorization.actionExpiresAt.map {
                ["type": "redirect", "url": "http://127.0.0.1/actions/1", "expires_at": .integer($0)]
            },
        ])
    }

    static func operation(
        _ operation: ScriptedAuthorization.Operation,
        of authorization: ScriptedAuthorization
    ) -> JSON {
        .object(omittingAbsent: [
            "object": "operation", "id": .string(operation.id), "reference": .string(operation.reference),
            "authorization": .string(authorization.id), "currency": .string(authorization.currency),
            "kind": .string(operation.kind.rawValue),
            "amount": .integer(operation.amount), "status": .string(operation.status),
            "final": operation.isFinal ? .none : false,
            "decline": operation.declineCode.map(decline),
        ])
    }

    static func made(_ json: JSON, isDeclined: Bool) -> WireReply { reply(isDeclined ? 402 : 201, json) }

    static func found(_ json: [JSON], by reference: String) -> WireReply {
        reply(200, ["reference": .string(reference), "data": .array(json)])
    }

    /// The reply with the key of the request that it answers.
    static func answering(_ request: ScriptedRequest, _ reply: WireReply) -> WireReply {
        var reply = reply
        if let key = request.key { reply.headers.append(Header("Idempotency-Key", key)) }
        return reply
    }

    static func forgotten(_ isDone: Bool) -> WireReply {
        isDone
            ? reply(200, ["object": "stored_method", "deleted": true])
            : reply(404, ["error": ["code": "not_found", "message": "There is no such object."]])
    }

    static func refusal(_ code: String) -> WireReply {
        reply(409, ["error": ["code": .string(code), "message": "Refused by the script."]])
    }

    static let serverError = WireReply(status: 500, headers: [type], body: [])
    static let garbled = WireReply(status: 201, headers: [type], body: Array("{\"object\": \"autho".utf8))

    private static let type = Header("Content-Type", "application/json")

    private static func reply(_ status: Int, _ json: JSON) -> WireReply {
        WireReply(status: status, headers: [type], body: json.bytes)
    }

    private static func decline(_ code: String) -> JSON {
        ["code": .string(code), "message": "Declined by the script."]
    }
}
