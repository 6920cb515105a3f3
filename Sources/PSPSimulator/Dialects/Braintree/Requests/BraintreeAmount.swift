/// Amounts as Braintree writes them: decimal numbers in strings.
enum BraintreeAmount {
    /// The currency of a merchant account: the code that its identifier ends in after `_` or `-`, else US dollars.
    ///
    /// Braintree knows it from the merchant account's settings.
    static func currency(of merchantAccount: String?) -> String {
        let code = (merchantAccount ?? "").split { $0 == "_" || $0 == "-" }.last?.uppercased() ?? ""
        return decimals[code] == nil ? "USD" : code
    }

    /// How many decimals the currency has (ISO 4217).
    static func decimals(of currency: String) -> Int { decimals[currency] ?? 2 }

    /// The text of an amount in minor units.
    static func text(_ minor: Int64, _ currency: String) -> String {
        let decimals = decimals(of: currency)
        guard decimals > 0 else { return String(minor) }
        let digits = String(minor)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    /// The minor units of a text of the scalar type; nil if it does not fit the currency.
    static func minor(_ text: String, decimals: Int) -> Int64? {
        let parts = text.split(separator: ".")
        guard parts.count == 1 || parts[1].utf8.count == decimals else { return nil }
        let fraction = parts.count == 1 ? String(repeating: "0", count: decimals) : String(parts[1])
        return Int64(parts[0] + fraction)
    }

    /// The minor units of what a request asks for.
    ///
    /// - Parameters:
    ///   - text: a text of the scalar type.
    ///   - decimals: how many decimals the currency has.
    ///   - path: where it stands in the request.
    /// - Returns: the minor units, above 0.
    /// - Throws: ``Refusal``.
    static func minor(_ text: String, decimals: Int, at path: String) throws(Refusal) -> Int64 {
        guard !text.hasPrefix("-") else {
            throw BraintreeFault("81501", "Amount cannot be negative.", at: path).refusal
        }
        guard let minor = minor(text, decimals: decimals) else {
            throw BraintreeFault("81503", "Amount is an invalid format.", at: path).refusal
        }
        guard minor > 0 else {
            throw BraintreeFault("81531", "Amount must be greater than zero.", at: path).refusal
        }
        guard minor <= CommandReader.greatestAmount else {
            throw BraintreeFault("81528", "Amount is too large.", at: path).refusal
        }
        return minor
    }

    private static let decimals: [String: Int] = {
        let two = [
            "AED", "AUD", "BRL", "CAD", "CHF", "CNY", "COP", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS",
            "INR",
            "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY", "TWD", "USD", "ZAR",
        ]
        let table =
            two.map { ($0, 2) } + ["CLP", "JPY", "KRW", "VND"].map { ($0, 0) }
            + ["BHD", "JOD", "KWD", "OMR", "TND"].map { ($0, 3) }
        return Dictionary(uniqueKeysWithValues: table)
    }()
}
