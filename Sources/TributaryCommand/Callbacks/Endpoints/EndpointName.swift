import Domain
import SQL
import Storage

/// How people name an endpoint: by its id, by the marketplace's id, or by a merchant's external identifier.
struct EndpointName {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The endpoint that is meant.
    ///
    /// - Parameters:
    ///   - marketplace: whose; nil for whichever there is.
    ///   - session: the transaction.
    /// - Returns: the endpoint.
    /// - Throws: ``CommandFailure`` if there is none or more than one, or `SQLError`.
    func find(of marketplace: String?, in session: any Session) throws -> CallbackEndpoint {
        if let id = EndpointID(text) {
            if let found = try CallbackEndpointTable.find(id, in: session),
                marketplace == nil || found.marketplace == marketplace
            {
                return found
            }
            throw absence
        }
        let owners = try marketplace.map { [$0] } ?? MarketplaceTable.all(in: session).map(\.id)
        var found: [CallbackEndpoint] = []
        for owner in owners {
            if owner == text, let own = try CallbackEndpointTable.find(of: owner, merchant: nil, in: session) {
                found.append(own)
            }
            for merchant in try MerchantTable.find([text], of: owner, in: session) {
                found += [try CallbackEndpointTable.find(of: owner, merchant: merchant.id, in: session)]
                    .compactMap(\.self)
            }
        }
        guard let only = found.first else { throw absence }
        guard found.count == 1 else {
            let names = found.map { "\($0.id) (\($0.url.harmless))" }.joined(separator: " or ")
            throw CommandFailure.unusable("\(text.harmless) may mean \(names); say which by its id")
        }
        return only
    }

    private var absence: CommandFailure {
        .finding("there is no endpoint \(text.harmless); `tributary callbacks endpoints` shows those there are")
    }
}
