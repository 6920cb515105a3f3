/// What became of one thing asked of a PSP, as far as its reply says.
///
/// The default is doubt: a reply the PSP's documents do not promise is ``unknown(reason:)``, never a decline,
/// because a decline is a promise that no money moved.
public enum Outcome: Hashable, Sendable {
    /// It is done.
    case succeeded(Success)
    /// The issuer or a risk rule said no. No money moved.
    case declined(Decline)
    /// The PSP refused the request itself. No money moved because of it.
    case rejected(Rejection)
    /// The PSP works on it and will say later, by webhook or when asked.
    case pending(Progress)
    /// The buyer has to do something first.
    case actionRequired(NextAction, Progress)
    /// Provably nothing left for the PSP, or nothing that can move money.
    case notSent(reason: String)
    /// It may have happened. Only asking again, a webhook or an operator can tell.
    case unknown(reason: String)

    /// Its name in facts, metrics and pages; that of the state it leads to.
    package var name: String {
        switch self {
        case .succeeded: "succeeded"
        case .declined: "declined"
        case .rejected: "rejected"
        case .pending: "pending"
        case .actionRequired: "action_required"
        case .notSent: "not_sent"
        case .unknown: "unknown"
        }
    }
}

/// A payment beside another one that the same request made.
public struct SurplusPayment: Hashable, Sendable {
    /// The PSP's name for it.
    public var reference: String
    /// What was approved of it, in minor units; nil if that is all that was asked for.
    public var approvedAmount: Int64?
    /// What was captured of it, in minor units.
    public var capturedAmount: Int64

    /// Makes one that is approved in full, and of which nothing is captured, unless said.
    public init(reference: String, approvedAmount: Int64? = nil, capturedAmount: Int64 = 0) {
        self.reference = reference
        self.approvedAmount = approvedAmount
        self.capturedAmount = capturedAmount
    }
}

/// A reply that says done.
public struct Success: Hashable, Sendable {
    /// The PSP's name for the object: the payment for an authorization, else the capture, void or refund.
    public var reference: String?
    /// The amount that the PSP says it acted on, in minor units of the operation's currency.
    public var amount: Int64
    /// For an authorization: the part that is already captured (one-call sale), in minor units.
    ///
    /// Nil if the PSP does not say, in a webhook that does not repeat what was asked: then a sale in one call has taken
    /// all of it, and everything else nothing. The answer to a call always says. Of a void, what had been captured before it:
    /// nil in a webhook that does not say, for a PSP that does when it is asked.
    public var capturedAmount: Int64?
    /// For an authorization: the amounts of the captures that make up ``capturedAmount``, where the PSP tells of several.
    public var captures: [Int64] = []
    /// For an authorization that is asked after: further payments that the same request made, each of which holds, or took, the
    /// whole amount; they are released, or given back.
    public var surplus: [SurplusPayment] = []
    /// For a capture: whether it was the last, and released what it left of the hold, where the PSP says so.
    public var isFinal: Bool?
    /// For an authorization: when it lapses, if the PSP says so.
    public var expiresAt: Timestamp?
    /// The card network, as the PSP names it.
    public var network: String?
    /// The last four digits of the funding card or of the token.
    public var last4: String?
    /// Opaque provider state that later operations of the attempt need (links, version tokens).
    public var state: String?
    /// For an authorization under an agreement: what later payments are paid with, if the PSP has kept it.
    public var stored: StoredMethod?
    /// For an authorization: what the card scheme calls it, each kind at most once; empty if the PSP does not tell.
    public var networkTransactionIDs: [NetworkTransactionID]

    /// Makes a success of `amount` minor units.
    public init(
        reference: String?,
        amount: Int64,
        capturedAmount: Int64? = 0,
        expiresAt: Timestamp? = nil,
        network: String? = nil,
        last4: String? = nil,
        state: String? = nil,
        stored: StoredMethod? = nil,
        networkTransactionIDs: [NetworkTransactionID] = []
    ) {
        self.reference = reference
        self.amount = amount
        self.capturedAmount = capturedAmount
        self.expiresAt = expiresAt
        self.network = network
        self.last4 = last4
        self.state = state
        self.stored = stored
        self.networkTransactionIDs = networkTransactionIDs
    }
}

/// What is known of an object the PSP has made but not finished.
public struct Progress: Hashable, Sendable {
    /// The PSP's name for the object.
    public var reference: String?
    /// Opaque provider state that later operations of the attempt need.
    public var state: String?

    /// Makes a progress note.
    public init(reference: String?, state: String? = nil) {
        self.reference = reference
        self.state = state
    }
}

/// What the buyer has to do before the PSP goes on.
public struct NextAction: Hashable, Sendable {
    /// `redirect`: send the buyer to `url`; `client`: hand `data` to the PSP's client library.
    public enum Kind: String, Sendable {
        /// Send the buyer to the URL.
        case redirect
        /// Hand the data to the PSP's client library.
        case client
    }

    /// What to do.
    public var kind: Kind
    /// Where to send the buyer.
    public var url: String?
    /// What the client library needs.
    public var data: String?
    /// When the PSP gives up waiting, if it says so.
    public var expiresAt: Timestamp?

    /// Makes a next action.
    public init(kind: Kind, url: String? = nil, data: String? = nil, expiresAt: Timestamp? = nil) {
        self.kind = kind
        self.url = url
        self.data = data
        self.expiresAt = expiresAt
    }
}
