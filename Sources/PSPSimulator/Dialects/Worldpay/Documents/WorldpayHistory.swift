import StrictJSON

/// What happened to a payment, as Payment Queries and the Payments API's own query tell it.
struct WorldpayHistory: Sendable {
    /// One thing that happened.
    struct Entry: Hashable, Sendable {
        let name: String
        let json: JSON
    }

    /// Everything in its order.
    let entries: [Entry]
    private let authorization: Authorization

    /// Tells an authorization's history.
    init(_ authorization: Authorization) {
        self.authorization = authorization
        var entries = Self.beginning(authorization)
        for operation in authorization.operations.dropFirst() { entries += Self.entries(operation, authorization) }
        self.entries = entries
    }

    /// The last thing that happened, in Payment Queries' words.
    var lastName: String { entries.last?.name ?? "authorizationRequested" }

    /// The last thing that happened, in the Payments API's words.
    var lastEvent: String {
        switch authorization.status {
        case .declined: return "Refused"
        case .expired: return "Expired"
        case .voided, .canceled: return "Sent for Cancellation"
        case .pending, .requiresAction, .authorized, .captured: break
        }
        let words = authorization.operations.dropFirst().compactMap(Self.word)
        return words.last ?? (authorization.captured > 0 ? "Sent for Settlement" : "Authorized")
    }

    private static func word(_ operation: Operation) -> String? {
        switch (operation.kind, operation.status) {
        case (.capture, .succeeded), (.capture, .reversed): "Sent for Settlement"
        case (.capture, .failed), (.capture, .failedLater): "Settlement failed"
        case (.refund, .succeeded): "Sent for Refund"
        case (.refund, .failed), (.refund, .failedLater): "Refund failed"
        case (.capture, .pending), (.refund, _), (.void, _), (.authorize, _), (.inquire, _): nil
        }
    }

    private static func beginning(_ authorization: Authorization) -> [Entry] {
        let command = WorldpayIdentifier.text(.command, authorization.id)
        func entry(_ name: String, _ more: [JSON.Member] = []) -> Entry {
            Self.entry(name, authorization.createdAt, command, more)
        }
        var entries = [entry("authorizationRequested")]
        if let code = authorization.decline.map(WorldpayRefusalCode.init) {
            let members = [
                JSON.Member("description", .string(code.description)), JSON.Member("code", .string(code.code)),
                JSON.Member("outcome", "refused"),
            ]
            return entries + [entry("authorizationRefused", members)]
        }
        guard authorization.authorized > 0 else { return entries }
        entries.append(entry("authorizationSucceeded", [JSON.Member("outcome", "authorized")]))
        guard authorization.capturesAtOnce else { return entries }
        let value = Self.value(authorization.authorized, authorization)
        let request = [JSON.Member("type", "fullSettlement"), JSON.Member("value", value)]
        return entries + [entry("settlementRequested", request), entry("settlementRequestSubmitted")]
    }

    private static func entries(_ operation: Operation, _ authorization: Authorization) -> [Entry] {
        let command = WorldpayIdentifier.text(.command, operation.id)
        let (word, title) = word(of: operation)
        let extent = operation.details["extent"] ?? "partial"
        var more: [JSON.Member] = []
        if word != "cancellation" {
            if word != "reversal" {
                more.append(JSON.Member("type", .string(extent + title)))
                if !operation.reference.isEmpty {
                    more.append(JSON.Member("\(word)Reference", .string(operation.reference)))
                }
            }
            more.append(JSON.Member("value", value(operation.amount, authorization)))
        }
        let requested = entry("\(word)Requested", operation.at, command, more)
        switch operation.status {
        case .pending: return [requested]
        case .succeeded, .reversed, .failedLater:
            return [requested, entry("\(word)RequestSubmitted", operation.at, command)]
        case .failed: return [requested, entry("\(word)RequestSubmissionFailed", operation.at, command)]
        }
    }

    private static func word(of operation: Operation) -> (word: String, title: String) {
        if operation.isReversal { return ("reversal", "Reversal") }
        return switch operation.kind {
        case .refund: ("refund", "Refund")
        case .void: ("cancellation", "Cancellation")
        case .capture, .authorize, .inquire: ("settlement", "Settlement")
        }
    }

    private static func value(_ amount: Int64, _ authorization: Authorization) -> JSON {
        ["currency": .string(authorization.command.currency), "amount": .integer(amount)]
    }

    private static func entry(_ name: String, _ at: Int64, _ command: String, _ more: [JSON.Member] = []) -> Entry {
        let members =
            [JSON.Member("eventName", .string(name)), JSON.Member("timestamp", .string(WorldpayMoment.text(at)))]
            + more + [JSON.Member("commandId", .string(command))]
        return Entry(name: name, json: .object(members))
    }
}
