/// One thing that a PSP says on its own: by webhook, or in a list of what happened.
///
/// Notices may come twice, in any order, before the answer to our own request, and about things that we did not start.
public struct Notice: Hashable, Sendable {
    /// What it is about, as far as the PSP says; at least one of the names is there.
    public var subject: Subject
    /// What happened.
    public var happening: Happening
    /// When it happened, by the PSP's clock, if it says so.
    public var at: Timestamp?

    /// Makes a notice.
    public init(about subject: Subject, _ happening: Happening, at: Timestamp? = nil) {
        self.subject = subject
        self.happening = happening
        self.at = at
    }

    /// The names by which a PSP tells what it speaks of.
    public struct Subject: Hashable, Sendable {
        /// Our reference of the payment at the PSP: the attempt's identifier.
        public var attempt: String?
        /// Our name for what was asked, if the PSP echoes it: the operation's identifier.
        public var operation: String?
        /// The PSP's name for the payment.
        public var payment: String?
        /// The PSP's name for the capture, void, refund or dispute itself.
        public var object: String?
        /// The amount of what failed after all, in minor units of the payment's currency, from a PSP that does not name it.
        public var amount: Int64?
        /// Whether somebody else asked for it: the PSP tells our name with everything that we asked for, and told none.
        ///
        /// Of an approval that says what was captured: unless that came with a sale in one call.
        public var isOthers: Bool

        /// Gathers the names.
        public init(
            attempt: String? = nil,
            operation: String? = nil,
            payment: String? = nil,
            object: String? = nil,
            amount: Int64? = nil,
            isOthers: Bool = false
        ) {
            self.attempt = attempt
            self.operation = operation
            self.payment = payment
            self.object = object
            self.amount = amount
            self.isOthers = isOthers
        }
    }

    /// What was done to a payment.
    public enum Action: String, Sendable, CaseIterable {
        /// An amount was held, or was not.
        case authorize
        /// It was taken.
        case capture
        /// The hold was released.
        case void
        /// It was given back.
        case refund
    }

    /// What happened.
    public enum Happening: Hashable, Sendable {
        /// An action came to something, as an answer to it would say.
        case outcome(Action, Outcome)
        /// A capture or a refund that was said to have succeeded has failed after all.
        case reversed(Action, Rejection)
        /// The hold lapsed by itself.
        case lapsed
        /// The buyer's bank disputes the payment.
        case dispute(DisputeNotice)
    }
}

/// News of a dispute.
public struct DisputeNotice: Hashable, Sendable {
    /// Where a dispute stands.
    public enum State: String, Sendable, CaseIterable {
        /// The amount is taken back for now; evidence may be sent.
        case opened
        /// The amount is given to the merchant again.
        case won
        /// The amount stays with the buyer.
        case lost
    }

    /// Where it stands.
    public var state: State
    /// The disputed amount in minor units of the payment's currency; of what is lost in part, what is lost.
    public var amount: Int64
    /// What was taken until it was won or lost, in minor units, where that is more than `amount`; nil if it is the same.
    public var disputed: Int64?
    /// Why, as the PSP names it.
    public var reason: String?
    /// Until when evidence may be sent.
    public var respondBy: Timestamp?
    /// What the PSP takes for the dispute so far, in minor units of the payment's currency; nil if it does not say.
    public var fee: Int64?

    /// Makes news of a dispute.
    public init(
        state: State,
        amount: Int64,
        disputed: Int64? = nil,
        reason: String? = nil,
        respondBy: Timestamp? = nil,
        fee: Int64? = nil
    ) {
        self.state = state
        self.amount = amount
        self.disputed = disputed
        self.reason = reason
        self.respondBy = respondBy
        self.fee = fee
    }
}

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
