import AdapterKit
package import Domain

/// What Adyen's refusal reasons mean in our categories.
///
/// Source: Adyen's "Refusal reasons", read in November 2026; the categories are our judgement. One that is not
/// retryable is given wherever the same card is not to be tried again.
package enum RefusalReasons {
    /// The decline that a result's code and reason report.
    ///
    /// Webhooks give the reason only, by which the code is looked up. Without a code that is known, what came is kept.
    ///
    /// - Parameters:
    ///   - code: `refusalReasonCode`.
    ///   - reason: `refusalReason`.
    ///   - merchantAdvice: Mastercard's merchant advice code, with its text behind it.
    /// - Returns: the decline.
    package static func decline(code: String?, reason: String?, merchantAdvice: String? = nil) -> Decline {
        let byReason = reason.flatMap { text in table.first { $0.reason.lowercased() == text.lowercased() } }
        let row = code.flatMap { code in table.first { $0.code == code } } ?? byReason
        let kept = code ?? row?.code ?? reason.flatMap(ProtocolText.word) ?? "refused"
        let told = row.map { "Adyen's refusal reason \($0.code), \($0.reason)." } ?? "Adyen's refusal reason \(kept)."
        let advised = merchantAdvice.flatMap { Decline.RetryAdvice(mastercard: $0) }
        return Decline(
            code: kept,
            category: row?.category ?? .generic,
            message: told,
            advice: revocations.contains(row?.code ?? kept) ? .revoked : advised
        )
    }

    /// "Revocation Of Auth" and "Token revoked": the consent to payments that the merchant initiates was taken back.
    private static let revocations: Set<String> = ["26", "50"]

    /// What an error code of a refused request makes a decline of: the card's own data are wrong.
    ///
    /// Source: Adyen's "Error codes and messages", read in November 2026.
    package static func category(ofError code: String) -> Decline.Category? {
        switch code {
        // Number; variant, which is told by the number; CVC's length; expiry date, month and year; CVC.
        case "101", "102", "103", "129", "140", "141", "153": .invalidCard
        default: nil
        }
    }

    /// Every code with its reason and category.
    package static let table: [(code: String, reason: String, category: Decline.Category)] = [
        ("2", "Refused", .generic),
        ("3", "Referral", .generic),
        ("4", "Acquirer Error", .temporary),
        ("5", "Blocked Card", .notPermitted),
        ("6", "Expired Card", .expiredCard),
        ("7", "Invalid Amount", .notPermitted),
        ("8", "Invalid Card Number", .invalidCard),
        ("9", "Issuer Unavailable", .temporary),
        ("10", "Not supported", .notPermitted),
        ("11", "3D Not Authenticated", .authenticationRequired),
        ("12", "Not enough balance", .insufficientFunds),
        ("14", "Acquirer Fraud", .suspectedFraud),
        ("15", "Cancelled", .actionExpired),
        ("16", "Shopper Cancelled", .actionExpired),
        ("17", "Invalid Pin", .authenticationRequired),
        ("18", "Pin tries exceeded", .notPermitted),
        ("19", "Pin validation not possible", .temporary),
        ("20", "FRAUD", .suspectedFraud),
        ("21", "Not Submitted", .temporary),
        ("22", "FRAUD-CANCELLED", .suspectedFraud),
        ("23", "Transaction Not Permitted", .notPermitted),
        ("24", "CVC Declined", .invalidCard),
        ("25", "Restricted Card", .notPermitted),
        ("26", "Revocation Of Auth", .notPermitted),
        ("27", "Declined Non Generic", .generic),
        ("28", "Withdrawal amount exceeded", .limitExceeded),
        ("29", "Withdrawal count exceeded", .limitExceeded),
        ("31", "Issuer Suspected Fraud", .suspectedFraud),
        ("32", "AVS Declined", .invalidCard),
        ("33", "Card requires online pin", .authenticationRequired),
        ("34", "No checking account available on Card", .invalidCard),
        ("35", "No savings account available on Card", .invalidCard),
        ("36", "Mobile PIN required", .authenticationRequired),
        ("37", "Contactless fallback", .authenticationRequired),
        ("38", "Authentication required", .authenticationRequired),
        ("39", "RReq not received from DS", .temporary),
        ("40", "Current AID is in Penalty Box", .notPermitted),
        ("41", "CVM Required Restart Payment", .authenticationRequired),
        ("42", "3DS Authentication Error", .temporary),
        ("43", "Online PIN required", .authenticationRequired),
        ("44", "Try another interface", .authenticationRequired),
        ("45", "Chip downgrade mode", .authenticationRequired),
        ("46", "Transaction blocked by Adyen to prevent excessive retry fees", .notPermitted),
        ("50", "Token revoked", .invalidCard),
    ]
}

/// The unit in which Adyen counts a currency, which is not always ISO 4217's minor unit.
///
/// Sources: Adyen's "Currency codes and minor units", and the list in Adyen's own Android library, read in November
/// 2026. A currency that took a listed one's place with the same unit (SLE, STN, VES, XCG) counts as listed.
package struct AdyenUnit: Hashable, Sendable {
    /// The code as Adyen writes it, in upper case.
    package let code: String
    /// How many decimal digits an amount has at Adyen.
    package let exponent: Int

    private let isoExponent: Int

    /// The unit of a currency; nil if Adyen does not take it.
    package init?(_ currency: Currency) {
        guard let exponent = Self.exponent(currency) else { return nil }
        code = currency.code
        self.exponent = exponent
        isoExponent = currency.exponent
    }

    /// The amount as Adyen counts it; nil if Adyen cannot express it.
    package func amount(_ minorUnits: Int64) -> Int64? {
        minorUnits >= 0 ? MinorUnits.rescale(minorUnits, from: isoExponent, to: exponent) : nil
    }

    /// Minor units of ISO 4217 from an amount as Adyen counts it; nil if it is no whole number of them.
    package func minorUnits(_ amount: Int64) -> Int64? {
        amount >= 0 ? MinorUnits.rescale(amount, from: exponent, to: isoExponent) : nil
    }

    /// For ``Capabilities``: the exponents that differ from ISO 4217's, and nil for what Adyen does not take.
    package static let exponents = MinorUnits.exponents(of: exponent)

    private static func exponent(_ currency: Currency) -> Int? {
        if PlantedBug.exponentWrong.isPlanted, currency.code == "JPY" { return 2 }
        return differing[currency.code] ?? (same.contains(currency.code) ? currency.exponent : nil)
    }

    /// Adyen says itself that these differ from the standard.
    private static let differing = ["CLP": 2, "CVE": 0, "IDR": 0, "ISK": 2]

    private static let same = Set(
        """
        AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CNY COP CRC CUP CZK \
        DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF ILS INR JMD JOD JPY KES \
        KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LYD MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK \
        NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS STN SVC SZL THB \
        TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW
        """.split(separator: " ").map { String($0) }
    )
}
