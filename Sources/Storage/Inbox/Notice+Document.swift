import Domain
import StrictJSON

extension Notice {
    /// The notice as JSON.
    var document: JSON {
        let head: [JSON.Member?] = [
            subject.attempt.map { .init("attempt", .string($0)) },
            subject.operation.map { .init("operation", .string($0)) },
            subject.payment.map { .init("payment", .string($0)) },
            subject.object.map { .init("object", .string($0)) },
            at.map { .init("at", .integer($0.microseconds)) },
        ]
        return .object(head.compactMap(\.self) + happening.members)
    }

    /// Reads a notice back; nil for what ``document`` does not write.
    init?(document: JSON) {
        guard let happening = Happening(document: document) else { return nil }
        let subject = Subject(
            attempt: document["attempt"]?.stringValue,
            operation: document["operation"]?.stringValue,
            payment: document["payment"]?.stringValue,
            object: document["object"]?.stringValue
        )
        self.init(about: subject, happening, at: document["at"]?.integerValue.map(Timestamp.init(microseconds:)))
    }
}

extension Notice.Happening {
    fileprivate var members: [JSON.Member] {
        switch self {
        case .outcome(let action, let outcome):
            [
                .init("happening", "outcome"), .init("action", .string(action.rawValue)),
                .init("outcome", outcome.document),
            ]
        case .reversed(let action, let rejection):
            [
                .init("happening", "reversed"), .init("action", .string(action.rawValue)),
                .init("rejection", rejection.document),
            ]
        case .lapsed: [.init("happening", "lapsed")]
        case .dispute(let dispute): [.init("happening", "dispute"), .init("dispute", dispute.document)]
        }
    }

    fileprivate init?(document: JSON) {
        let action = document["action"]?.stringValue.flatMap(Notice.Action.init(rawValue:))
        switch document["happening"]?.stringValue {
        case "outcome":
            guard let action, let outcome = document["outcome"].flatMap(Outcome.init(document:)) else { return nil }
            self = .outcome(action, outcome)
        case "reversed":
            guard let action, let rejection = document["rejection"].flatMap(Rejection.init(document:)) else {
                return nil
            }
            self = .reversed(action, rejection)
        case "lapsed": self = .lapsed
        case "dispute":
            guard let dispute = document["dispute"].flatMap(DisputeNotice.init(document:)) else { return nil }
            self = .dispute(dispute)
        default: return nil
        }
    }
}

extension DisputeNotice {
    fileprivate var document: JSON {
        .object(omittingAbsent: [
            "state": .string(state.rawValue), "amount": .integer(amount), "reason": reason.map(JSON.string),
            "respond_by": respondBy.map { .integer($0.microseconds) }, "fee": fee.map(JSON.integer),
        ])
    }

    fileprivate init?(document: JSON) {
        guard let state = document["state"]?.stringValue.flatMap(State.init(rawValue:)),
            let amount = document["amount"]?.integerValue
        else { return nil }
        self.init(
            state: state,
            amount: amount,
            reason: document["reason"]?.stringValue,
            respondBy: document["respond_by"]?.integerValue.map(Timestamp.init(microseconds:)),
            fee: document["fee"]?.integerValue
        )
    }
}
