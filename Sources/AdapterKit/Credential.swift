public import Domain

/// What pays.
public enum Credential: Hashable, Sendable {
    /// A token that the PSP itself made, and the customer at the PSP that it belongs to, where it belongs to one.
    case pspToken(Secret, customer: Secret? = nil)
    /// A device or network token with its cryptogram.
    case networkToken(NetworkToken)
    /// An Apple Pay token encrypted for the PSP's certificate, passed on unopened.
    case encryptedApplePay(EncryptedApplePay)
    /// A network token that is kept for the later payments of an agreement, which have no cryptogram.
    case storedNetworkToken(StoredNetworkToken)

    /// The kind, which capabilities and routes name.
    public var kind: CredentialKind {
        switch self {
        case .pspToken: .pspToken
        case .networkToken: .networkToken
        case .encryptedApplePay: .encryptedApplePay
        case .storedNetworkToken: .storedNetworkToken
        }
    }
}

/// The kinds of credentials.
public enum CredentialKind: String, Sendable, CaseIterable {
    /// A PSP's own token.
    case pspToken = "psp_token"
    /// A device or network token with its cryptogram.
    case networkToken = "network_token"
    /// An Apple Pay token encrypted for the PSP.
    case encryptedApplePay = "encrypted_apple_pay"
    /// A network token without a cryptogram, for payments that the merchant initiates.
    case storedNetworkToken = "stored_network_token"
}

/// A device or network token.
///
/// Every description of it is a mask.
public struct NetworkToken: Hashable, Sendable {
    /// The wallet that made it, which some PSPs want to know.
    public enum Source: String, Sendable {
        /// Apple Pay.
        case applePay = "apple_pay"
        /// Google Pay.
        case googlePay = "google_pay"
        /// A card network's own token service.
        case network
    }

    /// The token's number (DPAN), 12 to 19 digits.
    public var number: Secret
    /// The expiry month, 1 to 12.
    public var expiryMonth: Int
    /// The expiry year, four digits.
    public var expiryYear: Int
    /// The cryptogram in base 64; single use.
    public var cryptogram: Secret
    /// The electronic commerce indicator, one or two digits, if there is one.
    public var eci: String?
    /// The wallet that made it.
    public var source: Source

    /// Makes a network token.
    public init(
        number: Secret,
        expiryMonth: Int,
        expiryYear: Int,
        cryptogram: Secret,
        eci: String?,
        source: Source
    ) {
        self.number = number
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
        self.cryptogram = cryptogram
        self.eci = eci
        self.source = source
    }
}

/// An Apple Pay token as the device made it, for a PSP that opens it itself.
public struct EncryptedApplePay: Hashable, Sendable {
    /// `paymentData` as JSON text.
    public var paymentData: Secret
    /// `paymentMethod.displayName`, for example `Visa 1234`.
    public var displayName: String?
    /// `paymentMethod.network`.
    public var network: String?
    /// `transactionIdentifier`.
    public var transactionIdentifier: String?

    /// Makes an encrypted token.
    public init(paymentData: Secret, displayName: String?, network: String?, transactionIdentifier: String?) {
        self.paymentData = paymentData
        self.displayName = displayName
        self.network = network
        self.transactionIdentifier = transactionIdentifier
    }
}

/// A network token as it is kept for payments that the merchant initiates: its cryptogram was used up by the first one.
///
/// Every description of its number is a mask.
public struct StoredNetworkToken: Hashable, Sendable {
    /// The token's number (DPAN, or MPAN of a merchant token), 12 to 19 digits.
    public var number: Secret
    /// The expiry month, 1 to 12.
    public var expiryMonth: Int
    /// The expiry year, four digits.
    public var expiryYear: Int
    /// The wallet that made it.
    public var source: NetworkToken.Source

    /// Makes a stored token.
    public init(number: Secret, expiryMonth: Int, expiryYear: Int, source: NetworkToken.Source) {
        self.number = number
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
        self.source = source
    }

    /// What of a token is kept once it has paid.
    public init(_ token: NetworkToken) {
        self.init(
            number: token.number,
            expiryMonth: token.expiryMonth,
            expiryYear: token.expiryYear,
            source: token.source
        )
    }
}
