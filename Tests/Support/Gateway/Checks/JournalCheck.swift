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
        let ofOperations = try entries.filter { try $0.optionalText("operation_id") != nil }
        let byOperation = try Dictionary(grouping: ofOperations) { try $0.text("operation_id") }
        for operation in order.payments.flatMap(\.attempts).flatMap(\.operations) {
            let kinds = try (byOperation[operation.id.text] ?? []).map { try $0.text("kind") }
            let kind: JournalEntry.Kind =
                switch operation.kind {
                case .authorize: .authorization
                case .capture: .capture
                case .void: .release
                case .refund, .reverse: .refund
                }
            let posted = kinds.filter { $0 != JournalEntry.Kind.correction.rawValue }.sorted()
            let expected = expected(of: operation, as: kind).map(\.rawValue).sorted()
            // Of what comes back before it is known to have gone, or after it has failed, nothing is posted.
            let mayBeEmpty = kind == .refund || operation.state.name == "reversed"
            if posted != expected, !(mayBeEmpty && kinds.isEmpty) {
                complaints.append("\(operation.kind) of \(operation.doneAmount) is posted as \(kinds)")
            }
        }
        return complaints
    }

    private static func expected(of operation: Operation, as kind: JournalEntry.Kind) -> [JournalEntry.Kind] {
        if operation.state.name == "reversed" { return [kind, .reversal] }
        return operation.doneAmount > 0 ? [kind] : []
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
            let isOurs = route.settlesTo == .marketplace
            let theirs: Account = isOurs ? .payable(merchant: payment.merchant) : .directTo(merchant: payment.merchant)
            let passing: Account =
                isOurs ? .clearing(pspAccount: route.pspAccount) : .direct(pspAccount: route.pspAccount)
            add(theirs, passing, payment.chargedBack)
            add(.disputesBorne, .payable(merchant: payment.merchant), payment.chargedBackToMarketplace)
            let fees = payment.disputeFeesOfMarketplace
            if isOurs {
                let expense = Account.pspFees(pspAccount: route.pspAccount)
                add(.payable(merchant: payment.merchant), expense, payment.disputeFees - fees)
            } else {
                add(.disputesBorne, .payable(merchant: payment.merchant), fees)
            }
            add(.refundsBorne, .payable(merchant: payment.merchant), borne(payment, in: order))
            for line in payment.allocation {
                let isInvoiced = !isOurs && route.commissionBy == .invoice
                let asset: Account =
                    line.isMerchants
                    ? passing
                    : isInvoiced ? .receivable(merchant: payment.merchant) : .clearing(pspAccount: route.pspAccount)
                let owed: Account =
                    switch line.kind {
                    case .tip where !line.isMerchants: .tips
                    case .shipping where !line.isMerchants: .shipping
                    case .merchant, .tip, .shipping: theirs
                    case .commission: .commission
                    case .commissionTax: .commissionTax
                    case .tax: .tax(party: line.party)
                    }
                add(asset, owed, line.captured - line.refunded)
            }
        }
        return balances
    }

    /// What the marketplace gave back in the merchant's stead: its refunds' share of the merchant's lines.
    private static func borne(_ payment: Payment, in order: Order) -> Int64 {
        let ours = Set(order.refunds.filter { $0.borneBy == .marketplace }.map(\.id))
        let amount = payment.attempts.flatMap(\.operations).reduce(0) { sum, operation in
            sum + (operation.refund.map(ours.contains) ?? false ? operation.doneAmount : 0)
        }
        let merchants = payment.allocation.filter(\.isMerchants).reduce(0) { $0 + $1.refunded }
        guard amount > 0 else { return 0 }
        return LargestRemainder.allocate(merchants, by: [amount, payment.refunded - amount])[0]
    }
}
