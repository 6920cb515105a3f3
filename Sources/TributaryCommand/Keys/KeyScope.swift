import ArgumentParser

/// What an API key may do.
enum KeyScope: Hashable, ExpressibleByArgument {
    /// Place and read orders.
    case checkout
    /// See and change everything of the marketplace.
    case `operator`
    /// Write off and force what files and books differ by.
    case adjuster
    /// See the payments of the merchant with that external identifier.
    case merchant(String)

    /// Reads `checkout`, `operator`, `adjuster` or `merchant:<external identifier>`; nil for anything else.
    init?(argument: String) {
        switch argument {
        case "checkout": self = .checkout
        case "operator": self = .operator
        case "adjuster": self = .adjuster
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
        case .adjuster: "adjuster"
        case .merchant(let name): "merchant:" + name
        }
    }

    static let allValueStrings = ["checkout", "operator", "adjuster", "merchant:<external identifier>"]
}
