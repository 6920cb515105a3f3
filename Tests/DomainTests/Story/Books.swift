import Domain

/// The journal of one order, added up, against what the order says of itself.
struct Books {
    private(set) var entries: [JournalEntry] = []

    mutating func add(_ more: [JournalEntry]) { entries += more }

    /// Debits less credits of each account that is not even.
    var balances: [Account: Int64] {
        var balances: [Account: Int64] = [:]
        for posting in entries.flatMap(\.postings) {
            balances[posting.debit, default: 0] += posting.amount
            balances[posting.credit, default: 0] -= posting.amount
        }
        return balances.filter { $0.value != 0 }
    }

    /// What is wrong with the journal of `order`.
    func complaints(of order: Order) -> [String] {
        var complaints: [String] = []
        let (balances, expected) = (self.balances, Self.expected(of: order))
        if balances != expected {
            complaints.append("balances are \(Self.text(balances)), expected \(Self.text(expected))")
        }
        if balances.values.reduce(0, +) != 0 { complaints.append("accounts do not sum to zero") }
        let effects = entries.filter { $0.operation != nil }.map { "\($0.operation?.text ?? "") \($0.kind)" }
        if Set(effects).count != effects.count { complaints.append("an effect is posted twice: \(effects)") }
        complaints += order.payments.flatMap(\.attempts).flatMap(\.operations).flatMap(audit)
        let postings = entries.flatMap(\.postings)
        if postings.contains(where: { $0.amount <= 0 || $0.debit == $0.credit }) { complaints.append("bad posting") }
        return complaints
    }

    /// What `ledger verify` would say of an operation's entries.
    private func audit(_ operation: Operation) -> [String] {
        let kinds = entries.filter { $0.operation == operation.id && $0.kind != .correction }.map(\.kind)
        let kind: JournalEntry.Kind =
            switch operation.kind {
            case .authorize: .authorization
            case .capture: .capture
            case .void: .release
            case .refund, .reverse: .refund
            }
        let isReversed = operation.state.name == "reversed"
        let expected = isReversed ? [kind, .reversal] : operation.doneAmount > 0 ? [kind] : []
        if kinds == expected || (kinds.isEmpty && (kind == .refund || isReversed)) { return [] }
        return ["the \(operation.kind) \(operation.id) is posted as \(kinds), expected \(expected)"]
    }

    /// The balances by who settles to whom, from the amounts of the payments alone.
    ///
    /// Payments all of whose attempts but the latest took nothing.
    static func expected(of order: Order) -> [Account: Int64] {
        var balances: [Account: Int64] = [:]
        for payment in order.payments {
            let route = payment.attempt.route
            for attempt in payment.attempts {
                balances[.held(pspAccount: attempt.route.pspAccount), default: 0] += attempt.held
                balances[.heldFor(merchant: payment.merchant), default: 0] -= attempt.held
            }
            let isOurs = route.settlesTo == .marketplace
            let theirs: Account =
                isOurs ? .payable(merchant: payment.merchant) : .directTo(merchant: payment.merchant)
            let passing: Account =
                isOurs ? .clearing(pspAccount: route.pspAccount) : .direct(pspAccount: route.pspAccount)
            balances[theirs, default: 0] += payment.chargedBack
            balances[passing, default: 0] -= payment.chargedBack
            let fees = payment.disputeFees - payment.disputeFeesOfMarketplace
            let shared = payment.chargedBackToMarketplace + (isOurs ? 0 : payment.disputeFeesOfMarketplace)
            balances[.disputesBorne, default: 0] += shared
            balances[.payable(merchant: payment.merchant), default: 0] += (isOurs ? fees : 0) - shared
            if isOurs { balances[.pspFees(pspAccount: route.pspAccount), default: 0] -= fees }
            let borne = Self.borne(payment, in: order)
            balances[.refundsBorne, default: 0] += borne
            balances[.payable(merchant: payment.merchant), default: 0] -= borne
            for line in payment.allocation {
                let net = line.captured - line.refunded
                let isInvoiced = route.settlesTo == .merchant && route.commissionBy == .invoice
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
                balances[asset, default: 0] += net
                balances[owed, default: 0] -= net
            }
        }
        return balances.filter { $0.value != 0 }
    }

    /// What the marketplace gave back in the merchant's stead: its refunds' share of what the merchant's lines gave back of the
    /// sale, and of what lines that keep theirs left to the merchant.
    private static func borne(_ payment: Payment, in order: Order) -> Int64 {
        let ours = Set(order.refunds.filter { $0.borneBy == .marketplace }.map(\.id))
        let amount = payment.attempts.flatMap(\.operations).reduce(0) { sum, operation in
            sum + (operation.refund.map(ours.contains) ?? false ? operation.doneAmount : 0)
        }
        guard amount > 0 else { return 0 }
        let undone = payment.attempts.reduce(0) { sum, attempt in
            sum + attempt.refunded { $0.refund == nil && ($0.origin == .gateway || attempt.isSurplus) }
        }
        let sold = payment.refunded - undone
        let shares = LargestRemainder.allocate(sold, by: payment.allocation.map(\.captured))
        let merchants = zip(payment.allocation, shares).reduce(0) { sum, line in
            sum + (line.0.isMerchants || line.0.returnedOnRefund == .none ? line.1 : 0)
        }
        let done = payment.attempts.flatMap(\.operations).filter { $0.kind == .refund && $0.state == .succeeded }
        if done.contains(where: { $0.origin != .gateway && $0.commission != nil }) {
            let own = done.filter { $0.refund.map(ours.contains) ?? false }
            return own.reduce(0) { $0 + $1.doneAmount - ($1.commission ?? 0) }
        }
        return LargestRemainder.allocate(merchants, by: [amount, sold - amount])[0]
    }

    private static func text(_ balances: [Account: Int64]) -> String {
        balances.map { "\($0.key.path) \($0.value)" }.sorted().joined(separator: ", ")
    }
}
