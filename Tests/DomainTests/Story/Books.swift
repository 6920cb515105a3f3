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
        let effects = entries.map { "\($0.operation) \($0.kind)" }
        if Set(effects).count != effects.count { complaints.append("an effect is posted twice: \(effects)") }
        let postings = entries.flatMap(\.postings)
        if postings.contains(where: { $0.amount <= 0 || $0.debit == $0.credit }) { complaints.append("bad posting") }
        return complaints
    }

    /// The balances by who settles to whom, from the amounts of the payments alone.
    ///
    /// Payments with one attempt only.
    static func expected(of order: Order) -> [Account: Int64] {
        var balances: [Account: Int64] = [:]
        for payment in order.payments {
            let route = payment.attempt.route
            balances[.held(pspAccount: route.pspAccount), default: 0] += payment.held
            balances[.heldFor(merchant: payment.merchant), default: 0] -= payment.held
            for line in payment.allocation {
                let net = line.captured - line.refunded
                let isMerchants = line.kind == .merchant
                if isMerchants && route.settlesTo == .merchant { continue }
                let isInvoiced = route.settlesTo == .merchant && route.commissionBy == .invoice
                let asset: Account =
                    isInvoiced ? .receivable(merchant: payment.merchant) : .clearing(pspAccount: route.pspAccount)
                let owed: Account =
                    switch line.kind {
                    case .merchant: .payable(merchant: payment.merchant)
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

    private static func text(_ balances: [Account: Int64]) -> String {
        balances.map { "\($0.key.path) \($0.value)" }.sorted().joined(separator: ", ")
    }
}
