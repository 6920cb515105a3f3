package import StrictJSON

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
        if let deed = json["dashboard"]?.stringValue.flatMap(DashboardAction.Deed.init(rawValue:)) {
            guard let target = Self.target(json) else { return nil }
            var action = DashboardAction(deed, to: target)
            action.at = at
            action.amount = json["amount"]?.integerValue
            action.isFinal = json["final"]?.boolValue ?? true
            action.subject = json["subject"]?.stringValue
            action.reason = json["reason"]?.stringValue
            action.respondWithin = json["respond_within"]?.integerValue
            action.announcement = json["announcement"]?.stringValue.flatMap(Announcement.init(word:)) ?? .prompt
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
            change.pace = Pace(milliseconds: milliseconds, takesAll: json["pace"]?["all"]?.boolValue ?? false)
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
        return AuthorizeCommand(
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
