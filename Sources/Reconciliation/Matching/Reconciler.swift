package import AdapterKit
package import Domain
import ExternalJoin

/// Compares what PSPs and banks report with what our books have.
///
/// Everything is handed over as it streams in, in any order; ``finish(lookup:into:)`` then yields matches and breaks, in
/// an order that depends on nothing but what was handed over. Memory does not grow with the reports and expectations:
/// what does not fit is spilled to files without a name. One caller at a time.
///
/// A line is matched by the first rule that brings it together with expectations that agree, all rules by reference
/// being tried before any difference is believed; only then a pair that belongs together and differs is a break.
/// Lines that stayed in a break have to be handed over again with the next files, as their expectations are: what
/// comes late then still finds them.
package final class Reconciler {
    /// The most matches, breaks or queries that are handed over at once.
    package static let pageLimit = Findings.pageLimit
    /// The most rows of one side that share a key; a key that more have names nothing in particular.
    package static let keyLimit = 2_000
    /// The most payouts, and the most entries of the bank.
    package static let bankLimit = 200_000

    let rules: ReconciliationRules
    let scope: ReconciliationScope
    let passes: [LinePass]
    let accounts: Accounts
    var files = ReportFiles()
    var writer = RecordWriter()
    /// What a pass joins, and what goes on to the next: it has no key, or nothing matched it.
    var lines: Spool
    var restLines: Spool
    var expectations: Spool
    var restExpectations: Spool
    /// Lines that no expectation is for, if they have an entry's name or a note.
    var deferred: Spool
    var batches: BatchTotals
    var tallies = Tallies()
    var bank = BankSide()
    var findings = Findings()
    /// The commissions of what lines confirmed, of attempts that have more lines of commissions than that.
    var comparedCommissions: [AttemptID: [Int128]] = [:]
    /// How many breaks about each dispute and direction there are, by their key.
    var disputeKeys: [String: Int] = [:]
    /// Lines of earlier files that another line takes back, while our books know of neither.
    package internal(set) var canceledLines: [LinePlace] = []
    /// The keys of the breaks that there would be of batches, if they did not agree with all that files have of them.
    package internal(set) var agreedBatches: [String] = []
    var lastDay: CalendarDay?
    /// When what the bank may have was paid out.
    var payoutDays: ClosedRange<CalendarDay>?
    var isFinished = false
    var order = RecordOrder(fileRanks: [])
    /// The account that was named last, and its number.
    private var lastAccount: (name: PSPAccountName, number: UInt16)?

    /// Makes a reconciler.
    package init(rules: ReconciliationRules = .standard, scope: ReconciliationScope) {
        self.rules = rules
        self.scope = scope
        passes = LinePass.all(of: rules, scope)
        accounts = Accounts(rules: rules)
        lines = Spool(in: scope.spillDirectory, isWide: true)
        restLines = Spool(in: scope.spillDirectory, isWide: false)
        expectations = Spool(in: scope.spillDirectory, isWide: true)
        restExpectations = Spool(in: scope.spillDirectory, isWide: false)
        deferred = Spool(in: scope.spillDirectory, isWide: true)
        batches = BatchTotals(spillDirectory: scope.spillDirectory)
    }

    /// The number of an account, which is often the one that was named last.
    func number(of account: PSPAccountName) -> UInt16 {
        if let lastAccount, lastAccount.name == account { return lastAccount.number }
        let number = accounts.number(of: account)
        lastAccount = (account, number)
        return number
    }

    /// Takes note that an input names a day.
    func note(day: CalendarDay?) {
        guard let day else { return }
        if lastDay.map({ $0 < day }) ?? true { lastDay = day }
    }

    /// Takes note of the day of something that was paid out: if it is news, or not old.
    func note(payoutDay day: CalendarDay?, isNews: Bool) {
        guard let day, isNews || day >= newsDay else { return }
        payoutDays = payoutDays.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    /// The day that ages are counted to: of what was handed over, only this run's files decide.
    var asOf: CalendarDay? { scope.asOf ?? lastDay }
}

/// Taking in both sides.
extension Reconciler {
    /// Takes lines of a settlement report.
    ///
    /// - Throws: ``ReconciliationFailure``.
    package func add(_ lines: [SettlementLine], of file: SettlementFile) throws(ReconciliationFailure) {
        let account = number(of: file.account)
        let number = files.number(of: file)
        let terms = accounts.terms[Int(account)]
        // A span lends each line; an array would copy it, with all its texts.
        let all = lines.span
        for place in all.indices { try add(all[place], account, number, terms, isEarlier: file.isEarlier) }
    }

    /// Takes note of a row of a report that is no line: a break.
    package func add(_ row: UnusableRow, of file: SettlementFile) {
        let number = files.number(of: file)
        files.countUnusable(in: number)
        findings.summary.unusableRows += 1
        let place = files.place(number, row: UInt64(clamping: row.row))
        findings.unusable.append(
            Break(
                type: .unparseableRow,
                key: "\(BreakType.unparseableRow.rawValue)/\(place.file)/\(place.member)/\(place.row)",
                currency: nil,
                amount: 0,
                day: nil,
                psp: file.account.psp,
                pspAccount: file.account.account,
                lines: [place],
                explanation: row.problem.description,
                suggestion: "Ask the PSP for the file again, or say which column it is."
            )
        )
    }

    /// Takes expectations.
    ///
    /// - Throws: ``ReconciliationFailure``.
    package func add(_ expectations: [Expectation]) throws(ReconciliationFailure) {
        for place in expectations.indices { try add(expectations, place) }
    }

    /// Takes an expectation.
    ///
    /// - Throws: ``ReconciliationFailure``.
    package func add(_ expectation: Expectation) throws(ReconciliationFailure) { try add([expectation]) }

    // An expectation that is handed on alone is copied, with all its texts.
    private func add(_ page: [Expectation], _ place: Int) throws(ReconciliationFailure) {
        let name = PSPAccountName(psp: page[place].psp, account: page[place].pspAccount)
        try writer.write(page, at: place, account: number(of: name))
        findings.summary.expectations += 1
        let record = ExpectationRecord(writer.bytes, at: 0)
        if let first = passes.first, let digest = first.digest(of: record, accounts) {
            try expectations.append(record, digest: digest)
        } else {
            try restExpectations.append(record, digest: 0)
        }
    }

    /// Takes an entry of a bank's statement, of this run's file or an earlier one.
    ///
    /// - Throws: ``ReconciliationFailure/tooManyBankRows(limit:)``.
    package func add(_ movement: BankMovement, isEarlier: Bool = false) throws(ReconciliationFailure) {
        guard bank.movements.count < Self.bankLimit else { throw .tooManyBankRows(limit: Self.bankLimit) }
        if !isEarlier { note(day: movement.day) }
        bank.movements.append(movement)
        findings.summary.bankEntries += 1
    }

    /// Takes note of what a payout is called that an earlier statement explained: an entry that names it is no other's.
    package func add(explainedPayout names: [String]) { bank.note(explainedPayout: names) }

    /// Takes note that a statement of a bank account is complete to the end of a day, with or without entries.
    package func add(statementThrough day: CalendarDay, currency: Currency) {
        note(day: day)
        bank.cover(currency, through: day)
    }

    /// Takes a recorded payout to a merchant that no entry of the bank confirmed yet; one that failed is passed over.
    ///
    /// - Throws: ``ReconciliationFailure/tooManyBankRows(limit:)``.
    package func add(_ payout: Payout) throws(ReconciliationFailure) {
        guard payout.state == .paid else { return }
        guard bank.payouts.count < Self.bankLimit else { throw .tooManyBankRows(limit: Self.bankLimit) }
        let recorded = scope.calendar.day(of: payout.recordedAt)
        note(payoutDay: scope.calendar.day(of: payout.paidAt), isNews: recorded >= newsDay)
        bank.payouts.append(payout)
    }

    // MARK: A line

    private func add(
        _ line: borrowing SettlementLine,
        _ account: UInt16,
        _ file: UInt32,
        _ terms: PSPTerms,
        isEarlier: Bool
    ) throws(ReconciliationFailure) {
        var header = LineHeader()
        header.row = UInt64(clamping: line.row)
        header.file = file
        header.account = account
        header.kind = RecordWriter.code(line.kind)
        if let amount = line.presentment ?? line.gross ?? line.net {
            header.flags |= LineHeader.hasAmount
            header.units = amount.units
            header.decimals = UInt8(amount.decimals)
            header.currency = UInt16(amount.currency.numericCode)
        }
        if let net = line.net {
            header.flags |= LineHeader.hasNet
            header.net = net.units
            header.netDecimals = UInt8(net.decimals)
            header.netCurrency = UInt16(net.currency.numericCode)
        }
        let day = day(of: line, isNoted: !isEarlier)
        if line.kind == .payout { note(payoutDay: day, isNews: !isEarlier) }
        header.day = day?.number ?? .min
        let finding = FeeCheck.finding(line, terms)
        if finding != nil { header.flags |= LineHeader.hasNote }
        tallies.add(header, .read)
        let seed = accounts.seeds[Int(account)]
        // What earlier files have of a batch is looked up, all of it.
        if let batch = line.texts.range(of: .batch), line.kind != .payout, !isEarlier {
            try batches.add(line.texts.bytes, batch, header, seed: seed, excess: finding?.batchExcess ?? 0)
        }
        let merchantAccount: SettlementLine.Text? =
            switch terms.merchantField {
            case .submerchant: .submerchant
            case .account: line.has(.submerchant) ? .submerchant : .account
            case .none: .none
            }
        try writer.write(line, header, merchantAccount: merchantAccount, note: finding?.note)
        if line.kind == .payout {
            let digest = BatchTotals.digest(line.batch ?? "", seed: seed)
            try batches.payouts.append(writer.bytes, writer.range, digest: digest)
        }
        try route(LineRecord(writer.bytes, at: 0), line.kind)
    }

    /// The day that a line is aged from: when it happened, else when it was booked or paid.
    private func day(of line: borrowing SettlementLine, isNoted: Bool) -> CalendarDay? {
        let occurred = line.occurredOn.flatMap(\.leadingDay)
        let booked = line.bookedOn.flatMap(\.leadingDay)
        let paid = line.paidOn.flatMap(\.leadingDay)
        if isNoted {
            note(day: occurred)
            note(day: booked)
            note(day: paid)
        }
        return occurred ?? booked ?? paid
    }

    /// Puts the record that was written last where it is looked at.
    private func route(_ record: LineRecord, _ kind: SettlementKind) throws(ReconciliationFailure) {
        if isCompared(record, kind) {
            if kind == .commission { accounts.reportsCommissions[Int(record.header.account)] = true }
            if let first = passes.first, let digest = first.digest(of: record, accounts) {
                try lines.append(record, digest: digest)
            } else {
                try restLines.append(record, digest: 0)
            }
            return
        }
        guard !record.entry.isEmpty || record.header.has(LineHeader.hasNote) else {
            tallies.add(record.header, .explained)
            return
        }
        let key = record.entry.isEmpty ? record.note : record.entry
        let digest = record.bytes.digest(key, seed: accounts.seeds[Int(record.header.account)])
        try deferred.append(record, digest: digest)
    }

    /// Whether an expectation may be for a line; what is of a kind we do not know has to name something.
    private func isCompared(_ record: LineRecord, _ kind: SettlementKind) -> Bool {
        switch kind {
        case .payment, .refund, .chargeback, .chargebackReversal: true
        case .commission, .other: record.namesSomething
        case .fee, .adjustment, .payout, .reserve: false
        }
    }
}

/// Yielding what was found.
extension Reconciler {
    /// Matches both sides, and hands over matches and breaks.
    ///
    /// - Parameters:
    ///   - lookup: finds payments of lines that match no expectation.
    ///   - sink: takes what is found.
    /// - Returns: the counts.
    /// - Throws: ``ReconciliationFailure``, what the lookup and the sink throw, and `CancellationError`. What was handed
    ///   over until then is right, but not all.
    package func finish(
        lookup: some PaymentLookup,
        into sink: inout some ReconciliationSink
    ) async throws -> ReconciliationSummary {
        guard !isFinished else { throw ReconciliationFailure.finished }
        isFinished = true
        findings.summary.asOf = asOf
        for finding in findings.unusable.sorted(by: { $0.key < $1.key }) { findings.add(finding) }
        findings.unusable = []
        let unmatched = try await runPasses(into: &sink)
        try await checkDeferred(into: &sink)
        try await explain(lines: unmatched.lines, lookup, into: &sink)
        try await age(expectations: unmatched.expectations, into: &sink)
        try await checkBatches(lookup, into: &sink)
        try await matchBank(into: &sink)
        try await findings.flush(into: &sink)
        findings.summary.currencies = try tallies.all()
        return findings.summary
    }
}
