import StrictJSON

/// Amounts, which Authorize.Net writes as decimal numbers with at most two digits after the point.
enum AuthorizeNetAmount {
    /// The currencies that Authorize.Net's processors take; all have two digits after the point.
    private static let currencies: Set<String> = [
        "AUD", "CAD", "CHF", "DKK", "EUR", "GBP", "NOK", "NZD", "PLN", "SEK", "USD", "ZAR",
    ]

    /// The amount of a transaction in minor units; nil if it has none.
    ///
    /// - Throws: ``Refusal`` 5 if it is not above 0 or has more than two digits after the point, 49 if it is too great.
    static func minorUnits(_ transaction: JSON) throws(Refusal) -> Int64? {
        guard let text = transaction.filled("amount") else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        let whole = parts[0].isEmpty ? "0" : parts[0]
        guard fraction.utf8.count <= 2, whole.first != "-", whole.utf8.count <= 15 else { throw invalid }
        let cents = fraction + String(repeating: "0", count: 2 - fraction.utf8.count)
        guard let amount = Int64(whole + cents), amount > 0 else { throw invalid }
        guard amount <= CommandReader.greatestAmount else {
            throw Refusal(400, "49", "The transaction amount submitted was greater than the maximum amount allowed.")
        }
        return amount
    }

    /// The refusal of an amount that is missing or wrong.
    static let invalid = Refusal(400, "5", "A valid amount is required.")

    /// The currency of a transaction; an account has one, here US dollars unless the transaction names another.
    ///
    /// - Throws: ``Refusal`` 39.
    static func currency(_ transaction: JSON) throws(Refusal) -> String {
        let code = transaction.filled("currencyCode") ?? "USD"
        guard currencies.contains(code) else {
            throw Refusal(
                400,
                "39",
                "The supplied currency code is either invalid, not supported, not allowed for this merchant or doesnt "
                    + "have an exchange rate."
            )
        }
        return code
    }

    /// An amount of minor units as decimal text: `5.00`.
    static func text(_ minorUnits: Int64) -> String {
        let cents = minorUnits % 100
        return "\(minorUnits / 100).\(cents < 10 ? "0" : "")\(cents)"
    }

    /// An amount of minor units as a JSON number.
    static func json(_ minorUnits: Int64) -> JSON { .number(text(minorUnits)) }
}
