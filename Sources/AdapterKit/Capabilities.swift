public import Domain

/// What a PSP can do, as its documents promise it.
///
/// The gateway decides by these, never by a PSP's name.
public struct Capabilities: Hashable, Sendable {
    /// The credentials it takes.
    public var credentials: Set<CredentialKind>
    /// Whether an authorization can capture in the same call.
    public var saleInOneCall: Bool
    /// Whether less than the authorized amount can be captured, the rest being released.
    public var partialCapture: Bool
    /// Whether an authorization can be captured more than once, what is left staying held until a final capture.
    public var multipleCapture: Bool
    /// Whether what several captures left of a hold can be voided, what they took staying taken.
    public var releaseAfterCapture: Bool
    /// Whether less than the captured amount can be refunded, several times over.
    public var partialRefund: Bool
    /// Whether a capture can be refunded before it has settled; if not, it is voided until then.
    public var refundBeforeSettlement: Bool
    /// The actions that are answered `pending` as a rule, and come to an end by webhook or when asked after.
    ///
    /// Any other action may still be answered so now and then.
    public var asynchronous: Set<Notice.Action>
    /// How it keeps a repeated request from having a second effect.
    public var idempotency: Idempotency
    /// How it answers what became of a request.
    public var inquiry: Inquiry
    /// Whether a void takes our reference where the PSP's is not known yet, and tells whether there was a hold to release.
    public var undoByReference: Bool
    /// How often to ask after what it works on, in milliseconds.
    public var pendingPollMilliseconds: Int64
    /// Within what time it finishes what it works on, in milliseconds; beyond it a person should look.
    public var expectedWithinMilliseconds: Int64
    /// How long an authorization lives if the reply does not say, in milliseconds.
    public var authorizationLifeMilliseconds: Int64
    /// Whether the commission can be kept by the PSP for the marketplace when the merchant is settled directly.
    public var applicationFee: Bool
    /// Whether what is refunded in the PSP's portal leaves the marketplace the commission, unless somebody says otherwise
    /// there; if not, or if nobody knows, the books give back a share of it.
    public var keepsCommissionOfRefunds: Bool
    /// Whether a refund gives back nothing of what the PSP kept for the marketplace or the refund's share of it, and no
    /// other amount.
    public var returnsFeeInProportion: Bool
    /// Who is paid on the wire, for each kind of route.
    public var payees: Payees
    /// Whether a currency can be charged, and in which unit: its exponent at this PSP by alphabetic code.
    ///
    /// A code that is missing uses the ISO 4217 exponent; nil as the value says the PSP does not take it.
    public var exponents: [String: Int?]
    /// What it does for payments under an agreement.
    public var agreements: AgreementSupport

    /// Makes a declaration.
    public init(
        credentials: Set<CredentialKind>,
        saleInOneCall: Bool,
        partialCapture: Bool,
        idempotency: Idempotency,
        inquiry: Inquiry,
        pendingPollMilliseconds: Int64,
        expectedWithinMilliseconds: Int64,
        authorizationLifeMilliseconds: Int64,
        applicationFee: Bool,
        exponents: [String: Int?] = [:],
        multipleCapture: Bool = false,
        partialRefund: Bool = true,
        refundBeforeSettlement: Bool = true,
        asynchronous: Set<Notice.Action> = [],
        undoByReference: Bool = false,
        releaseAfterCapture: Bool = false,
        keepsCommissionOfRefunds: Bool = false,
        returnsFeeInProportion: Bool = false,
        payees: Payees = Payees(),
        agreements: AgreementSupport = AgreementSupport()
    ) {
        self.credentials = credentials
        self.saleInOneCall = saleInOneCall
        self.partialCapture = partialCapture
        self.idempotency = idempotency
        self.inquiry = inquiry
        self.pendingPollMilliseconds = pendingPollMilliseconds
        self.expectedWithinMilliseconds = expectedWithinMilliseconds
        self.authorizationLifeMilliseconds = authorizationLifeMilliseconds
        self.applicationFee = applicationFee
        self.exponents = exponents
        self.multipleCapture = multipleCapture
        self.partialRefund = partialRefund
        self.refundBeforeSettlement = refundBeforeSettlement
        self.asynchronous = asynchronous
        self.undoByReference = undoByReference
        self.releaseAfterCapture = releaseAfterCapture
        self.keepsCommissionOfRefunds = keepsCommissionOfRefunds
        self.returnsFeeInProportion = returnsFeeInProportion
        self.payees = payees
        self.agreements = agreements
    }

    /// How a PSP keeps a repeated request from having a second effect.
    public enum Idempotency: Hashable, Sendable {
        /// A key, kept for at least that many milliseconds, with the results that are kept under it.
        case key(retentionMilliseconds: Int64, keeps: KeptResults)
        /// It does not: a request is sent at most once, on a fresh connection.
        case none
    }

    /// Which results a PSP keeps under a key, and so what a repeated request is answered.
    ///
    /// What came to nothing before it was carried out, such as a clash of two requests under one key (409) or too many
    /// requests (429), is kept nowhere.
    public enum KeptResults: Hashable, Sendable {
        /// What became of the request, whatever was answered first.
        case outcomes
        /// The first answer, an error of the PSP's own (5xx) included, which a repetition only repeats.
        case all
        /// Successes (2xx) only: what was answered otherwise is carried out again, though it may have had its effect.
        case successes
    }

    /// How a PSP answers what became of a request.
    public enum Inquiry: Hashable, Sendable {
        /// By our reference. "Not found" counts once `visibilityDelayMilliseconds` have passed since sending.
        case byReference(visibilityDelayMilliseconds: Int64)
        /// Only by its own reference, which a lost reply does not give us.
        case byPSPReference
        /// Not at all.
        case none
    }
}

extension Capabilities {
    /// How it times what it works on.
    package var timings: ReportTimings {
        var repetitionDelay: Int64?
        if case .key(_, .successes) = idempotency, case .byReference(let visibilityDelay) = inquiry {
            repetitionDelay = visibilityDelay
        }
        return ReportTimings(
            pollMilliseconds: pendingPollMilliseconds,
            expectedWithinMilliseconds: expectedWithinMilliseconds,
            authorizationLifeMilliseconds: authorizationLifeMilliseconds,
            repetitionDelayMilliseconds: repetitionDelay
        )
    }
}

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
