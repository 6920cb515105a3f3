import Domain
import Storage

extension Declaration {
    /// The currencies that a merchant may be sold in without the fixed part of commission that its rule has in others, in
    /// sentences: such a sale is charged the rate alone, which is hardly ever meant.
    ///
    /// In use are the currencies that the merchant's routes and its rule name and, where one of its routes takes every
    /// currency, those that the declaration names for anybody. Whoever means none writes 0.
    package var commissionWarnings: [String] {
        let named = Set(merchants.flatMap { $0.routes.flatMap(\.currencies) + Self.currencies(of: $0.commission) })
        return merchants.compactMap { merchant in
            guard merchant.commission.fixed.values.contains(where: { $0 > 0 }) else { return nil }
            let takesAny = merchant.routes.contains { $0.currencies.isEmpty }
            let own = Set(merchant.routes.flatMap(\.currencies) + Self.currencies(of: merchant.commission))
            let missing = own.union(takesAny ? named : []).subtracting(merchant.commission.fixed.keys).sorted()
            guard !missing.isEmpty else { return nil }
            let known = merchant.commission.fixed.keys.sorted().joined(separator: ", ")
            return "merchant \(merchant.externalIdentifier): commission: there is a fixed part in \(known) and none in "
                + "\(missing.joined(separator: ", ")), which it may be sold in; write 0 if that is meant"
        }
    }

    private static func currencies(of rule: CommissionRule) -> [String] {
        Array(rule.fixed.keys) + Array(rule.minimum.keys) + Array(rule.maximum.keys)
    }
}
