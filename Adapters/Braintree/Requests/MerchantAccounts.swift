package import Domain

/// The marketplace's own merchant accounts at Braintree, one a currency.
///
/// A merchant account has exactly one currency, and a request names none: an amount sent to an account of another
/// currency, or to the default account, would be charged in that one. So the currency chooses the account.
package struct MerchantAccounts: Hashable, Sendable {
    private let byCurrency: [String: String]

    /// Reads `USD=shop_usd,EUR=shop_eur`: alphabetic codes of ISO 4217 and identifiers as the Control Panel shows them.
    ///
    /// White space around the parts is dropped. Nil if a part has another form, a currency is unknown or comes twice,
    /// or there is none.
    package init?(_ text: String) {
        var byCurrency: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false).map(Self.trimmed)
            guard pair.count == 2, Currency(code: pair[0]) != nil, Self.isIdentifier(pair[1]),
                byCurrency.updateValue(pair[1], forKey: pair[0]) == nil
            else { return nil }
        }
        self.byCurrency = byCurrency
    }

    /// The account for a currency; nil if there is none.
    package func account(for currency: Currency) -> String? { byCurrency[currency.code] }

    /// Whether the account is one of the marketplace's own.
    package func contains(_ account: String) -> Bool { byCurrency.values.contains(account) }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    /// Braintree makes them of letters, digits, `-` and `_`.
    private static func isIdentifier(_ text: String) -> Bool {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isWord && (1...100).contains(text.utf8.count)
    }
}
