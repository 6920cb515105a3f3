public import Domain

/// One thing asked of a PSP, with all an adapter needs to write it.
public struct Call: Hashable, Sendable {
    /// The order, for the PSP's metadata.
    public var order: OrderID
    /// The payment, for the PSP's metadata.
    public var payment: PaymentID
    /// The attempt.
    ///
    /// Its text is our reference at the PSP, by which an inquiry can find the payment.
    public var attempt: AttemptID
    /// The operation.
    ///
    /// Idempotency keys derive from it.
    public var operation: OperationID
    /// The context's own reference, which its merchant may see.
    public var reference: String?
    /// The amount of the operation.
    public var money: Money
    /// The submerchant's account at the PSP (Stripe `acct_…`), if the route has one.
    public var merchantAccount: String?
    /// Whether the PSP pays what is taken to ``merchantAccount``; if not, to the marketplace, which owes the merchant.
    ///
    /// Without a merchant account there is nobody else to pay, whatever this says.
    public var settlesToMerchant: Bool
    /// The PSP's reference of the payment, once it is known.
    public var pspReference: String?
    /// Opaque provider state kept for the attempt.
    public var pspState: String?
    /// What is asked.
    public var kind: Kind
    /// Whether it is to be done, or only asked after.
    public var purpose: Purpose
    /// How many times the operation was begun anew, each time under another key.
    public var retries: Int64
    /// Whether an inquiry after an authorization, which was approved, is about what the PSP stored: what became of the amount
    /// since, it tells all the same.
    public var asksForStoredMethod = false

    /// Makes a call.
    public init(
        order: OrderID,
        payment: PaymentID,
        attempt: AttemptID,
        operation: OperationID,
        reference: String? = nil,
        money: Money,
        merchantAccount: String? = nil,
        settlesToMerchant: Bool = true,
        pspReference: String? = nil,
        pspState: String? = nil,
        kind: Kind,
        purpose: Purpose,
        retries: Int64 = 0
    ) {
        self.order = order
        self.payment = payment
        self.attempt = attempt
        self.operation = operation
        self.reference = reference
        self.money = money
        self.merchantAccount = merchantAccount
        self.settlesToMerchant = settlesToMerchant
        self.pspReference = pspReference
        self.pspState = pspState
        self.kind = kind
        self.purpose = purpose
        self.retries = retries
    }

    /// The idempotency key of the operation's n-th exchange, from 0: ASCII, at most 36 characters.
    public func key(exchange: Int) -> String {
        retries == 0 ? "\(operation.text).\(exchange)" : "\(operation.text).\(retries).\(exchange)"
    }

    /// Do it, or find out what became of it.
    public enum Purpose: String, Sendable {
        /// Do it. The same call gives the same bytes, so doing it again under its key is a replay.
        case perform
        /// Find out what became of it, without any effect. The outcome is the outcome of the operation itself;
        /// `Rejection.Reason.notFound` says that the PSP has no trace of it.
        case inquire
    }

    /// What is asked.
    public enum Kind: Hashable, Sendable {
        /// Hold the amount, or with `capture: true` take it in one call.
        case authorize(Authorization)
        /// Take the amount of an authorization.
        ///
        /// If it is final, the rest is released; if not, more can be captured later, which only a PSP with
        /// ``Capabilities/multipleCapture`` is asked for.
        case capture(applicationFee: Int64?, isFinal: Bool = true)
        /// Release the authorization.
        case void
        /// Give back the amount, all of a captured payment or a part.
        case refund(applicationFee: Int64?)
    }

    /// What an authorization needs beyond the amount.
    public struct Authorization: Hashable, Sendable {
        /// What pays; nil once it has been erased, when only inquiries are left.
        public var credential: Credential?
        /// Whether to capture in the same call.
        public var capture: Bool
        /// The commission the PSP is to keep for the marketplace, in minor units; nil if it takes none.
        public var applicationFee: Int64?
        /// Where the PSP sends the buyer after a step of theirs.
        public var returnURL: String?
        /// A line for the buyer's statement or the PSP's dashboard.
        public var description: String?
        /// Who pays; nil if the checkout said nothing of them, or once it has been erased with the credential.
        public var buyer: BuyerDetails?
        /// What the buyer reads on the statement, as far as the PSP lets us say it; printable ASCII, at most 22 characters.
        public var statementDescriptor: String?
        /// What is sold; empty if the checkout did not say it.
        public var lineItems: [LineItem]
        /// What of the amount is for shipping, in minor units; nil if nothing is.
        public var shipping: Int64?
        /// Who starts it, and whether what pays is kept for more.
        public var initiation: Initiation

        /// Makes an authorization.
        public init(
            credential: Credential?,
            capture: Bool = false,
            applicationFee: Int64? = nil,
            returnURL: String? = nil,
            description: String? = nil,
            buyer: BuyerDetails? = nil,
            statementDescriptor: String? = nil,
            lineItems: [LineItem] = [],
            shipping: Int64? = nil,
            initiation: Initiation = .buyer
        ) {
            self.credential = credential
            self.capture = capture
            self.applicationFee = applicationFee
            self.returnURL = returnURL
            self.description = description
            self.buyer = buyer
            self.statementDescriptor = statementDescriptor
            self.lineItems = lineItems
            self.shipping = shipping
            self.initiation = initiation
        }
    }
}

extension Call {
    /// Who starts the payment that it is about; of one that was authorized before, the buyer.
    public var initiation: Initiation {
        if case .authorize(let authorization) = kind { authorization.initiation } else { .buyer }
    }
}

/// What a search for the payment means that does not find it.
extension Call {
    /// The outcome if the PSP does not list the payment.
    ///
    /// PSPs list their objects late: an operation that had to search first was not sent, for `reason`; an inquiry ends in
    /// `answer`.
    public func unlisted(_ reason: String, answer: Outcome) -> Outcome {
        purpose == .perform ? .notSent(reason: reason) : answer
    }

    /// The outcome if the search tells nothing: an operation that had to search first was not sent, an inquiry ends in
    /// doubt.
    public func doubt(_ reason: String) -> Outcome {
        purpose == .perform ? .notSent(reason: reason) : .unknown(reason: reason)
    }
}
