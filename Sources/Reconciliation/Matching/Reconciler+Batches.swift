import Domain
import ExternalJoin

/// Comparing the lines of batches with what was paid out.
extension Reconciler {
    /// What is known of a batch in one currency.
    private struct Batch {
        var sum = BatchSum()
        var payouts: [LineRecord] = []
        var repeatedPayouts: Set<[UInt64]> = []
    }

    /// Compares every batch, and hands its payout lines on to the bank.
    ///
    /// A batch whose lines or payouts are in files that count already is compared with those, unless those were paid out whole.
    func checkBatches(_ lookup: some PaymentLookup, into sink: inout some ReconciliationSink) async throws {
        try batches.close()
        for index in 0..<Spool.width {
            var all = try sums(index)
            for payout in try records(batches.payouts.take(index)).sorted(by: order.precedes) {
                let key = BatchKey(
                    digest: 0,
                    account: payout.header.account,
                    currency: payout.header.netCurrency,
                    batch: payout.text(payout.batch) ?? ""
                )
                all[key, default: Batch()].payouts.append(payout)
            }
            let keys = all.keys.sorted(by: precedes)
            for start in stride(from: 0, to: keys.count, by: Self.pageLimit) {
                let page = keys[start..<min(start + Self.pageLimit, keys.count)]
                let told = try await told(page.flatMap { all[$0]?.payouts ?? [] }, lookup)
                let earlier = try await earlier(page.filter { all[$0].map(isNews) ?? false }, lookup)
                for key in page {
                    guard var batch = all[key] else { continue }
                    batch.payouts.removeAll {
                        batch.repeatedPayouts.contains([UInt64($0.header.file), $0.header.row])
                    }
                    if !key.batch.isEmpty { try compare(key, batch, earlier[key]) }
                    for payout in batch.payouts where entry(of: payout).map({ !told.contains($0) }) ?? true {
                        try bank.add(payout, self)
                    }
                    if findings.isFull { try await findings.flush(into: &sink) }
                }
            }
        }
    }

    /// Which payouts of the run's own files other files tell that count: the bank has them once.
    private func told(_ payouts: [LineRecord], _ lookup: some PaymentLookup) async throws -> Set<PayoutEntry> {
        let own = Set(payouts.compactMap(entry))
        return bank.isPresent && !own.isEmpty ? try await lookup.told(own) : []
    }

    /// What a payout line of the run's own files is called; nil for one of an earlier file, which is the first that tells it.
    private func entry(of payout: LineRecord) -> PayoutEntry? {
        guard !files.earlier.contains(payout.header.file), payout.header.has(LineHeader.hasNet),
            let entry = payout.text(payout.entry)
        else { return nil }
        return PayoutEntry(
            account: accounts.names[Int(payout.header.account)],
            entry: entry,
            currency: Currencies.currency(payout.header.netCurrency)
        )
    }

    /// What files that count already have of batches.
    private func earlier(
        _ keys: [BatchKey],
        _ lookup: some PaymentLookup
    ) async throws -> [BatchKey: EarlierBatch] {
        let names = keys.filter { !$0.batch.isEmpty }.map { key in
            EarlierBatch.Name(account: accounts.names[Int(key.account)], batch: key.batch)
        }
        guard !names.isEmpty else { return [:] }
        var found: [BatchKey: EarlierBatch] = [:]
        for batch in try await lookup.earlier(names) {
            let key = BatchKey(
                digest: 0,
                account: number(of: batch.name.account),
                currency: UInt16(batch.currency.numericCode),
                batch: batch.name.batch
            )
            found[key] = batch
        }
        return found
    }

    private func precedes(_ left: BatchKey, _ right: BatchKey) -> Bool {
        if left.account != right.account {
            return accounts.names[Int(left.account)] < accounts.names[Int(right.account)]
        }
        return (left.batch, left.currency) < (right.batch, right.currency)
    }

    private func sums(_ index: Int) throws(ReconciliationFailure) -> [BatchKey: Batch] {
        var all: [BatchKey: Batch] = [:]
        var overflowed: UInt16?
        try batches.parts.drain(index) { bytes, range throws(ReconciliationFailure) in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let header = bytes.bits(BatchHeader.self, at: offset)
                let end = offset + Int(header.size)
                let written = bytes[(offset + MemoryLayout<BatchHeader>.size)..<end]
                let name = String(decoding: written, as: UTF8.self).withBoundedRuns
                let key = BatchKey(digest: 0, account: header.account, currency: header.currency, batch: name)
                if header.has(BatchHeader.isRepeatedPayout) {
                    all[key, default: Batch()].repeatedPayouts.insert([UInt64(header.file), header.row])
                } else if all[key, default: Batch()].sum.add(BatchSum(header)) == false {
                    overflowed = header.currency
                }
                offset = end
            }
        }
        if let overflowed { throw .sumOverflows(Currencies.currency(overflowed)) }
        return all
    }

    private func compare(
        _ key: BatchKey,
        _ batch: Batch,
        _ earlier: EarlierBatch?
    ) throws(ReconciliationFailure) {
        let account = accounts.names[Int(key.account)]
        guard let rule = rules.rules(at: .batch).first(where: { $0.scope.admits(account, key.currency) }),
            isNews(batch)
        else { return }
        let currency = Currencies.currency(key.currency)
        let unit = Scale.minorUnit(currency)
        let tolerance = Int128(scope.toleranceMinorUnits ?? rule.toleranceMinorUnits) * unit
        func agrees(_ sides: BatchSides) -> Bool {
            sides.difference(inUnitsOf: unit).map { abs($0) <= tolerance } ?? false
        }
        var sides = BatchSides(batch.sum, batch.payouts.map(paidOut))
        if let earlier {
            var others = BatchSides()
            try others.add(earlier)
            // What was paid out whole is another batch of that name, unless something is paid out here that it does not come to.
            let isAnother = agrees(others) && (sides.payouts.isEmpty || agrees(sides))
            if !isAnother { try sides.add(earlier) }
        }
        guard let difference = sides.difference(inUnitsOf: unit), let first = sides.payouts.first else {
            findings.summary.batchesOpen += 1
            return
        }
        let breakKey = "\(BreakType.batchSumMismatch.rawValue)/\(account)/\(key.batch)/\(currency.code)"
        if abs(difference) <= tolerance {
            findings.summary.batchesInOrder += 1
            if earlier != nil { agreedBatches.append(breakKey) }
            findings.add(match(key, sides, rule))
        } else if isUnreadable(batch.sum) {
            findings.summary.batchesUnreadable += 1
        } else {
            let (ours, theirs) = (Scale.amount(sides.sum.net, currency), Scale.amount(-sides.sent, currency))
            findings.add(
                Break(
                    type: .batchSumMismatch,
                    key: breakKey,
                    currency: currency,
                    amount: Scale.minorUnits(-difference, currency),
                    day: first.day,
                    psp: account.psp,
                    pspAccount: account.account,
                    lines: sides.payouts.prefix(Self.lineLimit).map(\.place),
                    explanation: "The \(sides.sum.count) lines of the batch \(key.batch) come to \(ours), and it paid "
                        + "out \(theirs).",
                    suggestion: "Look for the batch's lines in a report that is missing; else ask the PSP for the "
                        + "difference."
                )
            )
        }
    }

    private func match(_ key: BatchKey, _ sides: BatchSides, _ rule: ReconciliationRule) -> Match {
        let currency = Currencies.currency(key.currency)
        return Match(
            rule: rule.id,
            level: .batch,
            by: rule.key.name,
            key: .text(key.batch),
            account: accounts.names[Int(key.account)],
            lines: sides.payouts.map(\.place),
            batch: key.batch,
            theirs: Scale.amount(-sides.sent, currency),
            ours: Scale.amount(sides.sum.net, currency)
        )
    }

    private func paidOut(_ payout: LineRecord) -> EarlierBatch.PaidOut {
        let isNet = payout.header.has(LineHeader.hasNet)
        return EarlierBatch.PaidOut(
            place: place(of: payout),
            net: isNet
                ? Scale.amount(payout.header.netTrillionths, Currencies.currency(payout.header.netCurrency)) : nil,
            day: payout.day?.description,
            entry: payout.text(payout.entry)
        )
    }

    /// Whether a run's own files have anything of a batch; what earlier ones have was compared before.
    private func isNews(_ batch: Batch) -> Bool {
        batch.sum.count > 0 || !batch.payouts.allSatisfy { files.earlier.contains($0.header.file) }
    }

    /// Whether rows that cannot be read may be what the batch lacks.
    private func isUnreadable(_ sum: BatchSum) -> Bool {
        if sum.hasManyFiles || sum.count == 0 { return files.unusableRows.contains { $0 > 0 } }
        return files.unusableRows[Int(sum.file)] > 0
    }
}
