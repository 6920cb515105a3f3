import Domain
import SQL
import Storage

/// The journal balances, and each effect at a PSP is posted exactly once.
enum JournalCheck {
    static func complaints(about order: Order, in session: any Session) throws -> [String] {
        let entries = try session.rows("SELECT * FROM journal_entry WHERE order_id = \(order.id)")
        let postings = try session.rows(
            """
            SELECT posting.*, journal_entry.currency AS entry_currency FROM posting
            JOIN journal_entry ON journal_entry.id = posting.entry_id WHERE journal_entry.order_id = \(order.id)
            """
        )
        return try effects(of: order, entries) + balances(of: order, postings)
    }

    private static func effects(of order: Order, _ entries: [Row]) throws -> [String] {
        var complaints: [String] = []
        let byOperation = try Dictionary(grouping: entries) { try $0.optionalText("operation_id") }
        for operation in order.payments.flatMap(\.attempts).flatMap(\.operations) {
            let kinds = try (byOperation[operation.id.text] ?? []).map { try $0.text("kind") }
            let kind: JournalEntry.Kind =
                switch operation.kind {
                case .authorize: .authorization
                case .capture: .capture
                case .void: .release
                case .refund, .reverse: .refund
                }
            let isPosted = operation.doneAmount > 0
            let mayBeEmpty = kind == .refund
            if kinds != (isPosted ? [kind.rawValue] : []), !(mayBeEmpty && kinds.isEmpty) {
                complaints.append("\(operation.kind) of \(operation.doneAmount) is posted as \(kinds)")
            }
        }
        return complaints
    }

    private static func balances(of order: Order, _ postings: [Row]) throws -> [String] {
        var balances: [String: Int64] = [:]
        var complaints: [String] = []
        for posting in postings {
            let amount = try posting.integer("amount")
            balances[try posting.text("debit"), default: 0] += amount
            balances[try posting.text("credit"), default: 0] -= amount
            if try posting.text("currency") != posting.text("entry_currency") {
                complaints.append("a posting is in another currency than its entry")
            }
        }
        balances = balances.filter { $0.value != 0 }
        let expected = expected(of: order).filter { $0.value != 0 }
        if balances != expected { complaints.append("balances are \(balances), should be \(expected)") }
        if balances.values.reduce(0, +) != 0 { complaints.append("the accounts do not sum to zero") }
        return complaints
    }

    /// What each account should hold, by who settles to whom, from the payments' amounts alone.
    private static func expected(of order: Order) -> [String: Int64] {
        var balances: [String: Int64] = [:]
        func add(_ debit: Account, _ credit: Account, _ amount: Int64) {
            balances[debit.path, default: 0] += amount
            balances[credit.path, default: 0] -= amount
        }
        for payment in order.payments {
            for attempt in payment.attempts {
                add(.held(pspAccount: attempt.route.pspAccount), .heldFor(merchant: payment.merchant), attempt.held)
            }
            let route = payment.attempt.route
            if route.settlesTo == .marketplace {
                let clearing = Account.clearing(pspAccount: route.pspAccount)
                add(.payable(merchant: payment.merchant), clearing, payment.chargedBack)
            }
            for line in payment.allocation {
                if line.kind == .merchant, route.settlesTo == .merchant { continue }
                let isInvoiced = route.settlesTo == .merchant && route.commissionBy == .invoice
                let owed: Account =
                    switch line.kind {
                    case .merchant: .payable(merchant: payment.merchant)
                    case .commission: .commission
                    case .commissionTax: .commissionTax
                    case .tax: .tax(party: line.party)
                    }
                add(
                    isInvoiced ? .receivable(merchant: payment.merchant) : .clearing(pspAccount: route.pspAccount),
                    owed,
                    line.captured - line.refunded
                )
            }
        }
        return balances
    }
}
