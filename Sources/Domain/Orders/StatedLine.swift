/// A part of a context's amount that the checkout names: the buyer's tip, or what the way to them costs.
///
/// The amount of the context is that with tip and shipping. Each becomes an allocation line of its kind, frozen at the sale.
package struct StatedLine: Hashable, Sendable {
    /// What the buyer pays it for.
    package enum Kind: String, Sendable, CaseIterable {
        /// The service.
        case tip
        /// The way to them.
        case shipping

        /// The kind of allocation line that it becomes.
        package var line: AllocationLine.Kind {
            switch self {
            case .tip: .tip
            case .shipping: .shipping
            }
        }

        /// The part of a payment that it is to a commission rule.
        var part: CommissionRule.Part {
            switch self {
            case .tip: .tip
            case .shipping: .shipping
            }
        }
    }

    /// What the buyer pays it for.
    package let kind: Kind
    /// How much it is, in minor units, above zero.
    package let amount: Int64
    /// Who keeps it.
    package let keptBy: AllocationLine.Keeper

    /// Makes a line.
    package init(_ kind: Kind, amount: Int64, keptBy: AllocationLine.Keeper = .merchant) {
        self.kind = kind
        self.amount = amount
        self.keptBy = keptBy
    }
}
