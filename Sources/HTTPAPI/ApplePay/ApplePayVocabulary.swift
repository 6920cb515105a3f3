import StrictJSON

/// The words that Apple documents for a request.
enum ApplePayVocabulary {
    /// Keys that stand in Apple's own requests and not in ours.
    private static let requestKeys: Set<String> = [
        "applicationData", "countryCode", "currencyCode", "lineItems", "merchantCapabilities", "multiTokenContexts",
        "supportedNetworks", "total",
    ]

    /// Keys that stand in our requests and not in Apple's.
    private static let ownKeys: Set<String> = ["amount", "contexts", "country", "currency"]

    /// Whether a body is Apple's own request rather than ours, as far as its keys tell.
    static func isRequest(_ json: JSON) -> Bool {
        let keys = Set((json.objectValue ?? []).map(\.key))
        return !keys.isDisjoint(with: requestKeys) && keys.isDisjoint(with: ownKeys)
    }

    /// What every merchant has to be able to process.
    static let neededCapability = "supports3DS"

    /// The networks of a request that names none.
    static let usualNetworks = ["amex", "discover", "masterCard", "visa"]

    /// The fields of which a request may have only one.
    static let requestKinds = [
        "multiTokenContexts", "recurringPaymentRequest", "automaticReloadPaymentRequest", "deferredPaymentRequest",
    ]

    /// What a merchant can process.
    static let capabilities = [
        "supports3DS", "supportsEMV", "supportsCredit", "supportsDebit", "supportsInstantFundsOut",
    ]

    /// The networks up to version 14.
    static let networks = [
        "amex", "bancomat", "bancontact", "cartesBancaires", "chinaUnionPay", "dankort", "discover", "eftpos",
        "electron", "elo", "girocard", "interac", "jcb", "mada", "maestro", "masterCard", "mir", "privateLabel",
        "visa", "vPay",
    ]

    /// What a sheet calls the way goods take.
    static let shippingTypes = ["shipping", "delivery", "storePickup", "servicePickup"]

    /// Whether the buyer may change the shipping address.
    static let shippingContactEditingModes = ["available", "enabled", "storePickup"]

    /// What a sheet may ask of the buyer.
    static let contactFields = ["email", "name", "phone", "postalAddress", "phoneticName"]

    /// Whether a line item's amount is known.
    static let itemTypes = ["final", "pending"]

    /// When a line item is paid.
    static let timings = ["immediate", "recurring", "deferred", "automaticReload"]

    /// The units of a recurring payment's interval.
    static let intervalUnits = ["minute", "hour", "day", "month", "year"]
}
