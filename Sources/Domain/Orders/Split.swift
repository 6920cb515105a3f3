/// A total divided among merchants.
///
/// The wallet lets contexts sum to less than the total (Apple, `multiTokenContexts`: the sum must be at most the
/// grand total). The rest, the residual, must be named by the caller and is never charged.
///
/// - Invariant: at least one context, no external identifier twice, one currency, each amount above zero, and the
///   contexts' sum is at most the total.
package struct Split: Hashable, Sendable {
    /// The amount of the whole order.
    package let total: Money
    /// The contexts, in the order given.
    package let contexts: [TokenContext]
    /// The sum of the contexts, to which policies refer.
    package let payable: Money
    /// What the contexts leave of the total, in minor units.
    package var residual: Int64 { total.minorUnits - payable.minorUnits }

    /// Divides `total`.
    ///
    /// - Parameters:
    ///   - total: the amount of the whole order.
    ///   - contexts: one for each merchant.
    ///   - acceptsResidual: whether the caller said that a rest is left uncharged.
    /// - Throws: ``SplitRefusals`` with every reason at once.
    package init(total: Money, contexts: [TokenContext], acceptsResidual: Bool) throws(SplitRefusals) {
        var refusals = Self.refusals(of: contexts, in: total.currency)
        let sum = Self.sum(of: contexts, in: total.currency)
        if let sum {
            if sum.minorUnits > total.minorUnits {
                refusals.append(.exceedsTotal(contexts: sum.minorUnits, total: total.minorUnits))
            } else if sum.minorUnits < total.minorUnits, !acceptsResidual {
                refusals.append(.residualUnassigned(total.minorUnits - sum.minorUnits))
            }
        } else if contexts.allSatisfy({ $0.amount.currency == total.currency }) {
            refusals.append(.overflow)
        }
        guard let sum, refusals.isEmpty else { throw SplitRefusals(all: refusals) }
        self.total = total
        self.contexts = contexts
        payable = sum
    }

    private static func refusals(of contexts: [TokenContext], in currency: Currency) -> [SplitRefusal] {
        guard !contexts.isEmpty else { return [.noContexts] }
        var seen: Set<String> = []
        var refusals: [SplitRefusal] = []
        for (index, context) in contexts.enumerated() {
            if !seen.insert(context.externalIdentifier).inserted { refusals.append(.repeated(index: index)) }
            if context.amount.currency != currency { refusals.append(.otherCurrency(index: index)) }
            if context.amount.minorUnits == 0 { refusals.append(.zero(index: index)) }
        }
        return refusals
    }

    private static func sum(of contexts: [TokenContext], in currency: Currency) -> Money? {
        var sum = try? Money(minorUnits: 0, currency: currency)
        for context in contexts { sum = sum.flatMap { try? $0.adding(context.amount) } }
        return sum
    }
}

/// Every reason for which a total cannot be divided.
package struct SplitRefusals: Error, Hashable, Sendable {
    /// The reasons, in the order of the contexts; never empty.
    package let all: [SplitRefusal]
}

/// A reason for which a total cannot be divided.
///
/// An index is the context's position, from 0.
package enum SplitRefusal: Hashable, Sendable {
    /// There is no context.
    case noContexts
    /// The context names a merchant that an earlier one names.
    case repeated(index: Int)
    /// The context is in another currency than the total.
    case otherCurrency(index: Int)
    /// The context's amount is zero.
    case zero(index: Int)
    /// The contexts sum to more than the total.
    case exceedsTotal(contexts: Int64, total: Int64)
    /// The contexts sum to less than the total and nobody said what becomes of the rest.
    case residualUnassigned(Int64)
    /// The contexts' sum does not fit 64 bits.
    case overflow
}

/// The part of an order that belongs to one merchant, as Apple's `PKPaymentTokenContext` names it.
package struct TokenContext: Hashable, Sendable {
    /// The merchant's stable identifier, the same for the same merchant across time (Apple's rule).
    package let externalIdentifier: String
    /// The amount to authorize for this merchant.
    package let amount: Money

    /// Makes a context.
    package init(externalIdentifier: String, amount: Money) {
        self.externalIdentifier = externalIdentifier
        self.amount = amount
    }
}
