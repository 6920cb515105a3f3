import Domain
import SQL
import Storage

/// What people call the merchants that endpoints belong to.
enum MerchantNames {
    /// Their external identifiers.
    ///
    /// - Throws: `SQLError`.
    static func of(_ endpoints: [CallbackEndpoint], in session: any Session) throws -> [MerchantID: String] {
        var names: [MerchantID: String] = [:]
        for endpoint in endpoints {
            guard let merchant = endpoint.merchant else { continue }
            let found = try MerchantTable.find(merchant, of: endpoint.marketplace, in: session)
            names[merchant] = found?.externalIdentifier
        }
        return names
    }
}
