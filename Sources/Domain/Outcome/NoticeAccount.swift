/// At whose account an event happened, as far as its PSP says.
///
/// A submerchant may write what it likes on objects of its own, our identifiers included. A PSP at which submerchants
/// act themselves names their accounts; ``unsaid`` is only for events whose documents never name one.
public enum NoticeAccount: Hashable, Sendable {
    /// A merchant's account, by the PSP's name for it.
    case merchant(String)
    /// The platform's own account, with the PSP's name for it if it gives one.
    case platform(String? = nil)
    /// None that the PSP names: our references and the PSP's name of the payment decide.
    case unsaid

    /// The PSP's name for it; nil if there is none.
    public var name: String? {
        switch self {
        case .merchant(let name): name
        case .platform(let name): name
        case .unsaid: nil
        }
    }

    /// Whether the PSP names another account than the one that a payment was routed to: the route's `merchantAccount`, or
    /// the platform's own if it names none.
    package func isOther(than merchantAccount: String?) -> Bool {
        switch self {
        case .unsaid: false
        case .merchant(let name): merchantAccount != name
        case .platform(let name): merchantAccount != nil && merchantAccount != name
        }
    }
}
