import ArgumentParser
import Domain

/// A payment and an amount of it: `hotel-7=1500` or `pay_…=1500`, in minor units.
struct PaymentAmount: Hashable {
    /// The payment's id, or its merchant's external identifier.
    let name: String
    /// The amount in minor units; nil for all of it.
    let amount: Int64?

    /// All of a payment.
    init(name: String) { (self.name, amount) = (name, nil) }

    /// Reads a payment's name, and the amount behind the last equals sign if there is one.
    ///
    /// - Throws: `ValidationError` with what is wrong.
    init(argument: String) throws {
        guard let sign = argument.lastIndex(of: "=") else {
            guard !argument.isEmpty else { throw ValidationError("--payment names no payment") }
            (name, amount) = (argument, nil)
            return
        }
        name = String(argument[..<sign])
        guard !name.isEmpty else {
            throw ValidationError("--payment \(argument.harmless) names no payment; say it as in hotel-7=1500")
        }
        guard let amount = Int64(argument[argument.index(after: sign)...]), amount > 0 else {
            throw ValidationError(
                "--payment \(argument.harmless): an amount is a whole number of minor units above zero"
            )
        }
        self.amount = amount
    }

    /// The payment of an order that is meant.
    ///
    /// - Throws: ``CommandFailure`` if there is none.
    func payment(in order: Order) throws -> Payment {
        let found = order.payments.first { $0.id.text == name || $0.externalIdentifier == name }
        guard let found else {
            let known = order.payments.map(\.externalIdentifier.harmless).joined(separator: ", ")
            throw CommandFailure.unusable("the order has no payment \(name.harmless); it has \(known)")
        }
        return found
    }
}
