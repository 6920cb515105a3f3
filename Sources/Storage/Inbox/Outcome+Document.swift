import Domain
import StrictJSON

extension Outcome {
    /// The outcome as JSON.
    var document: JSON {
        switch self {
        case .succeeded(let success): success.document
        case .declined(let decline): decline.document
        case .rejected(let rejection): .object([.init("is", "rejected"), .init("rejection", rejection.document)])
        case .pending(let progress): .object([.init("is", "pending")] + progress.members)
        case .actionRequired(let action, let progress):
            .object([.init("is", "action_required"), .init("action", action.document)] + progress.members)
        case .notSent(let reason): ["is": "not_sent", "reason": .string(reason)]
        case .unknown(let reason): ["is": "unknown", "reason": .string(reason)]
        }
    }

    /// Reads an outcome back; nil for what ``document`` does not write.
    init?(document: JSON) {
        switch document["is"]?.stringValue {
        case "succeeded":
            guard let success = Success(document: document) else { return nil }
            self = .succeeded(success)
        case "declined":
            guard let decline = Decline(document: document) else { return nil }
            self = .declined(decline)
        case "rejected":
            guard let rejection = document["rejection"].flatMap(Rejection.init(document:)) else { return nil }
            self = .rejected(rejection)
        case "pending": self = .pending(Progress(document: document))
        case "action_required":
            guard let action = document["action"].flatMap(NextAction.init(document:)) else { return nil }
            self = .actionRequired(action, Progress(document: document))
        case "not_sent":
            guard let reason = document["reason"]?.stringValue else { return nil }
            self = .notSent(reason: reason)
        case "unknown":
            guard let reason = document["reason"]?.stringValue else { return nil }
            self = .unknown(reason: reason)
        default: return nil
        }
    }
}

extension Success {
    fileprivate var document: JSON {
        .object(omittingAbsent: [
            "is": "succeeded", "reference": reference.map(JSON.string), "amount": .integer(amount),
            "captured_amount": capturedAmount.map(JSON.integer),
            "expires_at": expiresAt.map { .integer($0.microseconds) }, "network": network.map(JSON.string),
            "last4": last4.map(JSON.string), "state": state.map(JSON.string),
        ])
    }

    fileprivate init?(document: JSON) {
        guard let amount = document["amount"]?.integerValue else { return nil }
        self.init(
            reference: document["reference"]?.stringValue,
            amount: amount,
            capturedAmount: document["captured_amount"]?.integerValue,
            expiresAt: document["expires_at"]?.integerValue.map(Timestamp.init(microseconds:)),
            network: document["network"]?.stringValue,
            last4: document["last4"]?.stringValue,
            state: document["state"]?.stringValue
        )
    }
}

extension Progress {
    fileprivate var members: [JSON.Member] {
        [reference.map { .init("reference", .string($0)) }, state.map { .init("state", .string($0)) }]
            .compactMap(\.self)
    }

    fileprivate init(document: JSON) {
        self.init(reference: document["reference"]?.stringValue, state: document["state"]?.stringValue)
    }
}

extension NextAction {
    fileprivate var document: JSON {
        .object(omittingAbsent: [
            "kind": .string(kind.rawValue), "url": url.map(JSON.string), "data": data.map(JSON.string),
            "expires_at": expiresAt.map { .integer($0.microseconds) },
        ])
    }

    fileprivate init?(document: JSON) {
        guard let kind = document["kind"]?.stringValue.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(
            kind: kind,
            url: document["url"]?.stringValue,
            data: document["data"]?.stringValue,
            expiresAt: document["expires_at"]?.integerValue.map(Timestamp.init(microseconds:))
        )
    }
}

extension Decline {
    fileprivate var document: JSON {
        [
            "is": "declined", "category": .string(category.rawValue), "code": .string(code),
            "message": .string(message),
        ]
    }

    fileprivate init?(document: JSON) {
        guard let category = document["category"]?.stringValue.flatMap(Category.init(rawValue:)),
            let code = document["code"]?.stringValue, let message = document["message"]?.stringValue
        else { return nil }
        self.init(code: code, category: category, message: message)
    }
}

extension Rejection {
    /// The rejection as JSON.
    var document: JSON {
        ["reason": .string(reason.rawValue), "code": .string(code), "message": .string(message)]
    }

    /// Reads a rejection back; nil for what ``document`` does not write.
    init?(document: JSON) {
        guard let reason = document["reason"]?.stringValue.flatMap(Reason.init(rawValue:)),
            let code = document["code"]?.stringValue, let message = document["message"]?.stringValue
        else { return nil }
        self.init(reason, code: code, message: message)
    }
}
