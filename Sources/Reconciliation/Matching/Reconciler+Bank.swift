package import Domain
import ExternalJoin

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

    /// The bank accounts of the entries, and from when to when they were booked; nil if there are none.
    var bookings: (accounts: [String], days: ClosedRange<CalendarDay>)? {
        let days = bank.movements.map(\.day)
        guard let first = days.min(), let last = days.max() else { return nil }
        return (Set(bank.movements.map(\.account)).sorted(), first...last)
    }

    /// Leaves out entries that another file of the run has, or one that counts.
    ///
    /// - Parameter counting: the entries of files that count and go on to.
    /// - Returns: where those stand that are left out, each with the files that have it, too, as their places name them.
    package func passOver(repeating counting: [BankMovement]) -> [LinePlace: Set<String>] {
        var entries = RepeatedEntries()
        entries.add(counting)
        let repeated = entries.take(bank.movements)
        bank.movements.removeAll { repeated[$0.place] != nil }
        findings.summary.bankEntries -= repeated.count
        return repeated
    }

    /// When payouts were paid out that the bank's entries may name; nil if there are none.
    var namedPayoutDays: ClosedRange<CalendarDay>? {
        guard let days = bookings?.days else { return nil }
        let (first, last) = (days.lowerBound, days.upperBound)
        return first.adding(days: -Self.bankDays.behind)...last.adding(days: Self.bankDays.before)
    }

    /// Compares, if a bank's statement is among the inputs.
    func matchBank(into sink: inout some ReconciliationSink) async throws {
        guard bank.isPresent else { return }
        bank.prepare(scope.calendar)
        var matcher = BankMatcher(side: bank, rules: rules, scope: scope)
        bank = BankSide()
        matcher.run()
        let side = matcher.side
        for outcome in matcher.outcomes {
            switch outcome {
            case .matched(let entries, let items, let rule, let shared):
                confirm(entries.map { side.movements[$0] }, items.map { side.items[$0] }, rule, shared)
            case .differing(let entries, let items):
                report(entries.map { side.movements[$0] }, items.map { side.items[$0] })
            case .repeated(let entries, let item):
                reportRepeated(entries.map { side.movements[$0] }, side.items[item])
            }
            if findings.isFull { try await findings.flush(into: &sink) }
        }
        for item in side.items where item.isOpen {
            reportAbsent(item, side.covered[item.currency])
            if findings.isFull { try await findings.flush(into: &sink) }
        }
    }

    private func confirm(
        _ movements: [BankMovement],
        _ items: [PayoutItem],
        _ rule: ReconciliationRule,
        _ shared: String
    ) {
        findings.summary.bankEntriesMatched += movements.count
        let (owners, currency) = (BankOwners(items), movements[0].currency)
        findings.add(
            Match(
                rule: rule.id,
                level: rule.level,
                by: rule.key.name,
                key: .text(shared),
                account: items.first?.account,
                lines: owners.lines,
                payouts: owners.payouts,
                entries: movements.map(\.place),
                batch: items.count == 1 ? items.first?.batch : nil,
                theirs: Scale.amount(Self.booked(movements), currency),
                ours: Scale.amount(items.reduce(0) { $0 + $1.amount }, currency)
            )
        )
    }

    /// What entries come to, in units of 10⁻¹².
    private static func booked(_ movements: [BankMovement]) -> Int128 {
        movements.reduce(0) { $0 + Scale.trillionths(minorUnits: $1.amount, $1.currency) }
    }

    private func report(_ movements: [BankMovement], _ items: [PayoutItem]) {
        guard let first = items.first else { return }
        let (paid, booked) = (items.reduce(0) { $0 + $1.amount }, Self.booked(movements))
        let names = items.prefix(10).map(\.name).joined(separator: ", ")
        let explanation =
            "The bank booked \(Scale.amount(booked, first.currency)) for \(names), which came to "
            + "\(Scale.amount(paid, first.currency))."
        add(first, items, movements, amount: booked - paid, explanation)
    }

    /// The money of an entry is nobody's who is known: the payout that it names is explained by others.
    private func reportRepeated(_ movements: [BankMovement], _ item: PayoutItem) {
        let (booked, places) = (Self.booked(movements), movements.map(\.place))
        let place = places.first.map { "\($0.file)/\($0.member)/\($0.row)" } ?? ""
        findings.add(
            Break(
                type: .payoutMismatch,
                key: "\(BreakType.payoutMismatch.rawValue)/repeated/\(place)",
                currency: item.currency,
                amount: Scale.minorUnits(booked, item.currency),
                day: movements.first?.day.description,
                psp: item.account?.psp,
                pspAccount: item.account?.account,
                merchant: BankOwners([item]).merchant,
                lines: Array(places.prefix(Self.lineLimit)),
                explanation: "The bank booked \(Scale.amount(booked, item.currency)) more for \(item.name), which "
                    + "other entries explain.",
                suggestion: "If it was paid twice, have the second payment returned; else ask the bank what the entry "
                    + "is."
            )
        )
    }

    private func reportAbsent(_ item: PayoutItem, _ covered: CalendarDay?) {
        guard let covered, let day = item.day else { return }
        let within = item.account.map { rules.terms(for: $0).bankWithinDays } ?? PSPTerms.standard.bankWithinDays
        guard covered.days(since: day) >= within else { return }
        let explanation =
            "\(item.name) of \(day) over \(Scale.amount(item.amount, item.currency)) is not at the bank, whose "
            + "statements reach to \(covered)."
        add(item, [item], [], amount: -item.amount, explanation)
    }

    private func add(
        _ item: PayoutItem,
        _ items: [PayoutItem],
        _ movements: [BankMovement],
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
                lines: Array((owners.lines + movements.map(\.place)).prefix(Self.lineLimit)),
                explanation: explanation,
                suggestion: "Compare the bank account that the payout names with ours, and ask who holds the money."
            )
        )
    }
}

/// What the bank says, and the payouts that it should say.
struct BankSide {
    var movements: [BankMovement] = []
    var payouts: [Payout] = []
    private(set) var items: [PayoutItem] = []
    /// What payouts are called that earlier statements explained, as it is compared.
    private(set) var explainedNames: Set<String> = []
    /// To which day the statements of a currency reach.
    private(set) var covered: [Currency: CalendarDay] = [:]

    /// Whether there is a bank's file among the inputs.
    var isPresent: Bool { !movements.isEmpty || !covered.isEmpty }

    mutating func cover(_ currency: Currency, through day: CalendarDay) {
        covered[currency] = max(covered[currency] ?? day, day)
    }

    mutating func note(explainedPayout names: [String]) {
        explainedNames.formUnion(names.compactMap { PayoutItem.normal($0) })
    }

    /// Takes a payout line, if there is a bank to compare it with and it moved money: to us, or from us where the PSP debits
    /// what its balance lacks.
    mutating func add(_ line: LineRecord, _ reconciler: Reconciler) throws(ReconciliationFailure) {
        guard isPresent, line.header.has(LineHeader.hasNet), line.header.net != 0 else { return }
        guard items.count < Reconciler.bankLimit else { throw .tooManyBankRows(limit: Reconciler.bankLimit) }
        let texts = [line.batch, line.object, line.entry, line.reference].compactMap { line.text($0) }
        items.append(
            PayoutItem(
                owner: .line(reconciler.place(of: line), reconciler.accounts.names[Int(line.header.account)]),
                currency: Currencies.currency(line.header.netCurrency),
                amount: -line.header.netTrillionths,
                day: line.day,
                references: texts.compactMap { PayoutItem.normal($0) },
                name: texts.first ?? "",
                batch: line.text(line.batch),
                returnable: line.text(line.batch) ?? line.text(line.object)
            )
        )
    }

    /// Leaves out lines of payouts that came back to the PSP: another line of the same payout, or where payouts have no
    /// names, of the same amount, sent it.
    private mutating func dropReturned() {
        struct Sent: Hashable {
            let account: PSPAccountName
            let currency: Currency
            let payout: String?
            let amount: Int128
        }
        func sent(_ item: PayoutItem) -> Sent? {
            item.account.map { account in
                let amount = item.returnable == nil ? abs(item.amount) : 0
                return Sent(account: account, currency: item.currency, payout: item.returnable, amount: amount)
            }
        }
        let all = Set(items.lazy.filter { $0.amount > 0 }.compactMap(sent))
        items.removeAll { item in item.amount < 0 && sent(item).map { all.contains($0) } ?? false }
    }

    /// Makes items of the recorded payouts, and brings both sides into their order.
    mutating func prepare(_ calendar: BusinessCalendar) {
        dropReturned()
        for payout in payouts {
            items.append(
                PayoutItem(
                    owner: .recorded(payout),
                    currency: payout.amount.currency,
                    amount: -Scale.trillionths(minorUnits: payout.amount.minorUnits, payout.amount.currency),
                    day: calendar.day(of: payout.paidAt),
                    references: [payout.reference, payout.id.text].compactMap { PayoutItem.normal($0) },
                    name: payout.reference,
                    batch: nil
                )
            )
        }
        payouts = []
        items.sort(by: PayoutItem.precedes)
        movements.sort { ($0.day, $0.place) < ($1.day, $1.place) }
        for movement in movements { cover(movement.currency, through: movement.day) }
    }

    /// Which items a movement names by one of their references.
    func names() -> [String: [Int]] {
        var names: [String: [Int]] = [:]
        for (place, item) in items.enumerated() {
            for reference in Set(item.references) { names[reference, default: []].append(place) }
        }
        return names
    }

    mutating func close(_ places: [Int]) { for place in places { items[place].isOpen = false } }
}
