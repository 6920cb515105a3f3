import AdapterKit
import Domain

/// Reads all that a PSP lists of what happened at an account.
struct ActivityReader: Sendable {
    /// No list is read further: a cursor that never ends is a fault.
    private static let pageLimit = 100_000
    /// How often a page is asked for before it is given up.
    private static let tries = 3

    let lister: any ActivityListing
    /// The PSP account's name over all marketplaces.
    let account: String
    let sender: any Sender
    let clock: any GatewayClock
    let timeoutMilliseconds: Int64

    /// What was listed.
    struct Listed {
        /// The events that tell of payments, in the order in which they happened.
        var events: [WebhookEvent] = []
        /// Why there may be more; nil if that is all.
        var obstacle: String?
    }

    /// Reads the lists of our own account and of merchants' accounts, if these are apart.
    func read(since: Timestamp, merchantAccounts: [String]) async -> Listed {
        let apart = type(of: lister).listsMerchantAccountsApart ? merchantAccounts : []
        var listed = Listed()
        for merchantAccount in [nil] + apart.map(Optional.some) {
            let obstacle = await read(
                ActivityQuery(since: since, merchantAccount: merchantAccount),
                into: &listed.events
            )
            guard let obstacle else { continue }
            let place = merchantAccount.map { "the merchant account \($0) " } ?? ""
            listed.obstacle = listed.obstacle ?? "\(place)cannot be asked: \(obstacle)"
        }
        listed.events = Self.sorted(Self.once(listed.events))
        return listed
    }

    /// Reads one list to its end, and says why it could not.
    private func read(_ first: ActivityQuery, into events: inout [WebhookEvent]) async -> String? {
        var query = first
        for _ in 0..<Self.pageLimit {
            let page: [WebhookEvent]
            let next: String?
            switch await reading(of: query) {
            case .page(let found, let cursor): (page, next) = (found, cursor)
            case .refused(let reason): return reason
            }
            events += page.filter { !$0.notices.isEmpty || $0.problem != nil }
            guard let next else { return nil }
            guard next != query.cursor else { return "the list does not go on" }
            query.cursor = next
        }
        return "the list does not end"
    }

    /// A page, asked for again if it did not come.
    private func reading(of query: ActivityQuery) async -> ActivityReading {
        var reason = ""
        for count in 1...Self.tries {
            let terms = SendTerms(account: account, freshConnection: true, timeoutMilliseconds: timeoutMilliseconds)
            switch await sender.send(lister.listing(query), terms) {
            case .reply(let reply):
                let reading = lister.activity(reply, to: query)
                guard case .refused(let refusal) = reading, reply.status >= 429 else { return reading }
                reason = refusal
            case .failure(let failure, _), .held(let failure): reason = failure
            }
            guard count < Self.tries else { break }
            try? await clock.sleep(until: clock.now().adding(milliseconds: Int64(count) * 250))
        }
        return .refused(reason)
    }

    /// Each event once: a list may move on while its pages are read, and an object may be in several lists.
    private static func once(_ events: [WebhookEvent]) -> [WebhookEvent] {
        var seen: Set<String> = []
        return events.filter { seen.insert($0.id).inserted }
    }

    /// Whatever order a PSP lists in: that of happening, as far as it says when.
    private static func sorted(_ events: [WebhookEvent]) -> [WebhookEvent] {
        let ends = (events.first?.notices.first?.at, events.last?.notices.first?.at)
        let isNewestFirst = if let first = ends.0, let last = ends.1 { first > last } else { false }
        return (isNewestFirst ? events.reversed() : events).enumerated().sorted { one, other in
            let times = (one.element.notices.first?.at, other.element.notices.first?.at)
            if let first = times.0, let second = times.1, first != second { return first < second }
            return one.offset < other.offset
        }
        .map(\.element)
    }
}
