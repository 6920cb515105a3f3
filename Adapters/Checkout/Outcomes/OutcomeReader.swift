import AdapterKit
import Domain

/// Reads what became of one call out of Checkout.com's replies.
struct OutcomeReader {
    let call: Call
    let unit: CheckoutUnit
    /// The call's amount in Checkout.com's unit; 0 for a void, which names none.
    let asked: Int64

    /// A commission in Checkout.com's unit; the amount is nil if there is none.
    struct Commission {
        var amount: Int64?
    }

    /// The commission in Checkout.com's unit; nil if it cannot express it.
    func commission(_ minorUnits: Int64?) -> Commission? {
        guard let minorUnits else { return Commission(amount: nil) }
        return unit.amount(minorUnits).map { Commission(amount: $0) }
    }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// The payment if it is the attempt's, and of the call's currency where it tells one.
    func ours(_ payment: CheckoutPayment?) -> CheckoutPayment? {
        guard let payment, (payment.currency ?? unit.code) == unit.code,
            payment.reference == call.attempt.text
        else { return nil }
        return payment
    }

    /// The decline of a response code.
    static func decline(_ responseCode: String?, _ advice: CheckoutAdvice?) -> Decline {
        let code = responseCode.flatMap(CheckoutRefusal.word)
        let own = code.flatMap(CheckoutDeclines.category(_:)) ?? .generic
        let recommended = advice?.recommendation.flatMap(CheckoutDeclines.category(recommended:))
        let parts = [
            ("response code", code), ("recommendation", advice?.recommendation),
            ("merchant advice", advice?.merchantAdvice),
        ]
        let words = parts.compactMap { name, value in value.map { "\(name) \($0)" } }
        return Decline(
            code: code ?? "declined",
            category: own == .generic ? recommended ?? .generic : own,
            message: "Checkout.com declined" + (words.isEmpty ? "." : " (\(words.joined(separator: ", "))).")
        )
    }
}
