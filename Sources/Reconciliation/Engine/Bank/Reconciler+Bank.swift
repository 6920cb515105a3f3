import AdapterKit
import Domain

/// Comparing payouts with the bank.
extension Reconciler {
    /// How many days before a payout's own day, and behind it, the bank may have booked it.
    private static let bankDays: (before: Int32, behind: Int32) = (14, 92)

    /// Since when something is news: what was not explained before, and has been compared with every statement, is
    /// compared with new statements only.
    var newsDay: CalendarDay { asOf?.adding(days: -Self.bankDays.behind) ?? CalendarDay(number: .min) }

    /// When the bank may have booked what is paid out; nil if nothing is.
    var bankDays: ClosedRange<CalendarDay>? {
        guard let payoutDays else { return nil }
        let last = payoutDays.upperBound.adding(days: Self.bankDays.behind)
        return payoutDays.lowerBound.adding(days: -Self.bankDays.before)...last
    }

    /// Compares, if a bank's statement is among the inputs.
    func settleBank(into sink: inout some ReconciliationSink) async throws {
        guard bank.isPresent else { return }
        bank.prepare(scope.calendar)
        var matcher = BankMatcher(side: bank, rules: rules, scope: scope)
        bank = BankSide()
        matcher.run()
        let side = matcher.side
        for outcome in matcher.outcomes {
            switch outcome {
            case .matched(let entry, let items, let rule, let shared):
                confirm(side.movements[entry], items.map { side.items[$0] }, rule, shared)
            case .differing(let entry, let items):
                report(side.movements[entry], items.map { side.items[$0] })
            }
            if findings.isFull { try await findings.flush(into: &sink) }
        }
        for item in side.items where item.isOpen {
            reportAbsent(item, side.covered[item.currency])
            if findings.isFull { try await findings.flush(into: &sink) }
        }
    }

    private func confirm(
        _ movement: BankMovement,
        _ items: [PayoutItem],
        _ rule: ReconciliationRule,
        _ shared: String
    ) {
        findings.summary.bankEntriesMatched += 1
        let owners = BankOwners(items)
        let theirs = Scale.trillionths(minorUnits: movement.amount, movement.currency)
        findings.add(
            Match(
                rule: rule.id,
                level: rule.level,
                by: rule.key.name,
                key: .text(shared),
                account: items.first?.account,
                lines: owners.lines,
                payouts: owners.payouts,
                entries: [movement.place],
                batch: items.count == 1 ? items.first?.batch : nil,
                theirs: Scale.amount(theirs, movement.currency),
                ours: Scale.amount(items.reduce(0) { $0 + $1.amount }, movement.currency)
            )
        )
    }

    private func report(_ movement: BankMovement, _ items: [PayoutItem]) {
        guard let first = items.first else { return }
        let paid = items.reduce(0) { $0 + $1.amount }
        let booked = Scale.trillionths(minorUnits: movement.amount, movement.currency)
        let names = items.prefix(10).map(\.name).joined(separator: ", ")
        let explanation =
            "The bank booked \(Scale.amount(booked, movement.currency)) for \(names), which came to "
            + "\(Scale.amount(paid, movement.currency))."
        add(first, items, movement, amount: booked - paid, explanation)
    }

    private func reportAbsent(_ item: PayoutItem, _ covered: CalendarDay?) {
        guard let covered, let day = item.day else { return }
        let within = item.account.map { rules.terms(for: $0).bankWithinDays } ?? PSPTerms.standard.bankWithinDays
        guard covered.days(since: day) >= within else { return }
        let explanation =
            "\(item.name) of \(day) over \(Scale.amount(item.amount, item.currency)) is not at the bank, whose "
            + "statements reach to \(covered)."
        add(item, [item], nil, amount: -item.amount, explanation)
    }

    private func add(
        _ item: PayoutItem,
        _ items: [PayoutItem],
        _ movement: BankMovement?,
        amount: Int128,
        _ explanation: String
    ) {
        let owners = BankOwners(items)
        let whose = item.account?.description ?? owners.payouts.first?.text ?? ""
        // A batch may be paid out in several lines, and a payout may have no name.
        let place = owners.lines.first.map { "/\($0.file)/\($0.member)/\($0.row)" } ?? ""
        findings.add(
            Break(
                type: .payoutMismatch,
                key: "\(BreakType.payoutMismatch.rawValue)/\(whose)/\(item.name)/\(item.currency.code)\(place)",
                currency: item.currency,
                amount: Scale.minorUnits(amount, item.currency),
                day: item.day?.description,
                psp: item.account?.psp,
                pspAccount: item.account?.account,
                merchant: owners.merchant,
                lines: Array((owners.lines + [movement?.place].compactMap(\.self)).prefix(Self.lineLimit)),
                explanation: explanation,
                suggestion: "Compare the bank account that the payout names with ours, and ask who holds the money."
            )
        )
    }
}
