package import StrictJSON

/// Lines as they are written.
extension BooksEntry {
    /// The version of the file's format.
    static let version: Int64 = 1

    /// The line's document.
    package var json: JSON {
        switch self {
        case .opening(let instance): ["books": .string(instance), "version": .integer(Self.version)]
        case .answer(let answer):
            [
                "at": .integer(answer.at), "answer": .string(answer.authorization),
                "approves": .bool(answer.approves),
            ]
        case .action(let action): Self.json(action)
        case .submission(let submission):
            .object(omittingAbsent: [
                "at": .integer(submission.at),
                "account": .string(submission.account),
                "key": submission.key.map(JSON.string),
                "command": Self.json(submission.command),
            ])
        }
    }

    private static func json(_ action: DashboardAction) -> JSON {
        .object(omittingAbsent: [
            "at": .integer(action.at),
            "dashboard": .string(action.deed.rawValue),
            "authorization": identifier(action.target),
            "authorization_reference": reference(action.target),
            "amount": action.amount.map(JSON.integer),
            "final": action.isFinal ? .none : false,
            "subject": action.subject.map(JSON.string),
            "reason": action.reason.map(JSON.string),
            "respond_within": action.respondWithin.map(JSON.integer),
            "announcement": action.announcement.word.map(JSON.string),
        ])
    }

    private static func json(_ command: Command) -> JSON {
        switch command {
        case .authorize(let authorize):
            .object(omittingAbsent: [
                "kind": "authorize",
                "reference": .string(authorize.reference),
                "amount": .integer(authorize.amount),
                "currency": .string(authorize.currency),
                "method": json(authorize.method),
                "capture": .bool(authorize.capture),
                "application_fee": authorize.applicationFee.map(JSON.integer),
                "return_url": authorize.returnURL.map(JSON.string),
                "metadata": notes(authorize.metadata),
                "details": authorize.details.isEmpty ? .none : notes(authorize.details),
                "identifier": authorize.identifier.map(JSON.string),
            ])
        case .change(let change):
            .object(omittingAbsent: [
                "kind": .string(change.kind.rawValue),
                "authorization": identifier(change.target),
                "authorization_reference": reference(change.target),
                "reference": .string(change.reference),
                "amount": change.amount.map(JSON.integer),
                "application_fee": change.applicationFee.map(JSON.integer),
                "final": change.isFinal ? .none : false,
                "metadata": change.metadata.isEmpty ? .none : notes(change.metadata),
                "details": change.details.isEmpty ? .none : notes(change.details),
                "reversal": change.isReversal ? true : .none,
                "pace": change.pace.map { ["milliseconds": .integer($0.milliseconds), "all": .bool($0.takesAll)] },
            ])
        }
    }

    private static func notes(_ notes: [String: String]) -> JSON {
        .object(notes.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
    }

    private static func identifier(_ target: ChangeCommand.Target) -> JSON? {
        if case .id(let id) = target { .string(id) } else { .none }
    }

    private static func reference(_ target: ChangeCommand.Target) -> JSON? {
        if case .reference(let reference) = target { .string(reference) } else { .none }
    }

    private static func json(_ method: PaymentMethod) -> JSON {
        switch method {
        case .token(let token): ["token": .string(token)]
        case .networkToken(let digest):
            .object(omittingAbsent: [
                "last4": .string(digest.last4),
                "network": .string(digest.network),
                "trigger_code": digest.triggerCode.map(JSON.integer),
                "expiry_month": .integer(digest.expiryMonth),
                "expiry_year": .integer(digest.expiryYear),
            ])
        }
    }
}
