package import Domain
package import SQL
import Storage
package import StrictJSON

/// What others are told, for those who ask: everything in one order, kept for 30 days, whether they have an endpoint or not.
package struct EventFeed: Sendable {
    /// How long events are kept, in milliseconds: 30 days.
    package static let keptMilliseconds: Int64 = 30 * 86_400_000

    /// An event.
    package struct Event: Hashable, Sendable {
        /// Its identifier: that of the callback which tells it.
        package let id: CallbackID
        /// What the callback says.
        package let body: JSON
        /// Whether it shows its subject as it was then, as the callback did; else as it is now.
        package let isAsItWas: Bool
    }

    /// A page of events.
    package struct Found: Hashable, Sendable {
        /// The events, oldest first.
        package let events: [Event]
        /// The event behind which to go on; nil if there is nothing behind yet.
        package let next: CallbackID?
    }

    private struct Draft {
        let place: EventFeedTable.Place
        let id: CallbackID
        let body: (any Session) throws -> JSON
    }

    private let database: any Database
    private let clock: any GatewayClock
    private let presentation: Presentation

    /// The feed over a database.
    package init(database: any Database, clock: any GatewayClock, presentation: Presentation) {
        self.database = database
        self.clock = clock
        self.presentation = presentation
    }

    /// The events behind one, oldest first.
    ///
    /// Reads a bounded number of steps: the page may be short, or even empty, though there is more. What is told of an order
    /// that cannot be read is left out.
    ///
    /// - Parameters:
    ///   - marketplace: whose.
    ///   - merchant: the merchant that is told; nil for the marketplace.
    ///   - after: the last event seen; nil for the oldest that is kept.
    ///   - limit: how many at most.
    /// - Returns: the events; nil if there is no event `after`, or it is kept no longer.
    /// - Throws: `SQLError`.
    package func page(
        of marketplace: String,
        toldTo merchant: MerchantID?,
        after: CallbackID?,
        limit: Int
    ) async throws -> Found? {
        let now = clock.now()
        // Asked first: whoever ends between the two transactions is seen by the second.
        let written = try await database.read { session in try EventFeedTable.horizon(at: now, in: session) }
        let since = now.adding(milliseconds: -Self.keptMilliseconds)
        return try await database.read { session in
            // Events carry moments of the marketplace's clock; what is kept is kept for a real time.
            let horizon = try TestClockTable.horizon(written, of: marketplace, in: session)
            var place: EventFeedTable.Place?
            if let after {
                place = try EventFeedTable.place(of: after, marketplace: marketplace, in: session)
                guard let place, place.at >= since else { return nil }
            }
            let start = place?.at ?? since
            guard start < horizon else { return Found(events: [], next: nil) }
            // One more than fits: the first may be the step of `after` itself, with nothing left behind it.
            let found = try EventFeedTable.steps(
                of: marketplace,
                merchant: merchant,
                from: place,
                since..<horizon,
                limit: limit + 1,
                in: session
            )
            var drafts = try drafts(of: found.steps, toldTo: merchant, in: session)
            // As far as the steps were read, and no further.
            let end = found.last.map { Timestamp(microseconds: $0.at.microseconds + 1) } ?? horizon
            drafts += try payouts(
                of: marketplace,
                toldTo: merchant,
                from: place,
                start..<max(end, start),
                limit: limit,
                in: session
            )
            drafts += try agreements(
                of: marketplace,
                toldTo: merchant,
                from: place,
                start..<max(end, start),
                limit: limit,
                in: session
            )
            let last = found.last.flatMap { step in step.items.last.map { EventFeedTable.Place(step, $0) } }
            let ready = drafts.filter { draft in
                (place.map { draft.place > $0 } ?? true) && (last.map { draft.place <= $0 } ?? true)
            }
            .sorted { $0.place < $1.place }
            let shown = Array(ready.prefix(limit))
            let rest = found.last.flatMap { step in step.items.last.map(step.id) }
            return Found(
                events: try events(shown, in: session),
                next: ready.count > limit ? shown.last?.id : rest
            )
        }
    }

    private func drafts(
        of steps: [ToldStep],
        toldTo merchant: MerchantID?,
        in session: any Session
    ) throws -> [Draft] {
        let orders = try OrderReader.loadReadable(Array(Set(steps.map(\.order))), in: session).orders
        let known = Dictionary(orders.map { ($0.id, $0) }) { first, _ in first }
        let writer = CallbackWriter(presentation: presentation)
        return steps.flatMap { step -> [Draft] in
            guard let order = known[step.order] else { return [] }
            return step.items.compactMap { item in
                guard let announcement = step.announcement(item, in: order), announcement.merchant == merchant else {
                    return nil
                }
                return Draft(place: EventFeedTable.Place(step, item), id: announcement.id) { _ in
                    let document: JSON = merchant == nil ? presentation.order(order) : .null
                    return try JSON.parse(text: writer.payload(announcement, of: order, shownAs: document))
                }
            }
        }
    }

    private func payouts(
        of marketplace: String,
        toldTo merchant: MerchantID?,
        from place: EventFeedTable.Place?,
        _ times: Range<Timestamp>,
        limit: Int,
        in session: any Session
    ) throws -> [Draft] {
        let found = try EventFeedTable.payouts(
            of: marketplace,
            merchant: merchant,
            from: place,
            times,
            limit: limit + 1,
            in: session
        )
        let isLive = try found.isEmpty ? false : TestClockTable.clock(of: marketplace, in: session)?.isLive ?? false
        return found.map { item in
            Draft(place: item.place, id: item.news.id(toMerchant: merchant != nil)) { session in
                let payout = item.payout
                let names = try MerchantTable.names(of: [payout.merchant], in: session)
                let covers = try PayoutTable.covers(of: payout.id, in: session).map { try JSON.parse(text: $0) }
                let document = presentation.payout(
                    payout,
                    names[payout.merchant] ?? payout.merchant.text,
                    covers ?? .null
                )
                let text = CallbackEnvelope.text(
                    item.news.isFailure ? .payoutFailed : .payoutPaid,
                    try EventFeedTable.sequence(of: payout, at: item.place.at, in: session),
                    at: item.place.at,
                    isLive: isLive,
                    about: "payout",
                    document
                )
                return try JSON.parse(text: text)
            }
        }
    }

    private func agreements(
        of marketplace: String,
        toldTo merchant: MerchantID?,
        from place: EventFeedTable.Place?,
        _ times: Range<Timestamp>,
        limit: Int,
        in session: any Session
    ) throws -> [Draft] {
        let found = try AgreementEventTable.page(
            of: marketplace,
            merchant: merchant,
            from: place,
            times,
            limit: limit + 1,
            in: session
        )
        let isLive = try found.isEmpty ? false : TestClockTable.clock(of: marketplace, in: session)?.isLive ?? false
        return found.map { entry in
            Draft(place: entry.place, id: merchant == nil ? entry.toMarketplace : entry.toMerchant) { session in
                let agreement = try AgreementTable.find(entry.agreement, of: marketplace, in: session)
                let document = agreement.map { presentation.agreement($0, merchant != nil) }
                let text = CallbackEnvelope.text(
                    entry.kind,
                    entry.sequence,
                    at: entry.at,
                    isLive: isLive,
                    about: "agreement",
                    document ?? .null
                )
                return try JSON.parse(text: text)
            }
        }
    }

    /// The bodies: those of the callbacks where they were written down, else of the subjects as they are now.
    private func events(_ drafts: [Draft], in session: any Session) throws -> [Event] {
        let payloads = try EventFeedTable.payloads(of: drafts.map(\.id), in: session)
        return try drafts.map { draft in
            if let payload = payloads[draft.id] {
                return Event(id: draft.id, body: try JSON.parse(text: payload), isAsItWas: true)
            }
            return Event(id: draft.id, body: try draft.body(session), isAsItWas: false)
        }
    }
}
