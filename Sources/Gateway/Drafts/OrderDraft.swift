package import AdapterKit
package import Domain

/// An order as a checkout asks for it: well-formed, but not yet checked against anything stored.
package struct OrderDraft: Hashable, Sendable {
    /// The marketplace's own name for it.
    package var reference: String?
    /// The amount of the whole checkout.
    package var amount: Money
    /// Whether the checkout said that a residual is left uncharged.
    package var acceptsResidual: Bool
    /// When a partial success is acceptable.
    package var policy: Policy
    /// When money is taken.
    package var capture: OrderTerms.Capture
    /// How long the checkout waits, in milliseconds.
    package var deadlineMilliseconds: Int64?
    /// When the order is decided at the latest.
    package var decideBy: DecideBy?
    /// What happens when the deadline passes; by default abandon for wallet tokens, else continue.
    package var onDeadline: OrderTerms.OnDeadline?
    /// What happens when a capture fails after acceptance.
    package var onCaptureFailure: OrderTerms.OnCaptureFailure
    /// Where a PSP sends the buyer after a step of theirs.
    package var returnURL: String?
    /// Who pays, for the PSPs alone.
    package var buyer: BuyerDetails?
    /// What pays, if it stands on the order.
    package var payment: Instrument?
    /// What the checkout had stored before the sheet opened.
    package var paymentRequest: PaymentRequestID?
    /// How the buyer follows it in Wallet, if the checkout says more than that it is paid with Apple Pay.
    package var walletOrder: WalletOrder?
    /// The parts, one for each merchant.
    package var contexts: [Context]
    /// What the marketplace attached.
    package var metadata: [MetadataItem]
    /// Why the merchant charges under the context's agreement; nil for an order that a buyer pays.
    package var charge: ChargeReason?

    /// Apple's name of the merchant token that pays it, if that was opened and is one.
    var merchantToken: String? { payment?.merchantToken ?? contexts.lazy.compactMap(\.payment?.merchantToken).first }

    /// The agreement that a context names.
    package var agreement: AgreementID? { contexts.lazy.compactMap(\.agreement).first }

    /// Makes a draft with the usual terms.
    package init(
        reference: String? = nil,
        amount: Money,
        acceptsResidual: Bool = false,
        policy: Policy,
        capture: OrderTerms.Capture = .automatic,
        deadlineMilliseconds: Int64? = nil,
        decideBy: DecideBy? = nil,
        onDeadline: OrderTerms.OnDeadline? = nil,
        onCaptureFailure: OrderTerms.OnCaptureFailure = .attention,
        returnURL: String? = nil,
        buyer: BuyerDetails? = nil,
        payment: Instrument? = nil,
        paymentRequest: PaymentRequestID? = nil,
        walletOrder: WalletOrder? = nil,
        contexts: [Context],
        metadata: [MetadataItem] = []
    ) {
        self.reference = reference
        self.amount = amount
        self.acceptsResidual = acceptsResidual
        self.policy = policy
        self.capture = capture
        self.deadlineMilliseconds = deadlineMilliseconds
        self.decideBy = decideBy
        self.onDeadline = onDeadline
        self.onCaptureFailure = onCaptureFailure
        self.returnURL = returnURL
        self.buyer = buyer
        self.payment = payment
        self.paymentRequest = paymentRequest
        self.walletOrder = walletOrder
        self.contexts = contexts
        self.metadata = metadata
    }

    /// What an order in Wallet says beside its payments, its items and its buyer.
    package struct WalletOrder: Hashable, Sendable {
        /// What the buyer knows the order by; its reference if absent.
        package var orderNumber: String?
        /// Texts by language (`en`, `pt-BR`) and key: a text that is a key is shown in the buyer's language.
        package var localisations: [String: [String: String]]
        /// Pictures of what is sold: PNG or JPEG, by the names that items have for them.
        package var pictures: [String: [UInt8]]

        /// Makes one.
        package init(
            orderNumber: String? = nil,
            localisations: [String: [String: String]] = [:],
            pictures: [String: [UInt8]] = [:]
        ) {
            self.orderNumber = orderNumber
            self.localisations = localisations
            self.pictures = pictures
        }

        /// What an item says in Wallet that no PSP is told.
        package struct Item: Hashable, Sendable {
            /// The name of its picture.
            package var picture: String?
            /// The Global Trade Item Number.
            package var gtin: String?

            /// Makes one.
            package init(picture: String? = nil, gtin: String? = nil) {
                self.picture = picture
                self.gtin = gtin
            }
        }
    }

    /// When the order is decided at the latest.
    package enum DecideBy: Hashable, Sendable {
        /// At that moment.
        case at(Timestamp)
        /// That many milliseconds after its placement.
        case after(milliseconds: Int64)
    }

    /// What pays, and where, if it says so.
    package struct Instrument: Hashable, Sendable {
        /// What pays, as the checkout has it.
        package enum Means: Hashable, Sendable {
            /// Something a PSP takes, or an Apple Pay token that has yet to be opened.
            case credential(Credential)
            /// A Google Pay token as JSON text, which has yet to be opened.
            case googlePay(Secret)
        }

        /// What pays.
        package var means: Means
        /// The PSP account that a PSP's own token belongs to.
        package var pspAccount: String?
        /// The card's network, where the wallet's sheet or the caller says it.
        package var network: CardNetwork?
        /// Apple's name of the merchant token that was opened; nil for a device's number, and for what is no token of Apple's.
        package var merchantToken: String?

        /// Makes an instrument of something a PSP takes.
        ///
        /// An Apple Pay token says its network beside what is encrypted.
        package init(credential: Credential, pspAccount: String? = nil, network: CardNetwork? = nil) {
            means = .credential(credential)
            self.pspAccount = pspAccount
            self.network = network
            if case .encryptedApplePay(let token) = credential, network == nil {
                self.network = token.network.flatMap(CardNetwork.init(named:))
            }
        }

        /// Makes an instrument of a Google Pay token, which says nothing of the network itself.
        package init(googlePay token: Secret, network: CardNetwork? = nil) {
            means = .googlePay(token)
            self.network = network
        }

        /// What a PSP takes; nil before a Google Pay token is opened.
        package var credential: Credential? { if case .credential(let credential) = means { credential } else { nil } }
    }

    /// The part for one merchant.
    package struct Context: Hashable, Sendable {
        /// The merchant's stable identifier.
        package var externalIdentifier: String
        /// The amount.
        package var amount: Money
        /// If sent, must equal the merchant's record.
        package var merchantIdentifier: String?
        /// If sent, must equal the merchant's record.
        package var merchantName: String?
        /// If sent, must equal the merchant's record.
        package var merchantDomain: String?
        /// What pays, if it stands on the context.
        package var payment: Instrument?
        /// The commission, if it is not the merchant's rule.
        package var commission: CommissionCharge?
        /// What of the amount is tip or shipping; no kind twice with the same keeper.
        package var stated: [StatedLine]
        /// A reference that the merchant sees.
        package var reference: String?
        /// What the buyer reads on the statement.
        package var statementDescriptor: String?
        /// What is sold, for the PSP alone.
        package var lineItems: [LineItem]
        /// What each of them says in Wallet besides; empty, or as many.
        package var walletItems: [WalletOrder.Item]
        /// Metadata that the merchant sees.
        package var metadata: [MetadataItem]
        /// The agreement that it is paid under.
        package var agreement: AgreementID?

        /// Makes a context.
        package init(
            externalIdentifier: String,
            amount: Money,
            merchantIdentifier: String? = nil,
            merchantName: String? = nil,
            merchantDomain: String? = nil,
            payment: Instrument? = nil,
            commission: CommissionCharge? = nil,
            stated: [StatedLine] = [],
            reference: String? = nil,
            statementDescriptor: String? = nil,
            lineItems: [LineItem] = [],
            walletItems: [WalletOrder.Item] = [],
            metadata: [MetadataItem] = [],
            agreement: AgreementID? = nil
        ) {
            self.externalIdentifier = externalIdentifier
            self.amount = amount
            self.merchantIdentifier = merchantIdentifier
            self.merchantName = merchantName
            self.merchantDomain = merchantDomain
            self.payment = payment
            self.commission = commission
            self.stated = stated
            self.reference = reference
            self.statementDescriptor = statementDescriptor
            self.lineItems = lineItems
            self.walletItems = walletItems
            self.metadata = metadata
            self.agreement = agreement
        }
    }
}
