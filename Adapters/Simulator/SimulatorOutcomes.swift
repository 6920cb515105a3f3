import AdapterKit
import Domain
import StrictJSON

/// Reads the replies to one call.
///
/// Whatever README.md does not promise is `unknown`.
struct SimulatorReading {
    private let call: Call

    init(_ call: Call) { self.call = call }

    /// What the reply to an authorization says.
    func authorized(by reply: WireReply) -> Outcome { made(by: reply, authorization) }

    /// What the reply to a capture, void or refund says.
    func changed(by reply: WireReply) -> Outcome { made(by: reply, operation) }

    /// What an inquiry says of the authorization.
    ///
    /// A request that was sent twice may have made two under one reference; then the one that is known by name counts.
    func foundAuthorization(in reply: WireReply) -> Outcome {
        found(in: reply, by: call.attempt.text, named: call.pspReference, authorization)
    }

    /// What an inquiry says of the capture, void or refund.
    func foundOperation(in reply: WireReply) -> Outcome { found(in: reply, by: call.operation.text, operation) }

    /// 201 tells of what was made, 402 of what was declined, and never the other way round.
    private func made(by reply: WireReply, _ read: (JSON) -> Outcome) -> Outcome {
        guard let json = json(reply) else { return .unknown(reason: unreadable(reply)) }
        guard reply.header("Idempotency-Key") == call.key(exchange: 0) else {
            return .unknown(reason: "the reply is to another request")
        }
        switch reply.status {
        case 201, 402:
            let outcome = read(json)
            guard Self.isDecline(outcome) == (reply.status == 402) else {
                return .unknown(reason: "status \(reply.status) contradicts the body")
            }
            return outcome
        case 400...499: return refusal(json, reply)
        default: return .unknown(reason: "status \(reply.status)")
        }
    }

    private func found(
        in reply: WireReply,
        by reference: String,
        named name: String? = nil,
        _ read: (JSON) -> Outcome
    ) -> Outcome {
        guard reply.status == 200 else { return .unknown(reason: "the inquiry answered \(reply.status)") }
        let json = json(reply)
        guard let all = json?["data"]?.arrayValue else { return .unknown(reason: unreadable(reply)) }
        guard json?["reference"]?.stringValue == reference else {
            return .unknown(reason: "the reply is to another inquiry")
        }
        let named = all.filter { name != nil && $0["id"]?.stringValue == name }
        let data = all.count > 1 && !named.isEmpty ? named : all
        guard let first = data.first else {
            return .rejected(Rejection(.notFound, code: "not_found", message: "There is no such object."))
        }
        guard data.count == 1 else { return .unknown(reason: "\(data.count) found under one reference") }
        return read(first)
    }

    /// The body, if it is JSON and says so.
    private func json(_ reply: WireReply) -> JSON? {
        guard reply.header("Content-Type")?.hasPrefix("application/json") == true else { return nil }
        return try? JSON.parse(reply.body)
    }

    private static func isDecline(_ outcome: Outcome) -> Bool {
        if case .declined = outcome { true } else { false }
    }

    private func unreadable(_ reply: WireReply) -> String { "status \(reply.status) with an unreadable body" }
}

extension SimulatorReading {
    private func authorization(_ json: JSON) -> Outcome {
        guard let found = SimulatorAuthorization(json), found.reference == call.attempt.text,
            found.currency == call.money.currency.code, found.amount == call.money.minorUnits
        else { return .unknown(reason: "the reply is about something else") }
        return call.asksForStoredMethod ? found.outcomeForStoredMethod : found.outcome
    }

    private func operation(_ json: JSON) -> Outcome {
        guard let found = SimulatorOperation(json), found.reference == call.operation.text,
            found.authorization == call.pspReference ?? found.authorization, found.currency == call.money.currency.code,
            found.kind == kind, hasTheTerms(found)
        else { return .unknown(reason: "the reply is about something else") }
        return found.outcome
    }

    private func hasTheTerms(_ found: SimulatorOperation) -> Bool {
        switch call.kind {
        case .capture(applicationFee: _, let isFinal): found.amount == call.money.minorUnits && found.isFinal == isFinal
        case .refund, .authorize: found.amount == call.money.minorUnits
        case .void: true
        }
    }

    private var kind: Notice.Action {
        switch call.kind {
        case .authorize: .authorize
        case .capture: .capture
        case .void: .void
        case .refund: .refund
        }
    }

    /// A refusal promises that the request had no effect, except that a key mismatch or an operation in progress
    /// says that another request under the same key or for the same payment may have had one.
    private func refusal(_ json: JSON, _ reply: WireReply) -> Outcome {
        let code = json["error"]?["code"]?.stringValue ?? ""
        guard let reason = Self.reason(of: code) else {
            return .unknown(reason: "status \(reply.status) with an unpromised code")
        }
        let message = json["error"]?["message"]?.stringValue ?? ""
        let captured = json["error"]?["captured_amount"]?.integerValue
        return .rejected(Rejection(reason, code: code, message: message, captured: captured))
    }

    private static func reason(of code: String) -> Rejection.Reason? {
        switch code {
        case "invalid_request", "invalid_token", "invalid_key", "configuration_error", "body_too_large",
            "idempotency_key_required":
            .configuration
        case "amount_too_large": .amountTooLarge
        case "unsupported", "not_authorized", "not_captured": .unsupported
        case "already_captured": .alreadyCaptured
        case "already_voided": .alreadyVoided
        case "authorization_expired": .expired
        case "not_settled_yet": .notSettledYet
        case "not_found": .notFound
        case "stored_method_not_found": .methodGone
        default: nil
        }
    }
}
