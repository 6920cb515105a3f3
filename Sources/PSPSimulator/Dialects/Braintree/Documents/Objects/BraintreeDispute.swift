import StrictJSON

/// A dispute as Braintree shows it.
struct BraintreeDispute {
    /// The dispute in the books.
    let dispute: Dispute
    /// What it is about.
    let transaction: BraintreeTransaction

    /// Shows a dispute.
    init(_ dispute: Dispute, of transaction: BraintreeTransaction) {
        self.dispute = dispute
        self.transaction = transaction
    }

    /// Braintree's name for it.
    var name: BraintreeName { BraintreeName(.dispute, dispute.id, currency) }

    /// The currency of its amounts.
    var currency: String { transaction.authorization.command.currency }

    /// Where it stands.
    var status: String { dispute.status == .opened ? "open" : dispute.status.rawValue }

    /// One of the reasons that Braintree knows (reference/response/dispute, read 2026).
    var reason: String {
        if dispute.reason == "fraudulent" { return "fraud" }
        return Self.reasons.contains(dispute.reason) ? dispute.reason : "general"
    }

    /// The object.
    ///
    /// - Parameter depth: how many steps lead back to the transaction.
    /// - Returns: the object.
    func json(depth: Int = 1) -> JSON {
        [
            "__typename": "Dispute", "id": .string(name.global), "legacyId": .string(name.legacy),
            "amountDisputed": BraintreeTransaction.money(dispute.amount, currency),
            "amountWon": BraintreeTransaction.money(dispute.returned, currency),
            "caseNumber": .string("CASE" + name.legacy.uppercased()),
            "createdAt": .string(BraintreeMoment.text(dispute.at)),
            "receivedDate": .string(BraintreeMoment.day(dispute.at)),
            "responseDeadline": .string(BraintreeMoment.text(dispute.respondBy)),
            "replyByDate": .string(BraintreeMoment.day(dispute.respondBy)), "type": "CHARGEBACK",
            "status": .string(status.uppercased()), "transaction": depth > 0 ? transaction.json(depth: 0) : .null,
        ]
    }

    private static let reasons: Set<String> = [
        "cancelled_recurring_transaction", "credit_not_processed", "duplicate", "fraud", "general",
        "invalid_account", "not_recognized", "product_not_received", "product_unsatisfactory",
        "transaction_amount_differs",
    ]
}
