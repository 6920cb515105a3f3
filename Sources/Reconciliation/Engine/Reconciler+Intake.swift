package import AdapterKit
package import Domain
import SpillFiles

/// Taking in both sides.
extension Reconciler {
    /// Takes lines of a settlement report.
    ///
    /// - Throws: ``ReconciliationFailure``.
    package func add(_ lines: [SettlementLine], of file: ReportFile) throws(ReconciliationFailure) {
        let account = number(of: file.account)
        let number = files.number(of: file)
        let terms = accounts.terms[Int(account)]
        // A span lends each line; an array would copy it, with all its texts.
        let all = lines.span
        for place in all.indices { try add(all[place], account, number, terms, isEarlier: file.isEarlier) }
    }

    /// Takes note of a row of a report that is no line: a break.
    package func add(_ row: UnusableRow, of file: ReportFile) {
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
        if let batch = line.texts.range(of: .batch), line.kind != .payout {
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
            let digest = BatchFold.digest(line.batch ?? "", seed: seed)
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
        try aside.append(record, digest: digest)
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
