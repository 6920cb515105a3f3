import Domain
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

/// The countries of ISO 3166-1.
enum CountryCode {
    /// The 249 officially assigned alpha-2 codes.
    static let all = Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))

    private static let text = """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
        CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO
        FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
        JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO
        MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW
        PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
        TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
        """
}

/// An amount as Apple's requests write it, exactly: `-?[0-9]+(\.[0-9][0-9])?`.
struct ApplePayAmount: Hashable {
    /// Which amounts a field takes.
    enum Sign {
        /// Every one: a discount is a negative line item.
        case any
        /// Zero and more.
        case notNegative
        /// More than zero.
        case positive
    }

    /// Hundredths of the currency's major unit, whatever its minor unit is.
    let hundredths: Int64

    /// Reads an amount's text.
    ///
    /// - Throws: ``MoneyError/malformed`` or ``MoneyError/overflow``.
    init(_ text: String) throws(MoneyError) {
        let isNegative = text.hasPrefix("-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
            .split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, parts.count <= 2, parts.count == 1 || parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { throw .malformed }
        let fraction = parts.count == 2 ? String(parts[1]) ?? "" : "00"
        guard let digits = String(whole), let value = Int64((isNegative ? "-" : "") + digits + fraction) else {
            throw .overflow
        }
        hundredths = value
    }

    private init(hundredths: Int64) { self.hundredths = hundredths }

    /// Whether the currency has the decimal digits that are used; all two-decimal amounts fit two digits or more.
    func fits(_ currency: Currency) -> Bool { currency.exponent >= 2 || hundredths % 100 == 0 }

    /// The sum; nil if it does not fit 64 bits.
    static func sum(_ amounts: some Sequence<ApplePayAmount>) -> ApplePayAmount? {
        var total: Int64 = 0
        for amount in amounts {
            let (sum, overflow) = total.addingReportingOverflow(amount.hundredths)
            guard !overflow else { return nil }
            total = sum
        }
        return ApplePayAmount(hundredths: total)
    }
}

/// Values that only Apple's requests have.
extension ObjectReader {
    /// An amount in Apple's form, no finer than the currency.
    func appleAmount(
        _ key: String,
        _ presence: Presence = .required,
        in currency: Currency?,
        sign: ApplePayAmount.Sign = .any
    ) -> ApplePayAmount? {
        guard let json = value(key, presence) else { return nil }
        guard let text = json.stringValue else {
            refuse(key, "wrong_type", "Must be a string such as 12 or 12.50.")
            return nil
        }
        let amount: ApplePayAmount
        do throws(MoneyError) {
            amount = try ApplePayAmount(text)
        } catch {
            refuseAmount(key, error, currency)
            return nil
        }
        if let currency, !amount.fits(currency) {
            refuse(key, "too_precise", "\(currency.code) has no decimal digits.")
            return nil
        }
        switch sign {
        case .notNegative where amount.hundredths < 0:
            refuse(key, "negative_amount", "Must not be negative.")
            return nil
        case .positive where amount.hundredths <= 0:
            refuse(key, "not_positive", "Must be more than zero.")
            return nil
        default: return amount
        }
    }

    private func refuseAmount(_ key: String, _ error: MoneyError, _ currency: Currency?) {
        guard error == .malformed else { return refuse(key, "amount_overflow", "Is more than any sheet takes.") }
        let exponent = currency?.exponent ?? 2
        let hint = exponent > 2 ? " Apple's form has no third decimal digit, even in \(currency?.code ?? "")." : ""
        refuse(key, "malformed_amount", "Must be digits, with no decimal digits or exactly two.\(hint)")
    }

    /// A moment in ISO 8601.
    func appleDate(_ key: String, _ presence: Presence = .optional) -> Timestamp? {
        parsed(key, presence, expecting: "a date in ISO 8601, such as 2026-01-31T12:00:00Z", ISODate.timestamp)
    }

    /// An absolute address with one of the schemes.
    func webAddress(_ key: String, _ presence: Presence = .required, schemes: [String]) -> String? {
        let expected = "an absolute address that begins with \(schemes.joined(separator: " or "))"
        return parsed(key, presence, expecting: expected) { text in
            guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else { return nil }
            let host = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            return !host.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : nil
        }
    }
}
