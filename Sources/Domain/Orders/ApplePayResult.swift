/// What a page hands to `completePayment` of an Apple Pay session, so that the sheet can close or let the buyer mend.
///
/// Apple, `ApplePayPaymentAuthorizationResult` (developer.apple.com, read 2026): a status, and errors, the most
/// critical first. The words are Apple's own.
package struct ApplePayResult: Hashable, Sendable {
    /// How the sheet closes.
    package enum Status: String, Sendable {
        /// `STATUS_SUCCESS`.
        case success
        /// `STATUS_FAILURE`.
        case failure
    }

    /// How it closes.
    package let status: Status
    /// What the buyer can mend; none on a failure that no other card of the buyer's would change.
    package let errors: [ApplePayError]

    /// Makes a result.
    package init(status: Status, errors: [ApplePayError] = []) {
        self.status = status
        self.errors = errors
    }
}

/// One thing that the sheet shows the buyer; the words are those of Apple's `ApplePayError`.
package struct ApplePayError: Hashable, Sendable {
    /// Apple's codes (`ApplePayErrorCode`).
    package enum Code: String, Sendable, CaseIterable {
        /// The shipping contact is wrong.
        case shippingContactInvalid
        /// The billing contact is wrong.
        case billingContactInvalid
        /// Nothing is delivered there.
        case addressUnserviceable
        /// There is no such coupon.
        case couponCodeInvalid
        /// The coupon has expired.
        case couponCodeExpired
        /// Anything else; the buyer may try again, also with another card. Apple has no code for a declined card.
        case unknown
    }

    /// Apple's names of a contact's fields (`ApplePayErrorContactField`).
    package enum ContactField: String, Sendable, CaseIterable {
        /// The telephone number; shipping only.
        case phoneNumber
        /// The email address; shipping only.
        case emailAddress
        /// The name.
        case name
        /// The name's pronunciation.
        case phoneticName
        /// The whole address.
        case postalAddress
        /// Street and number.
        case addressLines
        /// The city.
        case locality
        /// A part of the city.
        case subLocality
        /// The postal code.
        case postalCode
        /// The state or province.
        case administrativeArea
        /// A part of the state or province.
        case subAdministrativeArea
        /// The country.
        case country
        /// The country's code.
        case countryCode
    }

    /// What it is.
    package let code: Code
    /// The field, for a wrong contact.
    package let contactField: ContactField?
    /// A sentence for the buyer.
    package let message: String

    /// Makes an error.
    package init(_ code: Code, field contactField: ContactField? = nil, message: String) {
        self.code = code
        self.contactField = contactField
        self.message = message
    }
}

/// What a device needs in order to follow an order in Wallet, but for the token, which whoever answers computes.
///
/// Fixed when the order is placed: what a device was told of an order stays.
package struct WalletOrderReference: Hashable, Sendable {
    /// The order type identifier, which the signing certificate is for: `order.com.example.travel`.
    package let type: String
    /// Where the device's web service is, in https and without a slash at the end.
    package let webServiceURL: String
    /// Whether the sheet is told of it, which is if a package could be signed when the order was placed.
    ///
    /// One that could not is offered by links, once it can be.
    package let isOfferedToSheet: Bool

    /// Makes a reference.
    package init(type: String, webServiceURL: String, isOfferedToSheet: Bool = true) {
        self.type = type
        self.webServiceURL = webServiceURL
        self.isOfferedToSheet = isOfferedToSheet
    }
}

extension Order {
    /// What the sheet is told: success once the order is accepted, and while it is undecided, because a page that shows
    /// "confirming" must not let the buyer pay twice; else failure.
    ///
    /// - Parameter contactErrors: what is wrong with the buyer's contacts, which only the caller knows; shown first,
    /// and only on a failure.
    /// - Returns: the result for Apple's sheet.
    package func applePayResult(contactErrors: [ApplePayError] = []) -> ApplePayResult {
        switch decision.state {
        case .pending, .cleared, .accepted: ApplePayResult(status: .success)
        case .refused, .canceled: ApplePayResult(status: .failure, errors: contactErrors + paymentErrors)
        }
    }

    /// What another card, or another try, may mend; nothing if some card must not be tried again.
    private var paymentErrors: [ApplePayError] {
        let declines = payments.compactMap(\.decline)
        guard !declines.contains(where: { $0.category.endsTheSheet }) else { return [] }
        var messages: [String] = []
        for decline in declines where !messages.contains(decline.category.buyersMessage) {
            messages.append(decline.category.buyersMessage)
        }
        let isLate = decision.reason == .deadline || decision.reason == .decideBy
        if messages.isEmpty, isLate || payments.contains(where: { $0.state == .notSent }) {
            messages = [Decline.Category.temporary.buyersMessage]
        }
        return messages.map { ApplePayError(.unknown, message: $0) }
    }
}

extension Decline.Category {
    /// Whether the buyer is not invited to try again.
    fileprivate var endsTheSheet: Bool { self == .lostOrStolen || self == .suspectedFraud }

    /// A sentence for the buyer, which tells nothing that the issuer would not.
    fileprivate var buyersMessage: String {
        switch self {
        case .insufficientFunds: "The card does not have enough funds. Try another card."
        case .expiredCard: "The card has expired. Try another card."
        case .invalidCard: "The card is not valid. Try another card."
        case .limitExceeded: "The card's limit is exceeded. Try another card."
        case .authenticationRequired, .actionExpired: "The payment was not confirmed with the card's bank. Try again."
        case .temporary: "The payment could not be completed right now. Try again."
        case .lostOrStolen, .suspectedFraud, .notPermitted, .partialApproval, .generic:
            "The card was declined. Try another card."
        }
    }
}
