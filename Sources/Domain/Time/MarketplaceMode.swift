/// Whether a marketplace moves real money; it never changes.
public enum MarketplaceMode: String, Sendable, CaseIterable {
    /// No real money: accounts in PSPs' test worlds, and a clock that can be moved forward.
    case test
    /// Real money.
    case live
}
