/// What an agreement lets a merchant charge while the buyer is away.
public enum AgreementType: String, Sendable, CaseIterable {
    /// On a schedule: a subscription, or installments.
    case recurring
    /// Whenever a balance falls below a threshold.
    case automaticReload = "automatic_reload"
    /// Once, later: a stay, a rental, a pre-order.
    case deferred
}

/// Why a merchant charges while the buyer is away.
public enum ChargeReason: String, Sendable, CaseIterable {
    /// The next payment of a schedule.
    case recurring
    /// The balance fell below the threshold.
    case reload
    /// What was put off is due.
    case deferred
    /// The buyer did not come.
    case noShow = "no_show"
    /// A charge that was declined, tried once more.
    case resubmission
}

/// What an order has to do with an agreement.
package struct AgreementUse: Hashable, Sendable {
    /// The agreement.
    package let agreement: AgreementID
    /// What it lets the merchant charge.
    package let type: AgreementType
    /// Why it is charged; nil for its first payment, which the buyer makes.
    package let charge: ChargeReason?

    /// Says what an order has to do with an agreement.
    package init(_ agreement: AgreementID, type: AgreementType, charge: ChargeReason? = nil) {
        self.agreement = agreement
        self.type = type
        self.charge = charge
    }
}
