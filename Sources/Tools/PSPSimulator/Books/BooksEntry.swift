package import StrictJSON

/// One line of a books file.
package enum BooksEntry: Hashable, Sendable {
    /// The first line: which books these are.
    case opening(instance: String)
    /// A request that reached the books.
    case submission(Submission)
    /// A buyer's answer.
    case answer(ActionAnswer)
    /// What somebody did without the API.
    case action(DashboardAction)
}

/// Lines as they are read back.
extension BooksEntry {
    /// Reads a line; nil if it is none that this version wrote.
    package init?(_ json: JSON) {
        if let instance = json["books"]?.stringValue, json["version"]?.integerValue == Self.version {
            self = .opening(instance: instance)
            return
        }
        guard let at = json["at"]?.integerValue else { return nil }
        if let authorization = json["answer"]?.stringValue, let approves = json["approves"]?.boolValue {
            self = .answer(ActionAnswer(at: at, authorization: authorization, approves: approves))
            return
        }
        if let kind = json["dashboard"]?.stringValue.flatMap(DashboardAction.Kind.init(rawValue:)) {
            guard let target = Self.target(json) else { return nil }
            var action = DashboardAction(kind, to: target)
            action.at = at
            action.amount = json["amount"]?.integerValue
            action.isFinal = json["final"]?.boolValue ?? true
            action.subject = json["subject"]?.stringValue
            action.reason = json["reason"]?.stringValue
            action.respondWithin = json["respond_within"]?.integerValue
            action.announcement = json["announcement"]?.stringValue.flatMap(WebhookAnnouncement.init(word:)) ?? .prompt
            self = .action(action)
            return
        }
        guard let account = json["account"]?.stringValue, let document = json["command"],
            let command = Self.command(document)
        else { return nil }
        let key = json["key"]?.stringValue
        self = .submission(Submission(at: at, account: account, key: key, command: command))
    }

    private static func command(_ json: JSON) -> Command? {
        guard let kind = json["kind"]?.stringValue.flatMap(OperationKind.init(rawValue:)),
            let reference = json["reference"]?.stringValue
        else { return nil }
        if kind == .authorize { return authorize(json, reference: reference).map(Command.authorize) }
        guard let target = target(json) else { return nil }
        var change = ChangeCommand(
            kind,
            of: target,
            reference: reference,
            amount: json["amount"]?.integerValue,
            applicationFee: json["application_fee"]?.integerValue,
            isFinal: json["final"]?.boolValue ?? true
        )
        change.metadata = notes(json["metadata"])
        change.details = notes(json["details"])
        change.isReversal = json["reversal"]?.boolValue ?? false
        if let milliseconds = json["pace"]?["milliseconds"]?.integerValue {
            change.latency = Latency(milliseconds: milliseconds, takesAll: json["pace"]?["all"]?.boolValue ?? false)
        }
        return .change(change)
    }

    private static func notes(_ json: JSON?) -> [String: String] {
        let notes = (json?.objectValue ?? []).map { ($0.key, $0.value.stringValue ?? "") }
        return Dictionary(notes) { first, _ in first }
    }

    private static func target(_ json: JSON) -> ChangeCommand.Target? {
        let byIdentifier = json["authorization"]?.stringValue.map(ChangeCommand.Target.id)
        let byReference = json["authorization_reference"]?.stringValue.map(ChangeCommand.Target.reference)
        return byIdentifier ?? byReference
    }

    private static func authorize(_ json: JSON, reference: String) -> AuthorizeCommand? {
        guard let amount = json["amount"]?.integerValue, let currency = json["currency"]?.stringValue,
            let capture = json["capture"]?.boolValue, let method = json["method"].flatMap(method)
        else { return nil }
        var command = AuthorizeCommand(
            reference: reference,
            amount: amount,
            currency: currency,
            method: method,
            capture: capture,
            applicationFee: json["application_fee"]?.integerValue,
            returnURL: json["return_url"]?.stringValue,
            metadata: notes(json["metadata"]),
            details: notes(json["details"]),
            identifier: json["identifier"]?.stringValue
        )
        command.keepsCaptures = json["keeps_captures"]?.boolValue ?? false
        command.takesPart = json["takes_part"]?.boolValue ?? true
        command.endsWithFailedCapture = json["ends_with_failed_capture"]?.boolValue ?? false
        return command
    }

    private static func method(_ json: JSON) -> PaymentMethod? {
        if let token = json["token"]?.stringValue { return .token(token) }
        guard let last4 = json["last4"]?.stringValue, let network = json["network"]?.stringValue,
            let month = json["expiry_month"]?.integerValue, let year = json["expiry_year"]?.integerValue
        else { return nil }
        return .networkToken(
            NetworkTokenDigest(
                last4: last4,
                network: network,
                triggerCode: json["trigger_code"]?.integerValue,
                expiryMonth: month,
                expiryYear: year
            )
        )
    }
}

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
            "dashboard": .string(action.kind.rawValue),
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
                "keeps_captures": authorize.keepsCaptures ? true : .none,
                "takes_part": authorize.takesPart ? .none : false,
                "ends_with_failed_capture": authorize.endsWithFailedCapture ? true : .none,
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
                "pace": change.latency.map { ["milliseconds": .integer($0.milliseconds), "all": .bool($0.takesAll)] },
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
