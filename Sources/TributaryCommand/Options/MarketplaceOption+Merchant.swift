import Domain
import SQL
import Storage

extension MarketplaceOption {
    /// The merchant of the marketplace that is meant, by its external identifier or its id.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or what ``choose(in:)`` throws.
    func merchant(_ name: String, in session: any Session) throws -> Merchant {
        let owner = try choose(in: session)
        if let known = try MerchantTable.find([name], of: owner, in: session).first { return known }
        if let id = MerchantID(name), let known = try MerchantTable.find(id, of: owner, in: session) { return known }
        throw CommandFailure.finding("there is no merchant \(name.harmless)")
    }
}
