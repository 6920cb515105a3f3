import Domain
import SQL
import Storage

/// An order under an agreement, about to be written down.
struct PlacedAgreement: Sendable {
    let writer: AgreementWriter
    /// Why it is charged; nil for the first payment.
    let charge: ChargeReason?
    /// What charges can be paid with if the PSP keeps nothing of the first payment, with its sealed secret.
    let candidate: (method: AgreementMethod, sealed: CredentialTable.Sealed)?
    /// Apple's name of the merchant token that makes the first payment, if we opened it and it is one.
    let merchantToken: String?

    /// Checks the agreement once more under its lock, and has it know its first order, in the transaction that writes the
    /// order down.
    ///
    /// - Throws: ``PlacementRefusal/agreement(_:)`` or `SQLError`; then nothing may be stored.
    func begin(_ order: Order, at now: Timestamp, in session: any Session) throws {
        guard let use = order.agreement, let payment = order.payments.first else { return }
        guard let agreement = try AgreementTable.lock(use.agreement, of: order.marketplace, in: session) else {
            throw PlacementRefusal.agreement(.unknown)
        }
        do throws(AgreementRefusal) {
            if let charge {
                try agreement.checkCharge(of: order.amount, for: charge, at: order.time(at: now))
            } else {
                try agreement.checkFirstPayment(to: payment.merchant, in: order.amount.currency)
            }
        } catch {
            throw PlacementRefusal.agreement(error)
        }
        guard charge == nil else {
            try writer.apply([.chargePlaced(order.id)], to: agreement, by: order.clock, at: now, in: session)
            return
        }
        if let candidate {
            try AgreementMethodTable.insert(
                .init(candidate.method, of: agreement, sealed: candidate.sealed),
                in: session
            )
        }
        try writer.apply(
            [.firstPaymentPlaced(order.id, candidate: candidate?.method)]
                + (merchantToken.map { [.tokenNamed($0)] } ?? []),
            to: agreement,
            by: order.clock,
            at: now,
            in: session
        )
    }
}
