import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// The body of a payment request.
struct AdyenNewPayment {
    /// The return URL that is given where the caller has none: Adyen demands one of every payment, but no payment that
    /// this adapter asks for comes back from anywhere.
    ///
    /// The name exists nowhere (RFC 2606).
    static let noReturnURL = "https://return.invalid/"
    /// The longest value of `metadata`, in characters.
    private static let metadataLimit = 80

    var source: AdyenPaymentSource
    /// `amount`.
    var amount: JSON
    var shares: Shares
    var authorization: Call.Authorization
    /// Who buys what.
    var buyer: AdyenBuyer

    /// The body, members in the order they are sent.
    ///
    /// Capture is said both ways, so that the account's own setting does not matter. A stored payment method is never
    /// authenticated by the buyer, because nobody here could finish that step: Adyen declines instead.
    func body(for call: Call, merchantAccount: String) -> JSON {
        let terms = terms
        let payment = JSON.object(omittingAbsent: [
            "merchantAccount": .string(merchantAccount),
            "amount": amount,
            "reference": .string(MerchantReference.payment(call)),
            "paymentMethod": source.method,
            "returnUrl": .string(authorization.returnURL ?? Self.noReturnURL),
            "shopperInteraction": source.shopper == nil ? "Ecommerce" : "ContAuth",
            "shopperReference": (source.shopper ?? terms.shopper ?? buyer.reference).map(JSON.string),
            "recurringProcessingModel": terms.model.map(JSON.string),
            "storePaymentMethod": terms.shopper == nil ? .none : true,
            "authenticationData": source.shopper == nil ? .none : ["attemptAuthentication": "never"],
            "mpiData": source.authentication,
            "captureDelayHours": authorization.capture ? 0 : .none,
            "additionalData": additionalData,
            "metadata": metadata(of: call),
            "splits": shares.splits,
            "store": shares.store.map(JSON.string),
        ])
        return .object((payment.objectValue ?? []) + buyer.members)
    }

    /// The model that the payment follows, and the shopper that what pays is stored for.
    ///
    /// Adyen stores a payment method for a shopper only; the agreement is its own, so that no two share one.
    private var terms: (model: String?, shopper: String?) {
        switch authorization.initiation {
        case .buyer: (source.shopper == nil ? nil : "CardOnFile", nil)
        case .buyerStoring(let first): (Self.model(first.type), first.agreement.text)
        case .merchant(let charge): (Self.model(charge.type), nil)
        }
    }

    private static func model(_ type: AgreementType) -> String {
        switch type {
        case .recurring: "Subscription"
        case .automaticReload, .deferred: "UnscheduledCardOnFile"
        }
    }

    private var additionalData: JSON {
        let all = [("manualCapture", authorization.capture ? "false" : "true")] + source.additionalData
        return .object(all.map { JSON.Member($0.0, .string($0.1)) })
    }

    /// Our identifiers, which Adyen repeats in reports.
    private func metadata(of call: Call) -> JSON {
        .object(omittingAbsent: [
            "order": .string(call.order.text),
            "payment": .string(call.payment.text),
            "attempt": .string(call.attempt.text),
            "operation": .string(call.operation.text),
            "description": authorization.description.map { .string(Self.shortened($0)) },
        ])
    }

    private static func shortened(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(metadataLimit)))
    }
}

extension Initiation {
    /// Whether Adyen takes such a credential for a payment that is started so.
    func takes(_ credential: Credential) -> Bool {
        switch self {
        case .buyer: true
        case .buyerStoring: credential.kind != .pspToken
        case .merchant: credential.kind == .pspToken
        }
    }
}

/// What pays, as the members of a payment request that say so.
///
/// Sources: Adyen's OpenAPI file of Checkout v72 for the members; for tokens that we opened also public integrations
/// that run against Adyen, because Adyen's own example was not to be had.
struct AdyenPaymentSource {
    /// `paymentMethod`.
    var method: JSON
    /// `mpiData`: the cryptogram and its indicator.
    var authentication: JSON?
    /// What `additionalData` says of the wallet.
    var additionalData: [(String, String)] = []
    /// The shopper that a stored payment method belongs to.
    var shopper: String?

    /// Writes a credential; nil if it is not in the form that Adyen's are written in.
    init?(_ credential: Credential) {
        switch credential {
        case .encryptedApplePay(let token): self.init(token)
        case .networkToken(let token): self.init(token)
        case .storedNetworkToken: return nil
        case .pspToken(let token, nil): self.init(stored: token.reveal())
        case .pspToken(let token, let customer?): self.init(stored: token.reveal(), of: customer.reveal())
        }
    }

    private init(_ token: EncryptedApplePay) {
        let data = Base64.encode(Array(token.paymentData.reveal().utf8))
        method = ["type": "applepay", "applePayToken": .string(data)]
    }

    private init(_ token: NetworkToken) {
        let isNetworkToken = token.source == .network
        method = [
            "type": isNetworkToken ? "networkToken" : "scheme",
            "number": .string(token.number.reveal()),
            "expiryMonth": .string(token.expiryMonth < 10 ? "0\(token.expiryMonth)" : "\(token.expiryMonth)"),
            "expiryYear": .string("\(token.expiryYear)"),
        ]
        authentication = .object([
            JSON.Member("authenticationResponse", "Y"), JSON.Member("directoryResponse", "Y"),
            JSON.Member(
                isNetworkToken ? "tokenAuthenticationVerificationValue" : "cavv",
                .string(token.cryptogram.reveal())
            ),
            JSON.Member("eci", .string(Self.indicator(token.eci))),
        ])
        switch token.source {
        case .applePay: additionalData = [("paymentdatasource.type", "applepay")]
        case .googlePay:
            additionalData = [("paymentdatasource.type", "googlepay"), ("paymentdatasource.tokenized", "true")]
        case .network: break
        }
    }

    /// A stored payment method, `<shopperReference>/<storedPaymentMethodId>`: Adyen wants to be told both.
    private init?(stored token: String) {
        guard let slash = token.lastIndex(of: "/") else { return nil }
        self.init(stored: String(token[token.index(after: slash)...]), of: String(token[..<slash]))
    }

    /// A stored payment method of a shopper.
    private init?(stored identifier: String, of shopper: String) {
        guard 3...256 ~= shopper.unicodeScalars.count, 1...64 ~= identifier.unicodeScalars.count,
            !identifier.contains("/")
        else { return nil }
        method = ["type": "scheme", "storedPaymentMethodId": .string(identifier)]
        self.shopper = shopper
    }

    /// Two digits; `07` where the wallet gives none, as the integrations do that run against Adyen.
    private static func indicator(_ eci: String?) -> String {
        guard let eci, !eci.isEmpty else { return "07" }
        return eci.utf8.count == 1 ? "0" + eci : eci
    }
}

/// A merchant's place at Adyen: its balance account, and the store it sells through.
///
/// Written as `BA…` or `BA…/store`, the store being its reference in Adyen's Management API (letters, digits, `-`, `_`).
struct Submerchant: Hashable {
    /// The longest text, which still fits our references at Adyen (80 characters) behind an identifier.
    static let lengthLimit = 49

    /// The balance account's identifier.
    let balanceAccount: String
    /// The store's reference.
    let store: String?

    /// Reads the text; nil if it is no balance account.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let isStore = parts.dropFirst().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isStoreCharacter) }
        guard text.utf8.count <= Self.lengthLimit, isStore, parts[0].hasPrefix("BA"), parts[0].utf8.count > 2,
            parts[0].utf8.allSatisfy(Self.isLetterOrDigit)
        else { return nil }
        balanceAccount = String(parts[0])
        store = parts.count == 2 ? String(parts[1]) : nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isStoreCharacter(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
