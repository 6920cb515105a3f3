import Domain
import SQL
import StrictJSON

extension OperationState {
    /// What a state has to say beyond its name, as JSON text.
    var detail: String? {
        switch self {
        case .open, .pending, .succeeded: nil
        case .unknown(let reason), .notSent(let reason): JSON.object([.init("reason", .string(reason))]).text
        case .actionRequired(let action):
            JSON.object(omittingAbsent: [
                "kind": .string(action.kind.rawValue), "url": action.url.map(JSON.string),
                "data": action.data.map(JSON.string),
                "expires_at": action.expiresAt.map { .integer($0.microseconds) },
            ]).text
        case .declined(let decline):
            JSON.object([
                .init("category", .string(decline.category.rawValue)), .init("code", .string(decline.code)),
                .init("message", .string(decline.message)),
            ]).text
        case .rejected(let rejection), .reversed(let rejection):
            JSON.object([
                .init("reason", .string(rejection.reason.rawValue)), .init("code", .string(rejection.code)),
                .init("message", .string(rejection.message)),
            ]).text
        }
    }

    /// Reads a state back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``detail`` does not write.
    init(name: String, detail: String?) throws(SQLError) {
        let document = detail.flatMap { try? JSON.parse(text: $0) }
        func text(_ key: String) -> String { document?[key]?.stringValue ?? "" }
        switch name {
        case "open": self = .open
        case "pending": self = .pending
        case "succeeded": self = .succeeded
        case "unknown": self = .unknown(reason: text("reason"))
        case "not_sent": self = .notSent(reason: text("reason"))
        case "action_required":
            guard let kind = NextAction.Kind(rawValue: text("kind")) else { throw .unexpectedValue(column: "detail") }
            self = .actionRequired(
                NextAction(
                    kind: kind,
                    url: document?["url"]?.stringValue,
                    data: document?["data"]?.stringValue,
                    expiresAt: document?["expires_at"]?.integerValue.map(Timestamp.init(microseconds:))
                )
            )
        case "declined":
            guard let category = Decline.Category(rawValue: text("category")) else {
                throw .unexpectedValue(column: "detail")
            }
            self = .declined(Decline(code: text("code"), category: category, message: text("message")))
        case "rejected", "reversed":
            guard let reason = Rejection.Reason(rawValue: text("reason")) else {
                throw .unexpectedValue(column: "detail")
            }
            let rejection = Rejection(reason, code: text("code"), message: text("message"))
            self = name == "rejected" ? .rejected(rejection) : .reversed(rejection)
        default: throw .unexpectedValue(column: "state")
        }
    }
}
