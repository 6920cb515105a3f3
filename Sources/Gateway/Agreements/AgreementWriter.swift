import Domain
import SQL
import Storage
import StrictJSON

/// Stores what an agreement is told, in the transaction of whoever tells it: the agreement, what of its methods is to be
/// forgotten, and what others are told.
struct AgreementWriter: Sendable {
    let presentation: Presentation
    let random: RandomSource

    /// Tells an agreement something, and stores what comes of it.
    ///
    /// - Parameters:
    ///   - inputs: what it is told.
    ///   - locked: the agreement, whose row the caller has locked in the same transaction.
    ///   - clock: the marketplace's clock, by which agreements live.
    ///   - now: the real moment.
    ///   - session: the transaction.
    /// - Returns: the agreement after it.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    @discardableResult
    func apply(
        _ inputs: [AgreementInput],
        to locked: Agreement,
        by clock: MarketplaceClock,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Agreement {
        var agreement = locked
        let time = clock.time(at: now)
        var told: [Announcement.Kind] = []
        var removals: [StoredMethodID] = []
        var askAt: Timestamp?
        var unlinks: [String] = []
        for input in inputs {
            let step = agreement.apply(input, at: time)
            told += step.told
            removals += step.removals
            // PSPs live in real time, whatever the marketplace's clock shows.
            if let pause = step.asksAfterMilliseconds { askAt = now.adding(milliseconds: pause) }
            unlinks += step.unlinks
        }
        for id in removals where try AgreementMethodTable.find(id, in: session)?.kind == .networkToken {
            try AgreementMethodTable.erase([id], in: session)
            told += agreement.apply(.methodErased(id), at: time).told
        }
        guard agreement != locked else { return agreement }
        try AgreementMethodTable.remove(removals, at: now, in: session)
        try AgreementTable.update(agreement, in: session)
        if agreement.asks == nil, agreement.leftovers.isEmpty {
            if locked.asks != nil || !locked.leftovers.isEmpty {
                try AgreementTable.ask(after: agreement.id, at: nil, in: session)
            }
        } else if let askAt {
            try AgreementTable.ask(after: agreement.id, at: askAt, in: session)
        }
        try keep(tokensOf: agreement, since: locked, unlinking: unlinks, at: now, in: session)
        try tell(told, of: agreement, by: clock, at: now, in: session)
        return agreement
    }

    /// Has what Apple tells of the agreement's tokens find it, and Apple unlink those that are in use no longer.
    private func keep(
        tokensOf agreement: Agreement,
        since locked: Agreement,
        unlinking unlinks: [String],
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        let (before, after) = (locked.merchantTokens, agreement.merchantTokens)
        for token in after.subtracting(before).sorted() {
            try MerchantTokenTable.insert(token, of: agreement, in: session)
        }
        try MerchantTokenTable.unlink(unlinks, of: agreement.id, at: now, in: session)
        try MerchantTokenTable.forget(before.subtracting(after).sorted(), of: agreement.id, in: session)
    }

    private func tell(
        _ kinds: [Announcement.Kind],
        of agreement: Agreement,
        by clock: MarketplaceClock,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard !kinds.isEmpty else { return }
        var ids = IdentifierSource(random: random)
        let time = clock.time(at: now)
        var (callbacks, entries): ([NewCallback], [AgreementEventTable.Entry]) = ([], [])
        for (index, kind) in kinds.enumerated() {
            let sequence = agreement.announced - Int64(kinds.count - 1 - index)
            let told: (marketplace: CallbackID, merchant: CallbackID) = (ids.make(at: now), ids.make(at: now))
            entries.append(
                AgreementEventTable.Entry(
                    kind,
                    sequence,
                    of: agreement,
                    at: time,
                    toMarketplace: told.marketplace,
                    toMerchant: told.merchant
                )
            )
            for (id, merchant) in [(told.marketplace, nil), (told.merchant, agreement.merchant)] {
                let document = presentation.agreement(agreement, merchant != nil)
                let payload = CallbackEnvelope.text(
                    kind,
                    sequence,
                    at: time,
                    isLive: clock.isLive,
                    about: "agreement",
                    document
                )
                callbacks.append(
                    NewCallback(
                        id: id,
                        marketplace: agreement.marketplace,
                        merchant: merchant,
                        order: nil,
                        payment: nil,
                        type: kind.rawValue,
                        sequence: sequence,
                        payload: payload,
                        at: now
                    )
                )
            }
        }
        try AgreementEventTable.insert(entries, in: session)
        try Outbox.insert(callbacks, in: session)
    }
}
