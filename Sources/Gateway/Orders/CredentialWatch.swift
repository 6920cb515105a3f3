import Domain
import Logging
import SQL
import Storage
import Synchronization

/// Whether PSPs take our credentials, as this instance hears it, and writes it down for everybody: aside from calls, and
/// only when something changed.
///
/// An account has one row, however many calls are refused; each instance touches it once a minute at most.
final class CredentialWatch: Sendable {
    /// A PSP account.
    struct Account: Hashable, Sendable {
        let marketplace: String
        let id: String
    }

    /// A row that is younger than this, in milliseconds, is not written again.
    private static let rewriteMilliseconds: Int64 = 60_000
    /// How often what was heard is written down, in milliseconds, and how often calls that were taken end what is there.
    private static let turnMilliseconds: Int64 = 1000

    private struct Heard {
        /// The last refusal that no call contradicts.
        var refusal: CredentialRefusal?
        /// Whether that still has to be written down.
        var isNew = false
        /// When the last call of each kind was taken, of those that no refusal followed.
        var taken: [String: Timestamp] = [:]
    }

    private struct State {
        var accounts: [Account: Heard] = [:]
        /// Whether anything was heard since the last look.
        var hasNews = false
        var isAway = false
    }

    private let state = Mutex(State())

    /// Hears that a call was refused.
    func hear(_ refusal: CredentialRefusal) {
        state.withLock { state in
            var heard = state.accounts[Account(marketplace: refusal.marketplace, id: refusal.account)] ?? Heard()
            switch refusal.objection {
            case .unauthenticated: heard.taken = [:]
            case .forbidden: heard.taken[refusal.call] = nil
            }
            heard.refusal = refusal
            heard.isNew = true
            state.accounts[Account(marketplace: refusal.marketplace, id: refusal.account)] = heard
            state.hasNews = true
        }
    }

    /// Hears that a call was taken: whatever came of it, the PSP knew who asked.
    func hear(taken call: String, at account: Account, _ now: Timestamp) {
        state.withLock { state in
            var heard = state.accounts[account] ?? Heard()
            heard.taken[call] = now
            if heard.refusal?.isOver(after: heard.taken) ?? false { (heard.refusal, heard.isNew) = (nil, false) }
            state.accounts[account] = heard
            state.hasNews = true
        }
    }

    /// Writes down what was heard since the last time, if anything was.
    ///
    /// - Throws: `SQLError`; then it is written down the next time.
    func record(in database: any Database) async throws {
        guard state.withLock({ $0.hasNews }) else { return }
        let stored = try await database.read { session in try CredentialRefusalTable.all(in: session) }
        let heard = state.withLock { state in
            state.hasNews = false
            return state.accounts
        }
        let over = stored.filter { row in
            let account = Account(marketplace: row.marketplace, id: row.account)
            return heard[account].map { $0.refusal == nil && row.isOver(after: $0.taken) } ?? false
        }
        let pending = heard.values.filter(\.isNew).compactMap(\.refusal)
        let new = pending.filter { refusal in !stored.contains { Self.tells($0, of: refusal) } }
        if !over.isEmpty || !new.isEmpty {
            do {
                try await database.write { session in
                    for refusal in over { try CredentialRefusalTable.end(refusal, in: session) }
                    for refusal in new { try CredentialRefusalTable.save(refusal, in: session) }
                }
            } catch {
                state.withLock { $0.hasNews = true }
                throw error
            }
        }
        // What a row tells already is told: if another instance ends it, that is the later word.
        state.withLock { state in
            for refusal in pending {
                let account = Account(marketplace: refusal.marketplace, id: refusal.account)
                if state.accounts[account]?.refusal == refusal { state.accounts[account]?.isNew = false }
            }
        }
    }

    /// Writes down what is heard until the task is canceled.
    func run(_ database: any Database, _ clock: any GatewayClock, _ logger: Logger) async {
        while !Task.isCancelled {
            do {
                try await record(in: database)
                state.withLock { $0.isAway = false }
            } catch {
                let wasAway = state.withLock { state in
                    defer { state.isAway = true }
                    return state.isAway
                }
                if !wasAway, !Task.isCancelled {
                    logger.warning(
                        "that a PSP refuses or takes our credentials could not be written down",
                        metadata: ["error": "\(error)"]
                    )
                }
            }
            try? await clock.sleep(until: clock.now().adding(milliseconds: Self.turnMilliseconds))
        }
    }

    /// Whether a row says already what was heard.
    private static func tells(_ row: CredentialRefusal, of refusal: CredentialRefusal) -> Bool {
        row.marketplace == refusal.marketplace && row.account == refusal.account
            && row.objection == refusal.objection && row.call == refusal.call
            && refusal.refusedAt.milliseconds(since: row.refusedAt) < rewriteMilliseconds
    }
}
