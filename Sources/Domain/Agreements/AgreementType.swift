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
