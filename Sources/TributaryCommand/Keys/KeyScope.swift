import ArgumentParser

/// What an API key may do.
enum KeyScope: Hashable, ExpressibleByArgument {
    /// Place and read orders.
    case checkout
    /// See and change everything of the marketplace.
    case `operator`
    /// See the payments of the merchant with that external identifier.
    case merchant(String)

    /// Reads `checkout`, `operator` or `merchant:<external identifier>`; nil for anything else.
    init?(argument: String) {
        switch argument {
        case "checkout": self = .checkout
        case "operator": self = .operator
        default:
            // Scopes are stored separated by commas.
            guard argument.hasPrefix("merchant:"), argument.utf8.count > 9, !argument.contains(",") else { return nil }
            self = .merchant(String(argument.dropFirst(9)))
        }
    }

    /// The scope as it is stored and shown.
    var text: String {
        switch self {
        case .checkout: "checkout"
        case .operator: "operator"
        case .merchant(let name): "merchant:" + name
        }
    }

    static let allValueStrings = ["checkout", "operator", "merchant:<external identifier>"]
}
