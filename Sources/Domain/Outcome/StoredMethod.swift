/// What later payments of an agreement are paid with, as a PSP keeps it.
///
/// Every description of the token and the customer is a mask.
public struct StoredMethod: Hashable, Sendable {
    /// The PSP's name of it.
    public var token: Secret
    /// The customer at the PSP that it belongs to, where it belongs to one.
    public var customer: Secret?
    /// The card network, as the PSP names it.
    public var network: String?
    /// The last four digits of the account or card that is charged.
    public var last4: String?
    /// The month after which the PSP no longer takes it, 1 to 12; nil if the PSP does not say.
    public var expiryMonth: Int?
    /// The year of ``expiryMonth``, four digits.
    public var expiryYear: Int?
    /// Apple's name of the merchant token behind it, if the PSP tells.
    public var merchantTokenIdentifier: String?

    /// Makes a stored method.
    public init(
        token: Secret,
        customer: Secret? = nil,
        network: String? = nil,
        last4: String? = nil,
        expiryMonth: Int? = nil,
        expiryYear: Int? = nil,
        merchantTokenIdentifier: String? = nil
    ) {
        self.token = token
        self.customer = customer
        self.network = network
        self.last4 = last4
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
        self.merchantTokenIdentifier = merchantTokenIdentifier
    }
}

/// A card scheme's name of an authorization, which later payments of the same agreement name.
///
/// It is the scheme's and no PSP's, so that it is good at another PSP, too; it is no credential.
public struct NetworkTransactionID: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// Visa's transaction identifier, Mastercard's trace identifier, American Express' acquirer reference data.
        case transaction
        /// Mastercard's transaction link identifier, which stands beside the trace identifier.
        case link
    }

    /// What it is.
    public var kind: Kind
    /// The card network, as the PSP names it; nil if it does not.
    public var network: String?
    /// The identifier, as it came.
    public var value: String

    /// Makes an identifier; nil if the value is empty, longer than 100 characters, or has anything but visible ASCII and spaces.
    public init?(_ value: String, kind: Kind = .transaction, network: String? = nil) {
        guard (1...100).contains(value.utf8.count), value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        self.kind = kind
        self.network = network
        self.value = value
    }
}
