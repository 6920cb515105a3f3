extension OrderMachine {
    /// Hears what a PSP told in one message.
    ///
    /// What is about nothing that the order knows can be told again later; it does no harm.
    mutating func hear(_ batch: NoticeBatch) {
        let attempts = batch.items.map { item in order.attempt(item.attempt) }
        for (item, attempt) in zip(batch.items, attempts) {
            guard let attempt else {
                isMatched = false
                continue
            }
            let notice = item.notice.saying(isSale: batch.isSale)
            if Self.isSecondRefusal(notice, of: attempt) { continue }
            if Self.isSecondAuthorization(notice, of: attempt) {
                adoptSecondAuthorization(
                    notice,
                    of: attempt,
                    timings: batch.timings,
                    receivedAt: batch.receivedAt.map(order.clock.time)
                )
                continue
            }
            let isKnown = hear(
                notice.naming(attempt).leavingOutFee(of: batch.settledFees),
                timings: batch.timings,
                severalCaptures: batch.severalCaptures,
                tellsOutcomes: batch.tellsOutcomes,
                keepsCommission: batch.keepsCommission && !item.notice.hasOurName,
                receivedAt: batch.receivedAt.map(order.clock.time)
            )
            isMatched = isMatched && isKnown
        }
    }
}

extension Order {
    fileprivate func attempt(_ id: AttemptID?) -> Attempt? { payments.lazy.flatMap(\.attempts).first { $0.id == id } }
}

extension Notice {
    /// Whether it says what the PSP takes for a dispute.
    package var tellsFee: Bool {
        if case .dispute(let dispute) = happening { dispute.fee != nil } else { false }
    }

    /// Whether what it is about was asked for under a name of ours, even one that restored books do not know.
    fileprivate var hasOurName: Bool { subject.operation.flatMap { OperationID($0) } != nil }

    /// The notice with no other names of ours than the attempt's that it was found to be about, so that nothing it
    /// says leads to another attempt of the order.
    fileprivate func naming(_ attempt: Attempt) -> Notice {
        var notice = self
        notice.subject.attempt = attempt.id.text
        notice.subject.operation = attempt.operations.first { $0.id.text == subject.operation }?.id.text
        return notice
    }

    /// The notice of an authorization with what was captured with it, where the PSP leaves that to what was asked.
    ///
    /// What an approval says was captured, under no name of ours, is the sale's own capture where all was sold in one call, and
    /// else somebody else's.
    fileprivate func saying(isSale: Bool) -> Notice {
        guard case .outcome(.authorize, .succeeded(var success)) = happening else { return self }
        var notice = self
        if subject.isOthers, !isSale {
            success.reference = subject.object
            notice.happening = .outcome(.capture, .succeeded(success))
            return notice
        }
        if subject.isOthers { (notice.subject.isOthers, notice.subject.object) = (false, nil) }
        success.capturedAmount = success.capturedAmount ?? (isSale ? success.amount : 0)
        notice.happening = .outcome(.authorize, .succeeded(success))
        return notice
    }

    /// The notice without the fee of a dispute that was posted with a settlement file.
    fileprivate func leavingOutFee(of settled: Set<String>) -> Notice {
        guard case .dispute(var dispute) = happening, settled.contains(subject.object ?? "") else { return self }
        dispute.fee = nil
        var notice = self
        notice.happening = .dispute(dispute)
        return notice
    }
}
