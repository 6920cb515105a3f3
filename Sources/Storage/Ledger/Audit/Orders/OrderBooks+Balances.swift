import Domain

/// What the accounts should hold of an order, from the amounts of its payments and who settles to whom alone.
extension OrderBooks {
    private typealias Balances = [String: Int64]

    var balanceFindings: [LedgerFinding] {
        var found: Balances = [:]
        for posted in postings {
            found[posted.debit, default: 0] += posted.amount
            found[posted.credit, default: 0] -= posted.amount
        }
        let expected = order.payments.reduce(into: Balances()) { add($1, to: &$0) }
        let accounts = Set(found.keys).union(expected.keys).sorted()
        return accounts.filter { isTold($0) }.flatMap { account in
            compare(
                Self.commission.contains(account) ? .commissionIsFrozen : .booksFollowOrder,
                expected: "\(account) \(expected[account] ?? 0)",
                found: "\(account) \(found[account] ?? 0)"
            )
        }
    }

    private static let commission: Set<String> = [Account.commission.path, Account.commissionTax.path]

    /// The attempts that ever took or gave back anything; what they did is posted on their own routes.
    private func takers(_ payment: Payment) -> [Attempt] {
        payment.attempts.filter { attempt in
            attempt.operations.contains { operation in
                let isDone = operation.state == .succeeded || operation.state.name == "reversed"
                return isDone && (operation.kind == .capture || operation.givesBack)
            } || payment.disputes.contains { $0.attempt == attempt.id }
        }
    }

    /// Whether several attempts of one payment took money on different routes.
    ///
    /// Which unit of a rounded share came by which of them is nowhere written down, so that only what does not depend
    /// on it is held to account.
    private var isScattered: Bool {
        order.payments.contains { Set(takers($0).map(\.route)).count > 1 }
    }

    /// Whether an account's balance follows from the amounts.
    private func isTold(_ account: String) -> Bool {
        !isScattered || account.hasPrefix("memo/") || Self.commission.contains(account)
    }

    private func add(_ payment: Payment, to balances: inout Balances) {
        func add(_ debit: Account, _ credit: Account, _ amount: Int64) {
            guard amount != 0 else { return }
            balances[debit.path, default: 0] += amount
            balances[credit.path, default: 0] -= amount
        }
        for attempt in payment.attempts {
            add(.held(pspAccount: attempt.route.pspAccount), .heldFor(merchant: payment.merchant), attempt.held)
        }
        let route = takers(payment).last?.route ?? payment.attempt.route
        let isOurs = route.settlesTo == .marketplace
        let owed: Account = isOurs ? .payable(merchant: payment.merchant) : .directTo(merchant: payment.merchant)
        let passing: Account =
            isOurs ? .clearing(pspAccount: route.pspAccount) : .direct(pspAccount: route.pspAccount)
        add(owed, passing, payment.chargedBack)
        add(.disputesBorne, .payable(merchant: payment.merchant), payment.chargedBackToMarketplace)
        let borne = payment.disputeFeesOfMarketplace
        if isOurs {
            let fees = Account.pspFees(pspAccount: route.pspAccount)
            add(.payable(merchant: payment.merchant), fees, payment.disputeFees - borne)
        } else {
            add(.disputesBorne, .payable(merchant: payment.merchant), borne)
        }
        add(.refundsBorne, .payable(merchant: payment.merchant), self.borne(payment))
        for line in payment.allocation {
            let (asset, share): (Account, Account)
            switch line.kind {
            case .merchant: (asset, share) = (passing, owed)
            case .commission: (asset, share) = (charged(payment, route), .commission)
            case .commissionTax: (asset, share) = (charged(payment, route), .commissionTax)
            case .tax: (asset, share) = (charged(payment, route), .tax(party: line.party))
            }
            add(asset, share, line.captured - line.refunded)
        }
    }

    /// What the commission is taken from: what passes our hands, or what the merchant owes by invoice.
    private func charged(_ payment: Payment, _ route: RouteSnapshot) -> Account {
        route.settlesTo == .merchant && route.commissionBy == .invoice
            ? .receivable(merchant: payment.merchant) : .clearing(pspAccount: route.pspAccount)
    }

    /// What the marketplace gave back in the merchant's stead: its refunds' share of the merchant's line.
    private func borne(_ payment: Payment) -> Int64 {
        let ours = Set(order.refunds.filter { $0.borneBy == .marketplace }.map(\.id))
        let amount = payment.attempts.reduce(0) { sum, attempt in
            sum + attempt.refunded { operation in operation.refund.map(ours.contains) ?? false }
        }
        let merchants = payment.allocation.first { $0.kind == .merchant }?.refunded ?? 0
        guard amount > 0, payment.refunded >= amount else { return 0 }
        return LargestRemainder.allocate(merchants, by: [amount, payment.refunded - amount])[0]
    }
}
