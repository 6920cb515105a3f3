import ArgumentParser
import Domain
import SQL
import Storage

/// What an API key may do.
enum KeyScope: Hashable, ExpressibleByArgument {
    /// Place and read orders.
    case checkout
    /// See and change everything of the marketplace.
    case `operator`
    /// Write off and force what files and books differ by.
    case adjuster
    /// See the payments of the merchant with that external identifier or id.
    case merchant(String)

    /// Reads `checkout`, `operator`, `adjuster` or `merchant:<external identifier or id>`; nil for anything else.
    init?(argument: String) {
        switch argument {
        case "checkout": self = .checkout
        case "operator": self = .operator
        case "adjuster": self = .adjuster
        default:
            // Scopes are stored separated by commas.
            guard argument.hasPrefix("merchant:"), argument.utf8.count > 9, !argument.contains(",") else { return nil }
            let name = String(argument.dropFirst(9))
            guard TextRule.identifier.allows(name) else { return nil }
            self = .merchant(name)
        }
    }

    /// The scope as it is typed; a merchant's is stored with its id.
    var text: String {
        switch self {
        case .checkout: "checkout"
        case .operator: "operator"
        case .adjuster: "adjuster"
        case .merchant(let name): Self.merchantPrefix + name
        }
    }

    /// The scope as it is stored and shown: bound to the merchant's id, for an external identifier may come to mean
    /// another.
    ///
    /// - Throws: ``CommandFailure`` if the marketplace has no such merchant, or `SQLError`.
    func stored(for marketplace: String, in session: any Session) throws -> String {
        guard case .merchant(let name) = self else { return text }
        if let known = try MerchantTable.find([name], of: marketplace, in: session).first {
            return Self.merchantPrefix + known.id.text
        }
        guard let id = MerchantID(name), try MerchantTable.find(id, of: marketplace, in: session) != nil else {
            throw CommandFailure.unusable("\(marketplace) has no merchant \(name.harmless)")
        }
        return Self.merchantPrefix + id.text
    }

    private static let merchantPrefix = "merchant:"

    static let allValueStrings = ["checkout", "operator", "adjuster", "merchant:<external identifier>"]
}
