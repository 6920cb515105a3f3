import Domain
import SpillFiles

/// Expectations that no line confirmed, and lines that none is for.
extension Reconciler {
    /// Says which expectations are late or missing.
    func settle(expectations sources: [Spool], into sink: inout some ReconciliationSink) async throws {
        var divided = Spool(in: scope.spillDirectory, isWide: true)
        for var source in sources {
            try source.forEachExpectation { expectation throws(ReconciliationFailure) in
                let seed = accounts.seeds[Int(expectation.header.account)]
                let digest = expectation.bytes.digest(expectation.subject, seed: seed)
                if age(of: expectation) != nil || expectation.header.isMet {
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
                settle(record)
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

    private func settle(_ expectation: ExpectationRecord) {
        let terms = accounts.terms[Int(expectation.header.account)]
        if expectation.header.isMet {
            guard terms.everyCommissionHasALine else { return }
            return reportSplit([], [expectation], excess: -expectation.commissionTrillionths)
        }
        guard let (day, days) = age(of: expectation) else { return }
        reportUnmet(expectation, day: day, ageDays: days, isMissing: days > terms.missingAfterDays)
    }

    /// Looks at lines that no expectation is for: whether an entry is there twice, and whether they add up.
    func settleAside(into sink: inout some ReconciliationSink) async throws {
        for index in 0..<aside.width {
            for line in try dropRepeated(records(aside.take(index)).sorted(by: order.precedes)) {
                tallies.add(line.header, .explained)
                if line.header.has(LineHeader.hasNote) { reportFee(line, nil) }
                if findings.isFull { try await findings.flush(into: &sink) }
            }
        }
    }
}
