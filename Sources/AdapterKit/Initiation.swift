public import Domain

/// Who starts a payment, and whether what pays is kept for more.
public enum Initiation: Hashable, Sendable {
    /// The buyer, and nothing is kept.
    case buyer
    /// The buyer, who agrees to later payments: what pays is kept for them.
    case buyerStoring(FirstPayment)
    /// The merchant, under an agreement, while the buyer is away: no cryptogram, no step of the buyer's.
    case merchant(MerchantCharge)

    /// Whether what pays is kept for more.
    public var isStoring: Bool { if case .buyerStoring = self { true } else { false } }

    /// What the first payment of an agreement tells the PSP.
    public struct FirstPayment: Hashable, Sendable {
        /// The agreement.
        ///
        /// Its text is our name of the buyer where a PSP wants one (Adyen's `shopperReference`): the same for every payment
        /// of the agreement, of no other one, and nothing personal.
        public var agreement: AgreementID
        /// What it lets the merchant charge.
        public var type: AgreementType

        /// Makes one.
        public init(agreement: AgreementID, type: AgreementType) {
            self.agreement = agreement
            self.type = type
        }
    }

    /// What a later payment of an agreement tells the PSP.
    public struct MerchantCharge: Hashable, Sendable {
        /// The agreement; see ``FirstPayment/agreement``.
        public var agreement: AgreementID
        /// What it lets the merchant charge.
        public var type: AgreementType
        /// Why it is charged now.
        public var reason: ChargeReason
        /// The PSP's name of the first payment, if that was made at the same PSP account.
        public var firstReference: String?
        /// What the scheme calls the first payment, each kind at most once; empty where nobody told.
        public var networkTransactionIDs: [NetworkTransactionID]

        /// Makes one.
        public init(
            agreement: AgreementID,
            type: AgreementType,
            reason: ChargeReason,
            firstReference: String? = nil,
            networkTransactionIDs: [NetworkTransactionID] = []
        ) {
            self.agreement = agreement
            self.type = type
            self.reason = reason
            self.firstReference = firstReference
            self.networkTransactionIDs = networkTransactionIDs
        }
    }
}

/// What a PSP does for payments under an agreement, as its documents promise it.
public struct AgreementSupport: Hashable, Sendable {
    /// The credentials that it keeps when a buyer first pays with them, and gives a token of its own for
    /// (`stores_credentials`); what ``Success/stored`` then has.
    public var storesCredentials: Set<CredentialKind>
    /// The credentials that a merchant-initiated payment is taken with (`merchant_initiated`): `pspToken` for a token of its
    /// own, `storedNetworkToken` for a network token's number that we keep.
    public var merchantInitiated: Set<CredentialKind>
    /// What it does with the scheme's name of the first payment (`network_transaction_id`).
    public var networkTransactionID: Set<NetworkTransactionIDUse>

    /// Makes a declaration; left out, the PSP does nothing of it.
    public init(
        storesCredentials: Set<CredentialKind> = [],
        merchantInitiated: Set<CredentialKind> = [],
        networkTransactionID: Set<NetworkTransactionIDUse> = []
    ) {
        self.storesCredentials = storesCredentials
        self.merchantInitiated = merchantInitiated
        self.networkTransactionID = networkTransactionID
    }

    /// What a PSP does with the scheme's name of the first payment.
    public enum NetworkTransactionIDUse: String, Sendable, CaseIterable {
        /// It tells it with the first payment.
        case read
        /// It takes it with a later one.
        case write
    }
}

/// A stored method that a PSP is to forget.
public struct MethodRemoval: Hashable, Sendable {
    /// The agreement that it was kept for; see ``Initiation/FirstPayment/agreement``.
    public var agreement: AgreementID
    /// The PSP's name of the method.
    public var token: Secret
    /// The customer at the PSP that it belongs to, as ``StoredMethod/customer`` told.
    public var customer: Secret?
    /// The submerchant's account at the PSP that the first payment was made for, if the route had one.
    public var merchantAccount: String?

    /// Makes a removal.
    public init(agreement: AgreementID, token: Secret, customer: Secret? = nil, merchantAccount: String? = nil) {
        self.agreement = agreement
        self.token = token
        self.customer = customer
        self.merchantAccount = merchantAccount
    }
}

extension Call {
    /// What a charge under an agreement was paid with, as the PSP shows it now: the card behind a token may have become another.
    ///
    /// - Parameters:
    ///   - token: the PSP's name of what paid.
    ///   - network: the card network, as the PSP names it.
    ///   - last4: the last four digits of the card.
    ///   - expiryMonth: the month after which it is no longer taken.
    ///   - expiryYear: the year of that month.
    /// - Returns: the method; nil for what is no charge with that token, and unless the PSP tells digits and expiry.
    public func chargedMethod(
        _ token: String?,
        network: String?,
        last4: String?,
        expiryMonth: Int?,
        expiryYear: Int?
    ) -> StoredMethod? {
        guard case .authorize(let authorization) = kind, case .merchant = authorization.initiation,
            case .pspToken(let known, let customer)? = authorization.credential, let token, token == known.reveal(),
            let last4, let expiryMonth, let expiryYear
        else { return nil }
        return StoredMethod(
            token: known,
            customer: customer,
            network: network,
            last4: last4,
            expiryMonth: expiryMonth,
            expiryYear: expiryYear
        )
    }
}
