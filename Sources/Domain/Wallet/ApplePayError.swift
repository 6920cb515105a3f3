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
