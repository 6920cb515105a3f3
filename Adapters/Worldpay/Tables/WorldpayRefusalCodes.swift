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
        let code = code.flatMap(WorldpayRefusal.word)
        let advice = advice.flatMap(WorldpayRefusal.word)
        let own = code.flatMap { Self.category($0) } ?? .generic
        let category = own == .generic ? advice.flatMap { Self.category(advisedBy: $0) } ?? .generic : own
        let parts = [("code", code), ("advice", advice)].compactMap { name, value in value.map { "\(name) \($0)" } }
        let told = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return Decline(code: code ?? "refused", category: category, message: "The payment was refused\(told).")
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
