package import Domain
package import SQL

/// Payments by whatever a file may call them, for lines that match no expectation.
package enum PaymentCandidateTable {
    /// How many references one statement looks for.
    private static let referencesPerStatement = 2000
    /// How many orders are read at once.
    private static let ordersPerStatement = 500

    /// The payments that references name: our attempt, payment or order, the marketplace's reference of an order or a
    /// payment, or the PSP's name of a payment, an operation or a dispute.
    ///
    /// - Parameters:
    ///   - references: any number of them.
    ///   - marketplace: the marketplace.
    ///   - session: the transaction.
    /// - Returns: an attempt for each reference that it is known by, by reference and attempt.
    /// - Throws: `SQLError`.
    package static func find(
        _ references: [String],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [PaymentMatchCandidate] {
        let wanted = Set(references)
        var found: Set<PaymentMatchCandidate> = []
        var rest = wanted.sorted()[...]
        while !rest.isEmpty {
            let page = Array(rest.prefix(referencesPerStatement))
            rest = rest.dropFirst(referencesPerStatement)
            for order in try orders(named: page, of: marketplace, in: session) {
                for candidate in candidates(in: order) where wanted.contains(candidate.reference) {
                    found.insert(candidate)
                }
            }
        }
        return found.sorted { ($0.reference, $0.attempt) < ($1.reference, $1.attempt) }
    }

    /// The orders of a marketplace that have anything of these names, some perhaps that have not.
    private static func orders(
        named names: [String],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [Order] {
        var ids: Set<OrderID> = []
        for name in names {
            if let order = OrderID(name) { ids.insert(order) }
            if let attempt = AttemptID(name) { ids.insert(OrderID(of: attempt)) }
            if let operation = OperationID(name) { ids.insert(OrderID(of: operation)) }
            if let payment = PaymentID(name) { ids.insert(OrderID(of: payment)) }
        }
        let list = names.map(\.sqlValue)
        for rows in try session.rows([
            "SELECT order_id FROM psp_name WHERE name IN (\(list: list)) AND marketplace = \(marketplace)",
            "SELECT order_id FROM payment WHERE reference IN (\(list: list)) AND marketplace = \(marketplace)",
            "SELECT id AS order_id FROM orders WHERE marketplace = \(marketplace) AND reference IN (\(list: list))",
            "SELECT order_id FROM dispute WHERE reference IN (\(list: list)) AND marketplace = \(marketplace)",
        ]) {
            for row in rows { ids.insert(try row.identifier("order_id")) }
        }
        var orders: [Order] = []
        var rest = ids.sorted()[...]
        while !rest.isEmpty {
            orders += try OrderReader.loadReadable(Array(rest.prefix(ordersPerStatement)), in: session).orders
            rest = rest.dropFirst(ordersPerStatement)
        }
        return orders.filter { $0.marketplace == marketplace }
    }

    /// An attempt for each of the names that it is known by.
    private static func candidates(in order: Order) -> [PaymentMatchCandidate] {
        order.payments.flatMap { payment in
            payment.attempts.flatMap { attempt in
                var names: [String?] = [
                    order.id.text, order.reference, payment.id.text, payment.reference, attempt.id.text,
                    attempt.pspReference,
                ]
                for operation in attempt.operations { names += [operation.id.text, operation.reference] }
                names += payment.disputes.filter { $0.attempt == attempt.id }.map(\.reference)
                return names.compactMap(\.self).map { name in
                    PaymentMatchCandidate(
                        reference: name,
                        order: order.id,
                        payment: payment.id,
                        attempt: attempt.id,
                        merchant: payment.merchant,
                        pspAccount: attempt.route.pspAccount,
                        status: payment.state.rawValue
                    )
                }
            }
        }
    }
}
