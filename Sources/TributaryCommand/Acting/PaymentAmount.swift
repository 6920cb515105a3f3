import ArgumentParser
import Domain

/// A payment and an amount of it: `hotel-7=1500` or `pay_…=1500`, in minor units.
struct PaymentAmount: Hashable, ExpressibleByArgument {
    /// The payment's id, or its merchant's external identifier.
    let name: String
    /// The amount in minor units; nil for all of it.
    let amount: Int64?

    /// Reads a payment's name, and the amount behind the last equals sign if there is one.
    init?(argument: String) {
        guard let sign = argument.lastIndex(of: "=") else {
            guard !argument.isEmpty else { return nil }
            (name, amount) = (argument, nil)
            return
        }
        guard let amount = Int64(argument[argument.index(after: sign)...]), amount > 0, sign > argument.startIndex
        else { return nil }
        name = String(argument[..<sign])
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
