/// What a request asks of the books, without anything that must not be kept.
///
/// Two requests under one key are the same if their commands are equal.
package enum Command: Hashable, Sendable {
    /// Hold an amount, or take it in the same call.
    case authorize(AuthorizeCommand)
    /// Change an authorization.
    case change(ChangeCommand)

    /// What the command is about in the caller's words; a request without a key is known again by it.
    package var subject: String {
        switch self {
        case .authorize(let authorize): "authorize \(authorize.reference)"
        case .change(let change): "\(change.kind.rawValue) \(change.target) \(change.reference)"
        }
    }

    /// Which operation this is.
    package var kind: OperationKind {
        switch self {
        case .authorize: .authorize
        case .change(let change): change.kind
        }
    }
}
