import Synchronization

/// The payment methods that a PSP keeps for the payments that a merchant makes later.
///
/// A method is found again by the payment that left it, which its name leads to in the books; whose it is stands among
/// that payment's details. Only what was removed is noted here, in memory: it is there again after a restart.
final class StoredMethods: Sendable {
    /// The detail of a payment that says for whom its method is kept; it is not kept without.
    static let ownerDetail = "stored_for"

    /// What a kept method pays as: what becomes of a payment follows from its amount.
    static let method = PaymentMethod.token(AmountTable.token)

    private let removed = Mutex<Set<String>>([])
    private let payers = Mutex<Set<Requester>>([])

    /// Whether a payment left a method that is still kept, for that owner if one is named.
    func keeps(methodOf payment: Authorization?, for owner: String? = nil) -> Bool {
        guard let payment, payment.authorized > 0, let kept = payment.command.details[Self.ownerDetail],
            !removed.withLock({ $0.contains(payment.id) })
        else { return false }
        return owner == nil || kept == owner
    }

    /// Whether a request may pay with the method that a payment left: while it is kept, and under a key that came before it was
    /// removed, of which the books know the answer.
    func pays(methodOf payment: Authorization?, for owner: String? = nil, by requester: Requester) -> Bool {
        guard keeps(methodOf: payment, for: owner) else { return payers.withLock { $0.contains(requester) } }
        if requester.key != nil { payers.withLock { _ = $0.insert(requester) } }
        return true
    }

    /// Removes the method that a payment left; false if it is not kept.
    func remove(methodOf payment: Authorization?, for owner: String? = nil) -> Bool {
        guard let payment, keeps(methodOf: payment, for: owner) else { return false }
        return removed.withLock { $0.insert(payment.id).inserted }
    }
}
