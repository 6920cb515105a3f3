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
    func checkBatches(into sink: inout some ReconciliationSink) async throws {
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
            for key in all.keys.sorted(by: precedes) {
                guard var batch = all[key] else { continue }
                batch.payouts.removeAll {
                    batch.repeatedPayouts.contains([UInt64($0.header.file), $0.header.row])
                }
                if !key.batch.isEmpty { compare(key, batch.sum, batch.payouts) }
                for payout in batch.payouts { try bank.add(payout, self) }
                if findings.isFull { try await findings.flush(into: &sink) }
            }
        }
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

    private func compare(_ key: BatchKey, _ sum: BatchSum, _ payouts: [LineRecord]) {
        let account = accounts.names[Int(key.account)]
        guard let rule = rules.rules(at: .batch).first(where: { $0.scope.admits(account, key.currency) }) else {
            return
        }
        guard !isCompared(sum, payouts) else { return }
        guard let first = payouts.first, !sum.lacksNet, payouts.allSatisfy({ $0.header.has(LineHeader.hasNet) })
        else {
            findings.summary.batchesOpen += 1
            return
        }
        let currency = Currencies.currency(key.currency)
        let sent = payouts.map(\.header.netTrillionths).filter { $0 < 0 }.reduce(0, +)
        let returned = payouts.map(\.header.netTrillionths).filter { $0 >= 0 }.reduce(0, +)
        let differences = [sum.difference(from: -sent), sum.difference(from: -sent - returned)]
        let difference = differences.contains(0) ? 0 : differences[0]
        let tolerance = Int128(scope.toleranceMinorUnits ?? rule.toleranceMinorUnits) * Scale.minorUnit(currency)
        let theirs = Scale.amount(-sent, currency)
        let ours = Scale.amount(sum.net, currency)
        if abs(difference) <= tolerance {
            findings.summary.batchesInOrder += 1
            findings.add(
                Match(
                    rule: rule.id,
                    level: .batch,
                    by: rule.key.name,
                    key: .text(key.batch),
                    account: account,
                    lines: payouts.map { place(of: $0) },
                    batch: key.batch,
                    theirs: theirs,
                    ours: ours
                )
            )
        } else if isUnreadable(sum) {
            findings.summary.batchesUnreadable += 1
        } else {
            let text: BreakText.Sentences = (
                "The \(sum.count) lines of the batch \(key.batch) come to \(ours), and it paid out \(theirs).",
                "Look for the batch's lines in a report that is missing; else ask the PSP for the difference."
            )
            findings.add(
                Break(
                    type: .batchSumMismatch,
                    key: "\(BreakType.batchSumMismatch.rawValue)/\(account)/\(key.batch)/\(currency.code)",
                    currency: currency,
                    amount: Scale.minorUnits(-difference, currency),
                    day: first.day?.description,
                    psp: account.psp,
                    pspAccount: account.account,
                    lines: payouts.prefix(Self.lineLimit).map { place(of: $0) },
                    explanation: text.explanation,
                    suggestion: text.suggestion
                )
            )
        }
    }

    /// Whether all that is known of a batch here was compared before: what is left of it is no longer the batch.
    private func isCompared(_ sum: BatchSum, _ payouts: [LineRecord]) -> Bool {
        let isOfEarlierLines = sum.count == 0 || (!sum.hasManyFiles && files.earlier.contains(sum.file))
        return !payouts.isEmpty && isOfEarlierLines && payouts.allSatisfy { files.earlier.contains($0.header.file) }
    }

    /// Whether rows that cannot be read may be what the batch lacks.
    private func isUnreadable(_ sum: BatchSum) -> Bool {
        if sum.hasManyFiles || sum.count == 0 { return files.unusableRows.contains { $0 > 0 } }
        return files.unusableRows[Int(sum.file)] > 0
    }
}
