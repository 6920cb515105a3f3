import AdapterKit
package import Domain
import StrictJSON

/// The issuer's response codes in their categories.
///
/// Source: Worldpay's page "Refusal response codes", read in November 2026 as far as code 62, the rest from lists of
/// public integrations that agree, and from the card schemes' own lists (35 to 37, 42, 67, 78, 79, 82, 83, 93), whose
/// codes Worldpay passes on. The page does not class them; the classes are ours.
package enum WorldpayRefusalCodes {
    /// The category of a code, leading zeros or not; nil if Worldpay does not list it.
    package static func category(_ code: String) -> Decline.Category? {
        Int(code).flatMap { categories[$0] }
    }

    /// The category that the issuer's advice means, for codes that say nothing more.
    ///
    /// Worldpay passes Mastercard's merchant advice codes on.
    package static func category(advisedBy code: String) -> Decline.Category? {
        switch code {
        case "02", "24", "25", "26", "27", "28", "29", "30": .temporary
        case "03", "21": .notPermitted
        default: nil
        }
    }

    /// The decline in a refused payment.
    static func decline(_ json: JSON) -> Decline {
        decline(code: json["refusalCode"]?.stringValue, advice: json["advice"]?["code"]?.stringValue)
    }

    /// The decline with that code, if there is one.
    static func decline(code: String?, advice: String?) -> Decline {
        let code = code.flatMap(ProtocolText.word)
        let advice = advice.flatMap(ProtocolText.word)
        let own = code.flatMap { Self.category($0) } ?? .generic
        let category = own == .generic ? advice.flatMap { Self.category(advisedBy: $0) } ?? .generic : own
        let parts = [("code", code), ("advice", advice)].compactMap { name, value in value.map { "\(name) \($0)" } }
        let told = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return Decline(
            code: code ?? "refused",
            category: category,
            message: "The payment was refused\(told).",
            advice: advice.flatMap { Decline.RetryAdvice(mastercard: $0) }
                ?? code.flatMap { Decline.RetryAdvice(issuer: $0) }
        )
    }

    private static let categories: [Int: Decline.Category] = [
        1: .generic, 2: .generic, 5: .generic, 8: .generic, 17: .generic, 30: .generic, 85: .generic, 94: .generic,
        3: .notPermitted, 6: .notPermitted, 12: .notPermitted, 13: .notPermitted, 38: .notPermitted,
        40: .notPermitted, 57: .notPermitted, 58: .notPermitted, 62: .notPermitted, 64: .notPermitted,
        75: .notPermitted, 76: .notPermitted, 92: .notPermitted,
        // A restricted card, one that is blocked or not activated, the issuer's policy, a violation of law.
        36: .notPermitted, 78: .notPermitted, 82: .notPermitted, 93: .notPermitted,
        4: .lostOrStolen, 7: .lostOrStolen, 41: .lostOrStolen, 43: .lostOrStolen,
        // To be picked up.
        35: .lostOrStolen, 37: .lostOrStolen, 67: .lostOrStolen,
        10: .partialApproval,
        14: .invalidCard, 15: .invalidCard, 25: .invalidCard, 39: .invalidCard, 46: .invalidCard, 52: .invalidCard,
        53: .invalidCard, 55: .invalidCard, 56: .invalidCard,
        // No such account; the card's life cycle: it was replaced or closed.
        42: .invalidCard, 79: .invalidCard,
        19: .temporary, 20: .temporary, 28: .temporary, 68: .temporary, 91: .temporary, 96: .temporary,
        33: .expiredCard, 54: .expiredCard,
        34: .suspectedFraud, 59: .suspectedFraud, 63: .suspectedFraud, 97: .suspectedFraud,
        83: .suspectedFraud,
        51: .insufficientFunds,
        61: .limitExceeded,
        65: .authenticationRequired,
    ]
}

/// What the name of an error says of a payment that was to be made.
///
/// Source: the errors of `authorizationFailed` in Worldpay's description of the Payment Queries API, read in November
/// 2026; the same names come with HTTP 400.
package enum WorldpayFailures {
    /// The outcome; nil if the name says nothing of the payment itself.
    ///
    /// A reference that is used already names another payment, or this one sent twice: only the record can tell. An
    /// internal error that Worldpay has recorded as a failure means that the payment was not completed, and may be
    /// tried anew ("Error: The payment wasn't completed. You may want to reattempt the payment").
    package static func outcome(of name: String) -> Outcome? {
        switch name {
        case "transactionReferenceIsADuplicate", "transactionHasAlreadyBeenProcessed":
            .unknown(reason: "Worldpay has a payment of this reference already (\(name)).")
        case "cardNumberIsNotRecognized": declined(name, .invalidCard)
        case "underlyingPaymentInstrumentHasExpired": declined(name, .expiredCard)
        case "internalErrorOccurred": declined(name, .temporary)
        case "channelIsNotSupported", "currencyIsNotSupported", "paymentInstrumentIsNotSupported":
            rejected(name, .unsupported)
        case "entityIsNotConfigured", "fieldHasInvalidValue", "fieldIsEmpty": rejected(name, .configuration)
        default: nil
        }
    }

    private static func declined(_ name: String, _ category: Decline.Category) -> Outcome {
        .declined(Decline(code: name, category: category, message: "Worldpay did not make the payment (\(name))."))
    }

    private static func rejected(_ name: String, _ reason: Rejection.Reason) -> Outcome {
        .rejected(Rejection(reason, code: name, message: "Worldpay refused the payment (\(name))."))
    }
}

/// The currencies that are charged through Worldpay, each in ISO 4217's minor unit.
///
/// Worldpay's descriptions say that an amount is "a whole number including the currency exponent"; its table of
/// exponents could not be read. What has two digits in ISO 4217 is taken, and of the others what a public integration
/// that runs against Worldpay counts as ISO 4217 does. Where that integration differs from ISO 4217 (HUF, IDR, RSD),
/// or knows nothing, the currency is not taken: charging a hundred times the amount is worse than not charging.
package enum WorldpayCurrencies {
    /// Whether a currency is charged.
    package static func takes(_ currency: Currency) -> Bool {
        if otherExponents.contains(currency.code) { return true }
        return currency.exponent == 2 && !notTaken.contains(currency.code)
    }

    /// Whether an amount can be written: Worldpay counts in 32 bits, and 0 asks for no payment.
    package static func canExpress(_ minorUnits: Int64) -> Bool { 1...Int64(Int32.max) ~= minorUnits }

    /// For ``Capabilities``: nil for every currency that is not taken; the others are counted as in ISO 4217.
    package static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where !takes(currency) { exponents.updateValue(nil, forKey: currency.code) }
        return exponents
    }()

    private static let otherExponents: Set<String> = ["JPY", "KRW", "BHD", "KWD", "OMR", "TND"]

    /// Contradictions, funds codes and units of account, and a unit that is divided by five.
    private static let notTaken: Set<String> = [
        "HUF", "IDR", "RSD", "BOV", "CHE", "CHW", "COU", "MXV", "USN", "XAD", "MGA", "MRU",
    ]
}
