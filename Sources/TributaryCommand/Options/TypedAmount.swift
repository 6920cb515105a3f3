import ArgumentParser
import Domain

/// An amount as it is typed: decimal text with exactly as many digits as its currency has, `12.00` in USD, `1200` in JPY.
///
/// Fewer digits are refused like more of them, so that `1200`, meant as minor units, is never 1200.00.
struct TypedAmount: Hashable, ExpressibleByArgument {
    /// What was typed.
    let text: String

    /// Takes digits, with at most one point between them; nil for anything else.
    init?(argument: String) {
        guard argument.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil else { return nil }
        text = argument
    }

    /// Whether it is nothing, in any currency.
    var isZero: Bool { text.allSatisfy { $0 == "0" || $0 == "." } }

    /// The amount in a currency.
    ///
    /// - Parameters:
    ///   - currency: the currency that it is meant in.
    ///   - option: what it was typed behind, for the refusal.
    /// - Returns: the amount.
    /// - Throws: ``CommandFailure`` unless it has exactly the currency's digits and fits 64 bits of minor units.
    func money(in currency: Currency, _ option: String) throws(CommandFailure) -> Money {
        do throws(MoneyError) {
            let money = try Money(decimal: text, currency: currency)
            if money.decimal == text { return money }
        } catch {
            if error == .overflow { throw .unusable("\(option) \(text) is too much") }
        }
        let digits = currency.exponent == 0 ? "no decimal digits" : "\(currency.exponent) decimal digits"
        let fraction = text.split(separator: ".").dropFirst().first?.count ?? 0
        let advice = "with \(digits), as \(currency.decimal(1200))"
        guard fraction <= currency.exponent else {
            throw .unusable("\(option) \(text) has more decimal digits than \(currency) has; write it \(advice)")
        }
        throw .unusable("\(option) \(text): write \(currency) \(advice)")
    }
}
