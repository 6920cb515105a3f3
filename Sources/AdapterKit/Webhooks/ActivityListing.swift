public import Domain

/// A PSP that can be asked for all that happened at an account since a moment, as a pure function.
///
/// What it lists are the events that it tells by webhook, under the same names, so that what was told before is told
/// apart from what was lost. See `tributary recover`.
public protocol ActivityListing: PaymentAdapter {
    /// How far back the PSP lists what happened, in milliseconds; nil for as far as it knows.
    static var activityReachMilliseconds: Int64? { get }

    /// Whether what happened at each merchant's account has to be asked for apart from what happened at ours.
    static var listsMerchantAccountsApart: Bool { get }

    /// Writes the request for a page of what happened.
    ///
    /// It moves no money and has no effect.
    func listing(_ query: ActivityQuery) -> WireRequest

    /// Reads the page.
    ///
    /// Events that say nothing of a payment may be left out.
    func activity(_ reply: WireReply, to query: ActivityQuery) -> ActivityReading
}

extension ActivityListing {
    /// Most PSPs list everything at the account whose key is shown.
    public static var listsMerchantAccountsApart: Bool { false }
}

/// What is asked of a PSP that lists what happened.
public struct ActivityQuery: Hashable, Sendable {
    /// Since when; PSPs that count seconds list all of the second that it is in.
    public var since: Timestamp
    /// The merchant's account to ask for; nil for the account whose key is shown.
    public var merchantAccount: String?
    /// Where the last page ended, in the PSP's own words; nil for the first page.
    public var cursor: String?

    /// Asks for the first page.
    public init(since: Timestamp, merchantAccount: String? = nil) {
        self.since = since
        self.merchantAccount = merchantAccount
    }
}

/// What an adapter makes of a page.
public enum ActivityReading: Hashable, Sendable {
    /// The events, in the PSP's order, and where the next page begins; nil if this is the last.
    case page([WebhookEvent], next: String?)
    /// It is no page, for this reason: nothing is known of what happened.
    case refused(String)
}
