package import Domain
package import SQL
import StrictJSON

/// What an event of a PSP says, as the inbox keeps it.
package struct WebhookDocument: Hashable, Sendable {
    /// At whose account it happened.
    package var merchantAccount: NoticeAccount
    /// The currency of every amount in the notices.
    package var currency: Currency?
    /// What it says of payments.
    package var notices: [Notice]
    /// Why it could not be read, though its type does speak of payments.
    package var problem: String?

    /// Makes a document.
    package init(
        merchantAccount: NoticeAccount = .unsaid,
        currency: Currency? = nil,
        notices: [Notice] = [],
        problem: String? = nil
    ) {
        self.merchantAccount = merchantAccount
        self.currency = currency
        self.notices = notices
        self.problem = problem
    }

    /// What stands for a stored document that this build cannot read.
    static let unreadable = WebhookDocument(problem: "What is stored of it cannot be read by this build.")

    /// The document as JSON text.
    package var text: String {
        JSON.object(omittingAbsent: [
            "merchant_account": merchantAccount.merchant.map(JSON.string),
            "platform_account": merchantAccount.platform.map(JSON.string),
            "currency": currency.map { .string($0.code) }, "notices": .array(notices.map(\.document)),
            "problem": problem.map(JSON.string),
        ]).text
    }

    /// Reads a document back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``text`` does not write.
    package init(text: String) throws(SQLError) {
        guard let json = try? JSON.parse(text: text), let documents = json["notices"]?.arrayValue else {
            throw .unexpectedValue(column: "document")
        }
        merchantAccount = NoticeAccount(json)
        problem = json["problem"]?.stringValue
        if let code = json["currency"]?.stringValue {
            guard let currency = Currency(code: code) else { throw .unexpectedValue(column: "document") }
            self.currency = currency
        }
        var notices: [Notice] = []
        for document in documents {
            guard let notice = Notice(document: document) else { throw .unexpectedValue(column: "document") }
            notices.append(notice)
        }
        self.notices = notices
    }
}

extension NoticeAccount {
    /// Reads what a document says of it.
    ///
    /// Documents of old name a merchant's account or none at all. None is then taken for unsaid: what happened at an
    /// account where a submerchant acts was named in them, too.
    fileprivate init(_ document: JSON) {
        if let name = document["merchant_account"]?.stringValue {
            self = .merchant(name)
        } else if let name = document["platform_account"]?.stringValue {
            self = .platform(name.isEmpty ? nil : name)
        } else {
            self = .unsaid
        }
    }

    fileprivate var merchant: String? { if case .merchant(let name) = self { name } else { nil } }

    fileprivate var platform: String? { if case .platform(let name) = self { name ?? "" } else { nil } }
}

extension Notice {
    /// The notice as JSON.
    var document: JSON {
        let head: [JSON.Member?] = [
            subject.attempt.map { .init("attempt", .string($0)) },
            subject.operation.map { .init("operation", .string($0)) },
            subject.payment.map { .init("payment", .string($0)) },
            subject.object.map { .init("object", .string($0)) },
            subject.amount.map { .init("amount", .integer($0)) },
            subject.isOthers ? .init("others", .bool(true)) : nil,
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
            object: document["object"]?.stringValue,
            amount: document["amount"]?.integerValue,
            isOthers: document["others"]?.boolValue ?? false
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
            "state": .string(state.rawValue), "amount": .integer(amount), "disputed": disputed.map(JSON.integer),
            "reason": reason.map(JSON.string), "respond_by": respondBy.map { .integer($0.microseconds) },
            "fee": fee.map(JSON.integer),
        ])
    }

    fileprivate init?(document: JSON) {
        guard let state = document["state"]?.stringValue.flatMap(State.init(rawValue:)),
            let amount = document["amount"]?.integerValue
        else { return nil }
        self.init(
            state: state,
            amount: amount,
            disputed: document["disputed"]?.integerValue,
            reason: document["reason"]?.stringValue,
            respondBy: document["respond_by"]?.integerValue.map(Timestamp.init(microseconds:)),
            fee: document["fee"]?.integerValue
        )
    }
}

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
            "captured_amount": capturedAmount.map(JSON.integer), "is_final": isFinal.map(JSON.bool),
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
        isFinal = document["is_final"]?.boolValue
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
        .object(omittingAbsent: [
            "is": "declined", "category": .string(category.rawValue), "code": .string(code),
            "message": .string(message), "retry": advice.map(\.document),
        ])
    }

    fileprivate init?(document: JSON) {
        guard let category = document["category"]?.stringValue.flatMap(Category.init(rawValue:)),
            let code = document["code"]?.stringValue, let message = document["message"]?.stringValue
        else { return nil }
        let advice = document["retry"].flatMap(RetryAdvice.init(document:))
        self.init(code: code, category: category, message: message, advice: advice)
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
