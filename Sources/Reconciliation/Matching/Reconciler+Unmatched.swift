import Domain
import ExternalJoin

/// What nothing matched.
extension Reconciler {
    /// Looks up the payments of lines that no pass matched, and says what they are.
    func explain(
        lines sources: [Spool],
        _ lookup: some PaymentLookup,
        into sink: inout some ReconciliationSink
    ) async throws {
        var divided = Spool(in: scope.spillDirectory, isWide: true)
        for var source in sources {
            try source.forEachLine { line throws(ReconciliationFailure) in
                try divided.append(line, digest: unmatchedDigest(line))
            }
        }
        for index in 0..<divided.width {
            let all = try records(divided.take(index)).sorted(by: order.precedes)
            for page in pages(try dropRepeated(all)) {
                try await explain(page, lookup)
                try await findings.flush(into: &sink)
            }
        }
    }

    /// Lines that report one entry share it, so that they meet.
    private func unmatchedDigest(_ line: LineRecord) -> UInt64 {
        let seed = accounts.seeds[Int(line.header.account)]
        if !line.entry.isEmpty { return line.bytes.digest(line.entry, seed: seed) }
        var bytes = Array(files.place(line.header.file, row: 0).file.utf8)
        bytes.append(bitsOf: line.header.row)
        return bytes.digest(0..<bytes.count, seed: seed)
    }

    func records(_ bytes: [UInt8]) -> [LineRecord] {
        var records: [LineRecord] = []
        var offset = 0
        while offset < bytes.count {
            let record = LineRecord(bytes, at: offset)
            records.append(record)
            offset += Int(record.header.size)
        }
        return records
    }

    private func pages(_ lines: [LineRecord]) -> [[LineRecord]] {
        stride(from: 0, to: lines.count, by: Self.pageLimit).map {
            Array(lines[$0..<min($0 + Self.pageLimit, lines.count)])
        }
    }

    /// Reports lines whose entry an earlier one has, and answers the others.
    func dropRepeated(_ lines: [LineRecord]) throws(ReconciliationFailure) -> [LineRecord] {
        struct Entry: Hashable {
            let account: UInt16
            let text: ArraySlice<UInt8>
        }
        var first: [Entry: LineRecord] = [:]
        var others: [LineRecord] = []
        for line in lines {
            guard !line.entry.isEmpty else {
                others.append(line)
                continue
            }
            let entry = Entry(account: line.header.account, text: line.bytes[line.entry])
            if let earlier = first[entry] {
                try report(line, repeating: earlier, nil)
            } else {
                first[entry] = line
                others.append(line)
            }
        }
        return others
    }

    private func explain(_ lines: [LineRecord], _ lookup: some PaymentLookup) async throws {
        let named = lines.filter(\.namesSomething)
        let queries = named.map { line in
            PaymentQuery(
                account: accounts.names[Int(line.header.account)],
                attempt: line.attemptID ?? line.mentionID,
                operation: line.operationID,
                paymentReference: line.text(line.payment),
                objectReference: line.text(line.object)
            )
        }
        let found = queries.isEmpty ? [] : try await lookup.payments(for: queries)
        guard found.count == queries.count else {
            throw ReconciliationFailure.lookupAnswered(found.count, of: queries.count)
        }
        var answers = found[...]
        for line in lines {
            let known = line.namesSomething ? answers.popFirst().flatMap(\.self) : nil
            try explain(line, known)
        }
    }

    private func explain(_ line: LineRecord, _ known: PaymentMatchCandidate?) throws(ReconciliationFailure) {
        let kind = line.header.settlementKind
        guard line.header.has(LineHeader.hasAmount) else {
            guard kind != .other else { return }
            return report(.unparseableRow, line, known, Self.noAmount)
        }
        switch kind {
        case .payment, .refund, .chargeback, .chargebackReversal:
            if let known { try decide(line, known) } else { reportUnknown(line, kind) }
        case .commission:
            if let known { decide(commission: line, known) } else { reportUnknown(line, kind) }
        case .fee, .adjustment, .payout, .reserve, .other:
            tallies.add(line.header, .explained)
        }
    }

    private static let noAmount: BreakText.Sentences = (
        "The line has no amount that could be compared.", "Ask the PSP for the file again."
    )

    private func reportUnknown(_ line: LineRecord, _ kind: SettlementKind) {
        let amount = Scale.amount(line.header.trillionths, line.currency)
        let isMissing = kind == .payment || kind == .commission
        report(
            isMissing ? .missingInOurs : .refundWithoutOrigin,
            line,
            nil,
            (
                "The PSP reports a \(kind.rawValue) of \(amount) of a payment that we do not know.",
                "Find out who else uses the PSP account, or which payment the reference was lost of."
            )
        )
    }

    /// A line of a payment that we know, for which no expectation was handed over or none is left.
    private func decide(_ line: LineRecord, _ known: PaymentMatchCandidate) throws(ReconciliationFailure) {
        let kind = Expectation.Kind.allCases[Int(line.header.kind)]
        let same = known.effects.filter {
            $0.kind == kind && $0.currency == line.currency
                && Scale.trillionths(minorUnits: $0.amount, $0.currency) == line.header.trillionths
                && !line.isAnother(than: $0)
        }
        let isBeyond = known.effects.contains {
            $0.kind == kind && !$0.isMatched && !isLookedAt(scope.calendar.day(of: $0.at)) && !line.isAnother(than: $0)
        }
        if isBeyond { return tallies.add(line.header, .explained) }
        let amount = Scale.amount(line.header.trillionths, line.currency)
        guard same.isEmpty else {
            try batches.add(repeated: line, seed: accounts.seeds[Int(line.header.account)])
            return report(
                .duplicateLine,
                line,
                known,
                (
                    "The \(kind.rawValue) of \(amount) was reported before.",
                    "Ask the PSP whether the money moved twice; if not, the line is the report's error."
                )
            )
        }
        report(
            .statusMismatch,
            line,
            known,
            (
                "The PSP reports a \(kind.rawValue) of \(amount) of a payment that is \(known.status) and has no such "
                    + "effect.",
                "Inquire about the payment at the PSP, and record what it says."
            )
        )
    }

    /// Whether effects of a day are in question; a line of one that is not is for another run.
    private func isLookedAt(_ day: CalendarDay) -> Bool {
        scope.contains(day) && asOf.map { day <= $0.adding(days: ReconciliationScope.aheadDays) } ?? true
    }

    /// A commission of a payment that was confirmed before, or is in a break of its own.
    private func decide(commission line: LineRecord, _ owner: PaymentMatchCandidate) {
        let isCredit = line.header.units >= 0
        var comparable = owner.effects.filter { $0.currency == line.currency && ($0.amount >= 0) == isCredit }
        func sum(_ effects: [PaymentMatchCandidate.Effect]) -> Int128 {
            effects.reduce(0) { $0 + Scale.trillionths(minorUnits: $1.commission ?? 0, $1.currency) }
        }
        for compared in comparedCommissions[owner.attempt] ?? [] {
            if let place = comparable.firstIndex(where: { sum([$0]) == compared }) { comparable.remove(at: place) }
        }
        // It may be of one effect, or of all; and of what is not known yet, which is nothing, until that is.
        let (open, frozen) = (comparable.filter { !$0.isMatched }, sum(comparable))
        let known = [frozen, sum(open)] + comparable.map { sum([$0]) }
        guard comparable.isEmpty || !known.contains(line.header.trillionths) else {
            return confirm(commission: line, owner)
        }
        report(
            .splitMismatch,
            line,
            owner,
            (
                "The PSP kept a commission of \(Scale.amount(line.header.trillionths, line.currency)) for us where "
                    + "\(Scale.amount(frozen, line.currency)) was frozen.",
                "Correct the commission at the PSP, or settle the difference with the merchant."
            )
        )
    }
}

extension Reconciler {
    /// A commission that is what was frozen; that of an earlier file was a break until now, which the match closes.
    private func confirm(commission line: LineRecord, _ known: PaymentMatchCandidate) {
        guard files.earlier.contains(line.header.file) else { return tallies.add(line.header, .explained) }
        tallies.add(line.header, .matched)
        let amount = Scale.amount(line.header.trillionths, line.currency)
        findings.add(
            Match(
                rule: "payment",
                level: .commission,
                by: "payment",
                key: .text(known.payment.text),
                account: accounts.names[Int(line.header.account)],
                lines: [place(of: line)],
                owners: [
                    PaymentOwner(
                        order: known.order,
                        payment: known.payment,
                        attempt: known.attempt,
                        merchant: known.merchant
                    )
                ],
                batch: line.text(line.batch),
                theirs: amount,
                ours: amount
            )
        )
    }
}

/// Expectations that no line confirmed, and lines that none is for.
extension Reconciler {
    /// Says which expectations are late or missing.
    func age(expectations sources: [Spool], into sink: inout some ReconciliationSink) async throws {
        var divided = Spool(in: scope.spillDirectory, isWide: true)
        for var source in sources {
            try source.forEachExpectation { expectation throws(ReconciliationFailure) in
                let seed = accounts.seeds[Int(expectation.header.account)]
                let digest = expectation.bytes.digest(expectation.subject, seed: seed)
                if age(of: expectation) != nil || expectation.header.isConfirmed {
                    try divided.append(expectation, digest: digest)
                } else if !isAhead(expectation) {
                    findings.summary.waiting += 1
                }
            }
        }
        for index in 0..<divided.width {
            var offset = 0
            let bytes = try divided.take(index)
            var records: [ExpectationRecord] = []
            while offset < bytes.count {
                let record = ExpectationRecord(bytes, at: offset)
                records.append(record)
                offset += Int(record.header.size)
            }
            for record in records.sorted(by: order.precedes) {
                reportIfDue(record)
                if findings.isFull { try await findings.flush(into: &sink) }
            }
        }
    }

    /// Whether an expectation is of a day behind as-of, and was handed over because clocks differ.
    private func isAhead(_ expectation: ExpectationRecord) -> Bool {
        let day = scope.calendar.day(of: Timestamp(microseconds: expectation.header.at))
        return asOf.map { day > $0 } ?? false
    }

    /// The day of an expectation and how old it is, if it is to be reported.
    private func age(of expectation: ExpectationRecord) -> (day: CalendarDay, days: Int64)? {
        let account = Int(expectation.header.account)
        let day = scope.calendar.day(of: Timestamp(microseconds: expectation.header.at))
        guard expectation.header.flags & ExpectationHeader.isVoided == 0 else { return nil }
        guard let asOf, scope.contains(day), scope.accounts?.contains(accounts.names[account]) ?? true else {
            return nil
        }
        let days = asOf.days(since: day)
        return days > accounts.terms[account].expectedWithinDays ? (day, days) : nil
    }

    private func reportIfDue(_ expectation: ExpectationRecord) {
        let terms = accounts.terms[Int(expectation.header.account)]
        if expectation.header.isConfirmed {
            guard terms.everyCommissionHasALine else { return }
            return reportSplit([], [expectation], excess: -expectation.commissionTrillionths)
        }
        guard let (day, days) = age(of: expectation), !PlantedBug.lossUnreported.isPlanted else { return }
        reportUnmatched(expectation, day: day, ageDays: days, isMissing: days > terms.missingAfterDays)
    }

    /// Looks at lines that no expectation is for: whether an entry is there twice, and whether they add up.
    func checkDeferred(into sink: inout some ReconciliationSink) async throws {
        for index in 0..<deferred.width {
            for line in try dropRepeated(records(deferred.take(index)).sorted(by: order.precedes)) {
                tallies.add(line.header, .explained)
                if line.header.has(LineHeader.hasNote) { reportFee(line, nil) }
                if findings.isFull { try await findings.flush(into: &sink) }
            }
        }
    }
}
