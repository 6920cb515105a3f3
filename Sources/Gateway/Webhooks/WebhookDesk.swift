package import AdapterKit
import Domain
import Logging
import SQL
import Storage

/// Takes what PSPs say on their own: verified, stored, and only then acknowledged.
///
/// What was stored is told to its order right behind the acknowledgement; if that fails, or this instance dies, any
/// instance does it at a later beat.
package struct WebhookDesk: Sendable {
    /// How long whoever stored an event has to tell it to its order before others may, in milliseconds.
    private static let headStartMilliseconds: Int64 = 1000

    private let database: any Database
    private let clock: any GatewayClock
    private let directory: PSPDirectory
    private let folder: WebhookFolder
    private let logger: Logger

    init(_ ports: Gateway.Ports, folder: WebhookFolder) {
        database = ports.database
        clock = ports.clock
        directory = ports.directory
        self.folder = folder
        logger = ports.logger
    }

    /// Takes a webhook, and answers how to acknowledge it once its events are stored.
    ///
    /// Several marketplaces may have an account of that name: whose secret made the signature is who is meant.
    ///
    /// - Parameters:
    ///   - incoming: the webhook as it came.
    ///   - account: the name of the account it came for.
    ///   - psp: the PSP it came from.
    /// - Returns: the acknowledgement in the PSP's own form; nil if no such PSP tells anything to such an account.
    /// - Throws: `WebhookRefusal`, or `SQLError`; then nothing is stored, and the PSP sends it again.
    package func receive(_ incoming: IncomingWebhook, for account: String, of psp: String) async throws -> WireReply? {
        guard directory.psps[psp] != nil else { return nil }
        let accounts = try await database.read { session in
            try PSPAccountTable.find(account, at: psp, in: session)
        }
        var refusals: [WebhookRefusal] = []
        for account in accounts {
            switch read(incoming, as: account) {
            case .read(let events, let reply)?:
                try await store(events, of: incoming, to: account)
                return reply
            case .refused(let refusal)?: refusals.append(refusal)
            case nil: continue
            }
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
        let accounts = try await database.read { session in
            try PSPAccountTable.find(account, at: psp, in: session)
        }
        return accounts.lazy
            .compactMap { try? directory.adapter(for: $0) as? any WebhookListener }
            .compactMap { $0.challenge(query) }.first
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
        var ids = IdentifierSource()
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
        Task { [folder] in
            for id in waiting { _ = await folder.fold(id) }
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
        }
    }
}
