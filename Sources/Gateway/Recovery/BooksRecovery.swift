import AdapterKit
package import Domain
import SQL
import Storage

/// Brings the books up to what PSPs did, after they were restored to an earlier point.
///
/// Nothing is sent that moves money. What PSPs list is told to the orders that the books know as webhooks are, each event
/// once, and what the orders start because of it is left to serving instances. A payment under our name that the books do not
/// know is kept in the inbox as a problem, for a person.
package struct BooksRecovery: Sendable {
    /// How many orders or events are written in one transaction.
    private static let batch = 100
    /// A PSP's clock may be behind ours: events are asked for from so much earlier.
    private static let clockMilliseconds: Int64 = 300_000
    /// Merchants' accounts that no route names any more are asked if anything was captured or refunded there in so long a
    /// time before the point restored to, or is open: 180 days, in which nearly all that is refunded or disputed is.
    private static let usedMilliseconds: Int64 = 180 * 86_400_000

    private let ports: Gateway.Ports
    private let settings: GatewaySettings
    private let log: OrderLog
    private let processor: WebhookProcessor

    /// Makes a recovery.
    ///
    /// - Parameters:
    ///   - ports: database, clock, PSPs and the way to them.
    ///   - settings: times and limits.
    ///   - instance: a name no other instance has.
    package init(_ ports: Gateway.Ports, settings: GatewaySettings = GatewaySettings(), instance: String) {
        self.ports = ports
        self.settings = settings
        log = OrderLog(
            database: ports.database,
            clock: ports.clock,
            rules: settings.rules,
            instance: instance,
            presentation: ports.presentation,
            random: ports.random
        )
        processor = WebhookProcessor(ports, rules: settings.rules, log: log, performs: false)
    }

    /// The instances that serve by their heartbeats; while there are any, nothing may be recovered.
    ///
    /// - Throws: `SQLError`.
    package func serving() async throws -> [String] {
        let limit = ports.clock.now().adding(milliseconds: -Heartbeat.deathMilliseconds)
        return try await ports.database.read { session in try InstanceTable.living(since: limit, in: session) }
    }

    /// Counts as sent until now what the books take for unsent or do not know to be over, so that it is asked after before
    /// it is sent again, and its keys are relied on no longer than they are kept.
    ///
    /// - Returns: how many orders have anything of the kind, and how many cannot be carried on: `attention list` says why.
    /// - Throws: `SQLError`.
    package func distrust() async throws -> (open: Int, unreadable: Int) {
        var (open, unreadable, last) = (0, 0, OrderID?.none)
        while true {
            let ids = try await ports.database.read { [last] session in
                try WorkTable.unsettled(after: last, limit: Self.batch, in: session)
            }
            guard let end = ids.last else { return (open, unreadable) }
            for id in ids {
                do {
                    let isOpen = try await ports.database.write { session in
                        !(try log.apply([.restored], to: id, in: session).isEmpty)
                    }
                    open += isOpen ? 1 : 0
                } catch SQLError.unexpectedValue {
                    unreadable += 1
                } catch is OrderLogError {
                    unreadable += 1
                }
            }
            last = end
        }
    }

    /// Asks what happened at an account, and tells it to the orders.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - since: the point that the books were restored to, or a moment before it.
    ///   - isDryRun: whether to say only what would be done.
    /// - Returns: what came of it.
    /// - Throws: `SQLError`.
    package func ask(
        _ account: PSPAccount,
        since: Timestamp,
        isDryRun: Bool = false
    ) async throws -> RecoveredActivity {
        var result = RecoveredActivity(account)
        let lister: any ActivityListing
        do {
            guard let found = try ports.directory.adapter(for: account) as? any ActivityListing else {
                result.obstacle = "this PSP lists nothing: compare with its settlement report"
                return result
            }
            lister = found
        } catch {
            result.obstacle = "the account cannot be used: \(type(of: error))"
            return result
        }
        let from = since.adding(milliseconds: -Self.clockMilliseconds)
        let begin = reach(of: lister).map { max($0, from) } ?? from
        let isApart = type(of: lister).listsMerchantAccountsApart
        let merchantAccounts = isApart ? try await merchantAccounts(at: account, since: since) : []
        let reader = ActivityReader(
            lister: lister,
            account: account.marketplace + "/" + account.id,
            sender: ports.sender,
            clock: ports.clock,
            timeoutMilliseconds: settings.pspTimeoutMilliseconds
        )
        let listed = await reader.read(since: begin, merchantAccounts: merchantAccounts)
        result.obstacle = listed.obstacle ?? (begin > since ? "the list goes back to \(begin) only" : nil)
        result.listed = listed.events.count
        // What is told may give an order its PSP's name of a payment, which is all that another event may name it by: what
        // nobody knew is told again as long as something was known.
        var (unknown, known) = (listed.events, Int.max)
        while known > 0 {
            let events = unknown
            unknown = []
            for start in stride(from: 0, to: events.count, by: Self.batch) {
                let batch = Array(events[start..<min(start + Self.batch, events.count)])
                unknown += try await tell(batch, to: account, isDryRun: isDryRun, &result)
            }
            known = isDryRun ? 0 : events.count - unknown.count
        }
        try await keep(unknown, at: account, keepsRest: lister.capabilities.multipleCapture, isDryRun, &result)
        if result.waiting > 0 {
            let sentence = "\(result.waiting) events are not told to their orders yet: run recover again"
            result.obstacle = [result.obstacle, sentence].compactMap(\.self).joined(separator: "; ")
        }
        return result
    }

    /// The earliest moment that a PSP lists, with a minute for its clock; nil if it lists all.
    private func reach(of lister: any ActivityListing) -> Timestamp? {
        type(of: lister).activityReachMilliseconds.map { ports.clock.now().adding(milliseconds: 60_000 - $0) }
    }

    /// The merchants' accounts that routes through a PSP account name, or payments of lately went to.
    private func merchantAccounts(at account: PSPAccount, since: Timestamp) async throws -> [String] {
        let from = since.adding(milliseconds: -Self.usedMilliseconds)
        var names = try await ports.database.read { session in
            let routes = try Merchants.all(of: account.marketplace, in: session).flatMap(\.routes)
            let named = routes.filter { $0.pspAccount == account.id }.compactMap(\.merchantAccount)
            return Set(named + (try EffectRows.merchantAccounts(at: account, since: from, in: session)))
        }
        var last = OrderID?.none
        while true {
            let (orders, end) = try await ports.database.read { [last] session in
                let ids = try WorkTable.unsettled(after: last, limit: Self.batch, in: session)
                return (try OrderReader.loadReadable(ids, in: session).orders, ids.last)
            }
            guard let end else { return names.sorted() }
            let routes = orders.filter { $0.marketplace == account.marketplace }
                .flatMap(\.payments).flatMap { $0.attempts.map(\.route) + $0.alternatives }
            names.formUnion(routes.filter { $0.pspAccount == account.id }.compactMap(\.merchantAccount))
            last = end
        }
    }
}

/// Telling events to the orders that they are about.
extension BooksRecovery {
    /// Tells events that are not in the inbox to their orders; answers those about nothing that the books know.
    private func tell(
        _ events: [WebhookEvent],
        to account: PSPAccount,
        isDryRun: Bool,
        _ result: inout RecoveredActivity
    ) async throws -> [WebhookEvent] {
        let (places, inbox) = try await ports.database.read { session in
            (
                try events.map { try LostSubject(of: $0, at: account, in: session) },
                try WebhookTable.known(events.map(\.id), at: account, in: session)
            )
        }
        var unknown: [WebhookEvent] = []
        var new: [WebhookEntry] = []
        var waiting: [WebhookID] = []
        var ids = IdentifierSource(random: ports.random)
        let now = ports.clock.now()
        for (event, place) in zip(events, places) {
            switch place {
            case .elsewhere: result.others += 1
            case .unknown: unknown.append(event)
            case .known:
                guard let known = inbox[event.id] else {
                    new.append(WebhookEntry(event, at: account, now, &ids))
                    continue
                }
                if known.state.isWaiting { waiting.append(known.id) }
            }
        }
        guard !isDryRun else {
            // What cannot be read is for a person from the start.
            result.count(new.map(\.state.ifTold) + waiting.map { _ in .applied })
            return unknown
        }
        let inserted = try await ports.database.write { [new] session in try WebhookTable.insert(new, in: session) }
        // What an earlier run, or the books before, stored and did not tell.
        for id in waiting + inserted { _ = await processor.process(id) }
        let told = Set(waiting + new.map(\.id))
        let after = try await ports.database.read { session in
            try WebhookTable.known(events.map(\.id), at: account, in: session)
        }
        result.count(after.values.filter { told.contains($0.id) }.map(\.state))
        return unknown
    }

    /// Keeps what the books do not know: as a problem for a person, each payment once; or, where it holds and took nothing by
    /// itself, for an order that is to hear of the payment first.
    private func keep(
        _ events: [WebhookEvent],
        at account: PSPAccount,
        keepsRest: Bool,
        _ isDryRun: Bool,
        _ result: inout RecoveredActivity
    ) async throws {
        for lost in LostPayment.all(of: events, keepsRest: keepsRest) {
            guard lost.isOurs else {
                result.others += lost.events.count
                continue
            }
            guard lost.payment.needsLook else {
                if let order = try await ports.database.read({ try lost.orderAwaiting(at: account, in: $0) }) {
                    result.told += try await keep(lost.events, for: order, at: account, isDryRun: isDryRun)
                }
                continue
            }
            let state = try await ports.database.read { session in
                try WebhookTable.known([lost.payment.event], at: account, in: session)[lost.payment.event]?.state
            }
            if state == nil {
                if !isDryRun { try await store(lost, at: account) }
                result.raised += 1
            }
            if state == nil || state == .problem { result.unknown.append(lost.payment) }
        }
    }

    /// Keeps events that their order is told once it knows what they are about; a person is told if it never does.
    ///
    /// - Returns: how many were not kept before.
    private func keep(
        _ events: [WebhookEvent],
        for order: OrderID,
        at account: PSPAccount,
        isDryRun: Bool
    ) async throws -> Int {
        let inbox = try await ports.database.read { session in
            try WebhookTable.known(events.map(\.id), at: account, in: session)
        }
        var ids = IdentifierSource(random: ports.random)
        let now = ports.clock.now()
        let entries = events.filter { inbox[$0.id] == nil }.map { event in
            var entry = WebhookEntry(event, at: account, now, &ids)
            entry.order = order
            return entry
        }
        guard !isDryRun else { return entries.count }
        return try await ports.database.write { [entries] session in
            try WebhookTable.insert(entries, in: session).count
        }
    }

    /// One transaction: the problem, and the item on its order, if that one is known.
    private func store(_ lost: LostPayment, at account: PSPAccount) async throws {
        let step = try await ports.database.write { session -> OrderStep? in
            let now = ports.clock.now()
            var ids = IdentifierSource(random: ports.random)
            let order = try lost.order(in: session)
            var entry = WebhookEntry(lost.event(isOrderKnown: order != nil), at: account, now, &ids)
            entry.order = order
            guard try !WebhookTable.insert([entry], in: session).isEmpty, let order else { return nil }
            return try log.refreshWebhookProblem(of: order, about: nil, at: now, in: session)
        }
        if let step { log.passOn(step) }
    }
}

/// What an account was asked, and what came of it.
package struct RecoveredActivity: Sendable {
    /// The account.
    package let account: PSPAccount
    /// How many events were listed that tell of payments.
    package internal(set) var listed = 0
    /// How many of them were new, and were told to their orders, or are as soon as those know what they are about.
    package internal(set) var told = 0
    /// How many are to be told still: about something that their orders do not know yet, or nothing could be written.
    package internal(set) var waiting = 0
    /// How many are about payments that are not this account's of ours.
    package internal(set) var others = 0
    /// How many payments that the books do not know, and events that cannot be read or applied, were kept for a person now.
    package internal(set) var raised = 0
    /// The payments that the books do not know, and that no person has seen to.
    package internal(set) var unknown: [RecoveredPayment] = []
    /// Why there may be more; nil if everything was listed.
    package internal(set) var obstacle: String?

    init(_ account: PSPAccount) { self.account = account }

    /// Counts events by what became of them.
    fileprivate mutating func count(_ states: [WebhookEntry.State]) {
        for state in states {
            switch state {
            case .problem: raised += 1
            case .received, .parked: waiting += 1
            case .applied, .ignored, .unrelated: told += 1
            }
        }
    }
}

extension WebhookEntry.State {
    /// What a new event comes to if it can be told.
    fileprivate var ifTold: WebhookEntry.State { isWaiting ? .applied : self }
}
