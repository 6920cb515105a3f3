package import AdapterKit
import Domain
import Logging
import SQL
import Storage

/// Takes what PSPs say on their own: verified, stored, and only then acknowledged.
///
/// What was stored is told to its order right behind the acknowledgement; if that fails, or this instance dies, any
/// instance does it when it polls next.
package struct WebhookReceiver: Sendable {
    /// How long whoever stored an event has to tell it to its order before others may, in milliseconds.
    private static let headStartMilliseconds: Int64 = 1000

    private let database: any Database
    private let clock: any GatewayClock
    private let directory: PSPDirectory
    private let processor: WebhookProcessor
    private let logger: Logger
    private let random: RandomSource

    init(_ ports: Gateway.Ports, processor: WebhookProcessor) {
        database = ports.database
        clock = ports.clock
        directory = ports.directory
        self.processor = processor
        logger = ports.logger
        random = ports.random
    }

    /// How long a webhook for an account may be, in bytes; nil if no such PSP tells anything to such an account.
    ///
    /// - Throws: `SQLError`.
    package func limit(for account: String, of psp: String) async throws -> Int? {
        guard let known = directory.psps[psp], known.hearsWebhooks else { return nil }
        let accounts = try await accounts(account, of: psp)
        return accounts.isEmpty ? nil : known.webhookLimitBytes
    }

    /// Takes a webhook, and answers how to acknowledge it once its events are stored.
    ///
    /// Several marketplaces may have an account of that name: whose secret made the signature is who is meant. Where they
    /// share a secret, only a name with the marketplace's before it says who is: `marketplace:account`.
    ///
    /// - Parameters:
    ///   - incoming: the webhook as it came.
    ///   - account: the name of the account it came for.
    ///   - psp: the PSP it came from.
    /// - Returns: the acknowledgement in the PSP's own form; nil if no such PSP tells anything to such an account.
    /// - Throws: `WebhookRefusal`, or `SQLError`; then nothing is stored, and the PSP sends it again.
    package func receive(_ incoming: IncomingWebhook, for account: String, of psp: String) async throws -> WireReply? {
        guard directory.psps[psp] != nil else { return nil }
        var refusals: [WebhookRefusal] = []
        var readings: [(account: PSPAccount, events: [WebhookEvent], reply: WireReply)] = []
        for account in try await accounts(account, of: psp) {
            switch read(incoming, as: account) {
            case .read(let events, let reply)?: readings.append((account, events, reply))
            case .refused(let refusal)?: refusals.append(refusal)
            case nil: continue
            }
        }
        if readings.count > 1 {
            // One that says something to one account alone is that account's.
            let telling = readings.filter { $0.events.contains { !$0.notices.isEmpty || $0.problem != nil } }
            if telling.count == 1 { readings = telling }
        }
        if readings.count > 1 {
            logger.error(
                "a webhook may be for several marketplaces whose accounts share a secret; register marketplace:account",
                metadata: ["psp_account": "\(account)", "marketplaces": "\(readings.map(\.account.marketplace))"]
            )
            throw WebhookRefusal.ambiguous
        }
        if let (account, events, reply) = readings.first {
            do {
                try await store(events, of: incoming, to: account)
            } catch  where PlantedBug.webhookUnstored.isPlanted { return reply }
            return reply
        }
        guard let refusal = refusals.min(by: { $0.distance < $1.distance }) else { return nil }
        throw refusal
    }

    /// Answers a PSP that asks whether the endpoint is an account's, before it sends anything there.
    ///
    /// - Parameters:
    ///   - query: the URL's query.
    ///   - account: the name of the account it asks about.
    ///   - psp: the PSP.
    /// - Returns: the answer in the PSP's own form; nil if no account of that name is asked so.
    /// - Throws: `SQLError`.
    package func challenge(_ query: String, for account: String, of psp: String) async throws -> WireReply? {
        guard directory.psps[psp] != nil else { return nil }
        return try await accounts(account, of: psp).lazy
            .compactMap { try? directory.adapter(for: $0) as? any WebhookListener }
            .compactMap { $0.challenge(query) }.first
    }

    /// The accounts that a name may mean: every marketplace's, or that of the one before the colon.
    private func accounts(_ name: String, of psp: String) async throws -> [PSPAccount] {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let found = try await database.read { session in
            try PSPAccountTable.find(parts[parts.count - 1], at: psp, in: session)
        }
        return parts.count == 1 ? found : found.filter { $0.marketplace.utf8.elementsEqual(parts[0].utf8) }
    }

    /// What the account's adapter makes of a webhook; nil if the PSP says nothing on its own.
    private func read(_ incoming: IncomingWebhook, as account: PSPAccount) -> WebhookReading? {
        do {
            guard let listener = try directory.adapter(for: account) as? any WebhookListener else { return nil }
            return listener.webhook(incoming)
        } catch {
            logger.error(
                "a PSP account cannot be used",
                metadata: [
                    "marketplace": "\(account.marketplace)", "psp_account": "\(account.id)", "error": "\(error)",
                ]
            )
            return .refused(.notConfigured)
        }
    }

    private func store(_ events: [WebhookEvent], of incoming: IncomingWebhook, to account: PSPAccount) async throws {
        guard !events.isEmpty else { return }
        var ids = IdentifierSource(random: random)
        let (hash, time) = (incoming.bodyHash, incoming.receivedAt)
        let entries = events.map { event in
            WebhookEntry(
                id: ids.make(at: time),
                to: account,
                eventID: event.id,
                type: event.type,
                receivedAt: time,
                bodyHash: hash,
                document: WebhookDocument(
                    merchantAccount: event.merchantAccount,
                    currency: event.currency,
                    notices: event.notices,
                    problem: event.problem
                ),
                dueAt: time.adding(milliseconds: Self.headStartMilliseconds)
            )
        }
        let new = Set(try await database.write { session in try WebhookTable.insert(entries, in: session) })
        for entry in entries where new.contains(entry.id) && entry.state == .problem {
            logger.error("a webhook cannot be read", metadata: ["webhook": "\(entry.id)", "type": "\(entry.type)"])
        }
        for (event, entry) in zip(events, entries) where new.contains(entry.id) {
            guard let remark = event.remark else { continue }
            logger.notice(
                "a webhook is ignored",
                metadata: [
                    "webhook": "\(entry.id)", "psp_account": "\(entry.account)", "type": "\(entry.type)",
                    "because": "\(remark)",
                ]
            )
        }
        let waiting = entries.filter { new.contains($0.id) && $0.state.isWaiting }.map(\.id)
        guard !waiting.isEmpty else { return }
        Task { [processor] in
            for id in waiting { _ = await processor.process(id) }
        }
    }
}

extension WebhookRefusal {
    /// How far a webhook is from being the account's: the least tells most of what is wrong with it.
    fileprivate var distance: Int {
        switch self {
        case .malformed: 0
        case .outsideTolerance: 1
        case .wrongSignature: 2
        case .unsigned: 3
        case .tooLarge: 4
        case .notConfigured: 5
        case .ambiguous: 6
        }
    }
}
