/// Who is paid on the wire, for each kind of route.
///
/// The books of a route say who is owed (`settles_to`); the two have to agree, or money is owed twice or not at all.
public struct Payees: Hashable, Sendable {
    /// Who gets what is captured.
    public enum Payee: String, Sendable {
        /// The owner of our account at the PSP: the marketplace, which owes the merchant.
        case marketplace
        /// The owner of the merchant's account that the route names.
        case merchant
        /// Whoever owns the account that is named: no request tells, only the contract with the PSP, so that the
        /// operator's word in `settles_to` counts.
        case byContract = "by_contract"
        /// Nobody: a call for such a route is refused before anything is sent.
        case nobody
    }

    /// Where the route names no merchant account.
    public var withoutMerchantAccount: Payee
    /// Where it names one, and settles to the marketplace.
    public var toMarketplace: Payee
    /// Where it names one, and settles to the merchant.
    public var toMerchant: Payee

    /// Makes a declaration; left out, the PSP does as the route says.
    public init(
        withoutMerchantAccount: Payee = .marketplace,
        toMarketplace: Payee = .marketplace,
        toMerchant: Payee = .merchant
    ) {
        self.withoutMerchantAccount = withoutMerchantAccount
        self.toMarketplace = toMarketplace
        self.toMerchant = toMerchant
    }
}
