/// One request that reached the books; together in their order they are all that the books are made of.
package struct Submission: Hashable, Sendable {
    /// When it came, in milliseconds since 1970.
    package let at: Int64
    /// The account that sent it.
    package let account: String
    /// Its idempotency key; nil if it came without one, and is a request of its own whatever came before.
    package let key: String?
    /// What it asks.
    package internal(set) var command: Command
    /// How it is answered whatever its token says; nil for as that says.
    ///
    /// It is kept in no file.
    package var delivery: Delivery?

    /// Makes a submission.
    package init(at: Int64, account: String, key: String?, command: Command) {
        self.at = at
        self.account = account
        self.key = key
        self.command = command
    }
}

/// What a request asks of the books, without anything that must not be kept.
///
/// Two requests under one key are the same if their commands are equal.
package enum Command: Hashable, Sendable {
    /// Hold an amount, or take it in the same call.
    case authorize(AuthorizeCommand)
    /// Change an authorization.
    case change(ChangeCommand)

    /// What the command is about in the caller's words; a request without a key is known again by it.
    package var subject: String {
        switch self {
        case .authorize(let authorize): "authorize \(authorize.reference)"
        case .change(let change): "\(change.kind.rawValue) \(change.target) \(change.reference)"
        }
    }

    /// Which operation this is.
    package var kind: OperationKind {
        switch self {
        case .authorize: .authorize
        case .change(let change): change.kind
        }
    }
}

/// A request to hold an amount, or to take it in the same call.
package struct AuthorizeCommand: Hashable, Sendable {
    /// The caller's name for it.
    package var reference: String
    /// The amount in minor units, above 0.
    package var amount: Int64
    /// The currency's alphabetic code.
    package var currency: String
    /// What pays.
    package var method: PaymentMethod
    /// Whether to capture in the same call.
    package var capture: Bool
    /// The commission to keep for the marketplace, in minor units.
    package var applicationFee: Int64?
    /// Where the buyer goes after a step of theirs.
    package var returnURL: String?
    /// The caller's own notes.
    package var metadata: [String: String]
    /// What a PSP's dialect wants back and the books do not understand.
    package var details: [String: String]
    /// The PSP's name for it, if it has one before it reaches the books; the books find it by this as well.
    package var identifier: String?
    /// Whether a void only releases what is held, and never takes back what is captured, settled or not; a reversal does.
    package var keepsCaptures = false
    /// Whether an approval of less than the amount is taken; if not, what would be one is a decline.
    package var takesPart = true
    /// Whether a capture that fails ends it: nothing is held any more, and nothing can be captured or released.
    package var endsWithFailedCapture = false

    /// Makes a command.
    package init(
        reference: String,
        amount: Int64,
        currency: String,
        method: PaymentMethod,
        capture: Bool = false,
        applicationFee: Int64? = nil,
        returnURL: String? = nil,
        metadata: [String: String] = [:],
        details: [String: String] = [:],
        identifier: String? = nil
    ) {
        self.reference = reference
        self.amount = amount
        self.currency = currency
        self.method = method
        self.capture = capture
        self.applicationFee = applicationFee
        self.returnURL = returnURL
        self.metadata = metadata
        self.details = details
        self.identifier = identifier
    }
}

/// A request to capture, void or refund.
package struct ChangeCommand: Hashable, Sendable {
    /// How the caller names the authorization.
    package enum Target: Hashable, Sendable {
        /// By the simulator's identifier.
        case id(String)
        /// By the caller's own reference, which must be of one authorization only.
        case reference(String)
    }

    /// `capture`, `void` or `refund`.
    package var kind: OperationKind
    /// The authorization.
    package var target: Target
    /// The caller's name for the operation.
    package var reference: String
    /// The amount in minor units, above 0; nil for a void, and for all that can be captured or refunded.
    package var amount: Int64?
    /// The commission to keep or to give back, in minor units.
    package var applicationFee: Int64?
    /// For a capture: whether what is not taken is released.
    package var isFinal: Bool
    /// The caller's own notes.
    package var metadata: [String: String] = [:]
    /// What a PSP's dialect wants back and the books do not understand.
    package var details: [String: String] = [:]
    /// For a void: whether it refunds what is left of a payment that has been captured.
    package var isReversal = false
    /// How it is worked on unless the token says otherwise; nil if it is done at once.
    package var latency: Latency?

    /// Makes a command.
    package init(
        _ kind: OperationKind,
        of target: Target,
        reference: String,
        amount: Int64? = nil,
        applicationFee: Int64? = nil,
        isFinal: Bool = true
    ) {
        self.kind = kind
        self.target = target
        self.reference = reference
        self.amount = amount
        self.applicationFee = applicationFee
        self.isFinal = isFinal
    }
}

/// How a PSP works on a change that it answers before it has acted.
package struct Latency: Hashable, Sendable {
    /// How long it takes unless a trigger says otherwise, in milliseconds.
    package let milliseconds: Int64
    /// Whether a change that the state or the amount does not allow is taken as well, and fails by then.
    ///
    /// If not, it is refused at once.
    package let takesAll: Bool

    /// Describes a latency.
    package init(milliseconds: Int64, takesAll: Bool) {
        self.milliseconds = milliseconds
        self.takesAll = takesAll
    }
}

/// What a buyer answered on the page of an authorization that required an action.
package struct ActionAnswer: Hashable, Sendable {
    /// When, in milliseconds since 1970.
    package let at: Int64
    /// The authorization's identifier, which the page's address holds.
    package let authorization: String
    /// Whether the buyer approved.
    package let approves: Bool

    /// Makes an answer.
    package init(at: Int64, authorization: String, approves: Bool) {
        self.at = at
        self.authorization = authorization
        self.approves = approves
    }
}
