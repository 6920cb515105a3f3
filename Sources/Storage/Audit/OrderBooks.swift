import Domain

/// The rules of the order itself, and its caches.
extension OrderBooks {
    /// What the order breaks of the rules that are checked before it is stored.
    var ruleFindings: [LedgerFinding] {
        // What lines sum to is looked at by payment.
        let broken = OrderRules.violations(of: order).filter { $0 != .allocationDiffers }
        let violations = broken.map { violation in
            LedgerFinding(
                violation.ledgerRule,
                order.id.text,
                expected: "no \(violation.rawValue)",
                found: "\(violation.rawValue): \(amounts)"
            )
        }
        let sums = order.payments.flatMap { payment in
            let lines = payment.allocation
            func sums(_ part: (AllocationLine) -> Int64) -> Int64 { lines.reduce(0) { $0 + part($1) } }
            return compare(
                .allocationSums,
                payment.id.text,
                expected: "\(payment.amount), captured \(payment.captured), refunded \(payment.refunded)",
                found: "\(sums(\.amount)), captured \(sums(\.captured)), refunded \(sums(\.refunded))"
            )
        }
        return violations + sums
            + compare(.orderIsItsPayments, expected: "\(payable)", found: "\(order.payable)")
            + (payable <= order.amount.minorUnits
                ? []
                : compare(.orderIsItsPayments, expected: "at most \(order.amount.minorUnits)", found: "\(payable)"))
    }

    /// What each payment comes to, for whoever has to look into it.
    private var amounts: String {
        order.payments.map { payment in
            "\(payment.id) authorized \(payment.authorized), captured \(payment.captured), "
                + "refunded \(payment.refunded), charged back \(payment.chargedBack)"
        }.joined(separator: "; ")
    }

    /// What is cached and not what the operations say.
    var cacheFindings: [LedgerFinding] {
        compare(.storedEqualsFold, expected: order.status.rawValue, found: status)
            + order.payments.flatMap { payment in
                let folded = Cached(
                    status: payment.state.rawValue,
                    authorized: payment.authorized,
                    captured: payment.captured,
                    refunded: min(payment.captured, payment.refunded)
                )
                return compare(
                    .storedEqualsFold,
                    payment.id.text,
                    expected: folded.text,
                    found: payments[payment.id]?.text ?? "nothing"
                )
            }
    }
}

extension OrderBooks.Cached {
    fileprivate var text: String {
        "\(status), authorized \(authorized), captured \(captured), refunded \(refunded)"
    }
}

extension OrderViolation {
    /// The rule of the books that it breaks.
    fileprivate var ledgerRule: LedgerRule {
        switch self {
        case .claimsExceedAuthorized: .capturedWithinAuthorized
        case .claimsExceedCaptured: .refundedWithinCaptured
        case .heldUnwanted, .capturedUnwanted: .refusedHoldsNothing
        default: .orderKeepsItsRules
        }
    }
}

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

    /// What is the marketplace's of a payment as it was frozen, by whichever route it was taken.
    private static let commission: Set<String> = [
        Account.commission.path, Account.commissionTax.path, Account.tips.path, Account.shipping.path,
    ]

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
            case .tip where !line.isMerchants: (asset, share) = (charged(payment, route), .tips)
            case .shipping where !line.isMerchants: (asset, share) = (charged(payment, route), .shipping)
            case .merchant, .tip, .shipping: (asset, share) = (passing, owed)
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

    /// What the marketplace gave back in the merchant's stead: its refunds' share of what the merchant's lines give back of the
    /// sale.
    ///
    /// What undoes what was never sold is borne by nobody.
    private func borne(_ payment: Payment) -> Int64 {
        let ours = Set(order.refunds.filter { $0.borneBy == .marketplace }.map(\.id))
        let amount = payment.attempts.reduce(0) { sum, attempt in
            sum + attempt.refunded { operation in operation.refund.map(ours.contains) ?? false }
        }
        let merchants = payment.allocation.refundedOfMerchant
        guard amount > 0, payment.refunded >= amount else { return 0 }
        if let returned = order.commissionsReturned(of: payment) {
            let own = payment.attempts.flatMap(\.operations).filter { $0.refund.map(ours.contains) ?? false }
            let taken = own.reduce(0) { sum, refund in sum + (returned[refund.id].map { refund.doneAmount - $0 } ?? 0) }
            return min(merchants, taken)
        }
        let sold = order.saleGivenBack(of: payment)
        var lines = payment.allocation
        for index in lines.indices { lines[index].refunded = 0 }
        _ = lines.refund(upTo: sold)
        let theirs = min(merchants, lines.refundedOfMerchant)
        return LargestRemainder.allocate(theirs, by: [amount, max(0, sold - amount)])[0]
    }
}

/// Whether every effect is posted, and posted once.
extension OrderBooks {
    var effectFindings: [LedgerFinding] {
        let operations = order.payments.flatMap(\.attempts).flatMap(\.operations)
        return operations.flatMap(effect) + order.payments.flatMap(\.disputes).flatMap(dispute)
    }

    private func effect(of operation: Operation) -> [LedgerFinding] {
        let all = (entries[operation.id.text] ?? [:]).values
        let kinds = all.filter { $0 != JournalEntry.Kind.correction.rawValue }
        let isReversed = operation.state.name == "reversed"
        let kind = operation.kind.entry
        let expected: [JournalEntry.Kind] =
            isReversed ? [kind, .reversal] : operation.doneAmount > 0 ? [kind] : []
        // Of what comes back before it is known to have gone, or after it has failed, nothing is posted.
        if all.isEmpty, kind == .refund || isReversed { return [] }
        func text(_ kinds: [String]) -> String {
            kinds.isEmpty ? "nothing" : kinds.sorted().joined(separator: ", ")
        }
        return compare(
            .effectIsPosted,
            operation.id.text,
            expected: text(expected.map(\.rawValue)),
            found: text(Array(kinds))
        )
    }

    /// What a dispute takes now, against what its entries took at the PSP, whoever bears it.
    private func dispute(_ dispute: Dispute) -> [LedgerFinding] {
        let payment = order.payments.first { $0.disputes.contains { $0.id == dispute.id } }
        guard let payment, let route = payment.attempts.first(where: { $0.id == dispute.attempt })?.route else {
            return []
        }
        let isOurs = route.settlesTo == .marketplace
        let account: Account =
            isOurs ? .clearing(pspAccount: route.pspAccount) : .direct(pspAccount: route.pspAccount)
        let taken = postings.reduce(Int64(0)) { sum, posted in
            guard posted.dispute == dispute.id.text else { return sum }
            let isTaken = posted.credit == account.path
            return sum + (isTaken ? posted.amount : posted.debit == account.path ? -posted.amount : 0)
        }
        return compare(
            .effectIsPosted,
            dispute.id.text,
            expected: "\(dispute.chargedBack) charged back",
            found: "\(taken) charged back"
        )
    }
}

extension Operation.Kind {
    /// What its success is posted as.
    fileprivate var entry: JournalEntry.Kind {
        switch self {
        case .authorize: .authorization
        case .capture: .capture
        case .void: .release
        case .refund, .reverse: .refund
        }
    }
}

/// What was heard and told of an order against where it stands.
extension OrderBooks {
    var historyFindings: [LedgerFinding] { decisionFindings + eventFindings + callbackFindings + factFindings }

    private var decisionFindings: [LedgerFinding] {
        let state = order.decision.state
        let expected = state == .pending || state == .cleared ? "none" : "order.\(state.rawValue)"
        return compare(.decisionIsTold, expected: expected, found: toldDecision ?? "none")
    }

    private var eventFindings: [LedgerFinding] {
        func text(_ count: Int64, _ first: Int64, _ last: Int64) -> String {
            "\(count) events, numbered \(first) to \(last)"
        }
        let last = order.eventSequence
        return compare(
            .eventsHaveNoGaps,
            expected: text(last, min(1, last), last),
            found: text(eventCount, firstEvent, lastEvent) + (isNumbered ? "" : ", not one after the other")
        )
    }

    private var callbackFindings: [LedgerFinding] {
        told.flatMap { told -> [LedgerFinding] in
            let payment = order.payments.first { $0.id.text == told.payment }
            let announced = told.merchant == nil ? order.announced : payment?.announced ?? 0
            let isRight = told.distinct == told.count && told.first >= 1 && told.last <= announced
            let subject = "\(told.merchant == nil ? order.id.text : told.payment ?? order.id.text) \(told.endpoint)"
            return isRight
                ? []
                : compare(
                    .callbacksAgree,
                    subject,
                    expected: "each number from 1 to \(announced) at most once",
                    found: "\(told.count) callbacks of \(told.distinct) numbers, \(told.first) to \(told.last)"
                )
        }
    }

    private var factFindings: [LedgerFinding] {
        order.payments.flatMap(\.attempts).flatMap(\.operations).flatMap { operation -> [LedgerFinding] in
            let heard = facts[operation.id.text] ?? []
            let isFounded =
                switch operation.state {
                case .succeeded: !heard.isDisjoint(with: ["succeeded", "rejected"])
                case .declined: heard.contains("declined") || operation.kind == .authorize
                case .rejected: heard.contains("rejected")
                case .notSent: operation.leases == 0 || !heard.isDisjoint(with: ["not_sent", "rejected"])
                case .reversed: heard.contains("reversed")
                case .open, .unknown, .pending, .actionRequired: true
                }
            let isOutdone =
                heard.contains("succeeded") && !heard.contains("reversed") && operation.state != .succeeded
            guard !isFounded || isOutdone else { return [] }
            return [
                LedgerFinding(
                    .operationsFollowFacts,
                    operation.id.text,
                    expected: "a state of \(heard.isEmpty ? "nothing heard" : heard.sorted().joined(separator: ", "))",
                    found: operation.state.name
                )
            ]
        }
    }
}
