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
    func foundAuthorization(in reply: WireReply) -> Outcome { found(in: reply, authorization) }

    /// What an inquiry says of the capture, void or refund.
    func foundOperation(in reply: WireReply) -> Outcome { found(in: reply, operation) }

    /// 201 tells of what was made, 402 of what was declined, and never the other way round.
    private func made(by reply: WireReply, _ read: (JSON) -> Outcome) -> Outcome {
        guard let json = json(reply) else { return .unknown(reason: unreadable(reply)) }
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

    private func found(in reply: WireReply, _ read: (JSON) -> Outcome) -> Outcome {
        guard reply.status == 200 else { return .unknown(reason: "the inquiry answered \(reply.status)") }
        guard let data = json(reply)?["data"]?.arrayValue else { return .unknown(reason: unreadable(reply)) }
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
        guard json["object"] == "authorization", json["reference"]?.stringValue == call.attempt.text,
            json["currency"]?.stringValue == call.money.currency.code,
            json["amount"]?.integerValue == call.money.minorUnits, let id = json["id"]?.stringValue
        else { return .unknown(reason: "the reply is about something else") }
        switch json["status"]?.stringValue {
        case "authorized", "captured": return success(json, id)
        case "pending": return .pending(Progress(reference: id))
        case "requires_action": return action(json, id)
        case "declined": return declined(json)
        case "voided", "canceled": return ended(.alreadyVoided, json)
        case "expired": return ended(.expired, json)
        default: return .unknown(reason: "unpromised status of an authorization")
        }
    }

    private func operation(_ json: JSON) -> Outcome {
        guard json["object"] == "operation", json["reference"]?.stringValue == call.operation.text,
            json["currency"]?.stringValue == call.money.currency.code, json["kind"]?.stringValue == kind,
            let id = json["id"]?.stringValue, let amount = json["amount"]?.integerValue,
            call.kind == .void || amount == call.money.minorUnits
        else { return .unknown(reason: "the reply is about something else") }
        switch json["status"]?.stringValue {
        case "succeeded": return .succeeded(Success(reference: id, amount: amount))
        case "pending": return .pending(Progress(reference: id))
        case "failed": return declined(json)
        case "reversed": return ended(.alreadyVoided, json)
        default: return .unknown(reason: "unpromised status of an operation")
        }
    }

    private var kind: String {
        switch call.kind {
        case .authorize: "authorize"
        case .capture: "capture"
        case .void: "void"
        case .refund: "refund"
        }
    }

    private func success(_ json: JSON, _ id: String) -> Outcome {
        guard let authorized = json["authorized_amount"]?.integerValue, authorized > 0,
            authorized <= call.money.minorUnits,
            let captured = json["captured_amount"]?.integerValue, (0...authorized).contains(captured)
        else { return .unknown(reason: "an authorization without amounts") }
        let capturedAtOnce = json["capture_method"] == "automatic"
        return .succeeded(
            Success(
                reference: id,
                amount: authorized,
                capturedAmount: capturedAtOnce ? captured : 0,
                expiresAt: moment(json["expires_at"]),
                network: json["payment_method"]?["network"]?.stringValue,
                last4: json["payment_method"]?["last4"]?.stringValue
            )
        )
    }

    private func action(_ json: JSON, _ id: String) -> Outcome {
        guard let action = json["next_action"], action["type"] == "redirect", let url = action["url"]?.stringValue
        else {
            return .unknown(reason: "unpromised kind of action")
        }
        return .actionRequired(
            NextAction(kind: .redirect, url: url, expiresAt: moment(action["expires_at"])),
            Progress(reference: id)
        )
    }

    private func declined(_ json: JSON) -> Outcome {
        let code = json["decline"]?["code"]?.stringValue ?? ""
        let message = json["decline"]?["message"]?.stringValue ?? ""
        return .declined(Decline(code: code, category: Self.category(of: code), message: message))
    }

    private func ended(_ reason: Rejection.Reason, _ json: JSON) -> Outcome {
        .rejected(Rejection(reason, code: json["status"]?.stringValue ?? "", message: "It has ended already."))
    }

    /// A refusal promises that the request had no effect, except that a key mismatch or an operation in progress
    /// says that another request under the same key or for the same payment may have had one.
    private func refusal(_ json: JSON, _ reply: WireReply) -> Outcome {
        let code = json["error"]?["code"]?.stringValue ?? ""
        guard let reason = Self.reason(of: code) else {
            return .unknown(reason: "status \(reply.status) with an unpromised code")
        }
        return .rejected(Rejection(reason, code: code, message: json["error"]?["message"]?.stringValue ?? ""))
    }

    private func moment(_ json: JSON?) -> Timestamp? {
        json?.integerValue.map { Timestamp(microseconds: 0).adding(milliseconds: $0) }
    }

    private static func category(of code: String) -> Decline.Category {
        switch code {
        case "authentication_failed": .authenticationRequired
        case "partial_approval": .generic
        default: Decline.Category(rawValue: code) ?? .generic
        }
    }

    private static func reason(of code: String) -> Rejection.Reason? {
        switch code {
        case "invalid_request", "invalid_token", "invalid_key", "configuration_error", "amount_too_large",
            "body_too_large", "idempotency_key_required":
            .configuration
        case "unsupported", "not_authorized", "not_captured": .unsupported
        case "already_captured": .alreadyCaptured
        case "already_voided": .alreadyVoided
        case "authorization_expired": .expired
        case "not_settled_yet": .notSettledYet
        case "not_found": .notFound
        default: nil
        }
    }
}
