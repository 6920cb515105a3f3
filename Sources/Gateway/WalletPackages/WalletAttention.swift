import Domain
import Logging
import SQL
import Storage
import Synchronization

/// Keeps a marketplace's operators told of what keeps its orders from being followed: in the log, and stored until it is over,
/// among what waits for a person.
final class WalletAttention: Sendable {
    private struct Place: Hashable {
        let marketplace: String
        let kind: WalletProblem.Kind
    }

    private struct Note {
        let finding: String
        let subject: String?
        let at: Timestamp
    }

    private static let pauseMilliseconds: Int64 = 60_000

    private let database: any Database
    private let clock: any GatewayClock
    private let logger: Logger
    /// What this instance wrote down last.
    private let notes = Mutex<[Place: Note]>([:])

    init(database: any Database, clock: any GatewayClock, logger: Logger) {
        self.database = database
        self.clock = clock
        self.logger = logger
    }

    /// Takes note of a problem; the same one once a minute.
    ///
    /// - Parameters:
    ///   - kind: what is wrong.
    ///   - finding: why, in a sentence.
    ///   - marketplace: whose orders.
    ///   - subject: the order in Wallet that it is about; nil for all of them.
    func raise(
        _ kind: WalletProblem.Kind,
        _ finding: String,
        of marketplace: String,
        about subject: String? = nil
    ) async {
        let now = clock.now()
        let place = Place(marketplace: marketplace, kind: kind)
        let (isDue, isNews) = notes.withLock { notes in
            let last = notes[place]
            let isNews = last?.finding != finding || last?.subject != subject
            let isDue = isNews || now.milliseconds(since: last?.at ?? now) >= Self.pauseMilliseconds
            if isDue { notes[place] = Note(finding: finding, subject: subject, at: now) }
            return (isDue, isNews)
        }
        guard isDue else { return }
        if isNews {
            logger.error(
                "orders in Wallet need somebody",
                metadata: [
                    "marketplace": "\(marketplace)", "reason": "\(kind.rawValue)", "finding": "\(finding)",
                    "wallet_order": "\(subject ?? "all")",
                ]
            )
        }
        try? await database.write { session in
            let problem = WalletProblem(
                marketplace: marketplace,
                kind: kind,
                subject: subject,
                since: now,
                seenAt: now,
                finding: finding
            )
            try WalletProblemTable.save(problem, in: session)
        }
    }

    /// Ends a problem that this instance wrote down; what another one did, ``WalletWatch`` ends.
    func end(_ kind: WalletProblem.Kind, of marketplace: String, about subject: String? = nil) async {
        let place = Place(marketplace: marketplace, kind: kind)
        let isKnown = notes.withLock { notes in
            guard let note = notes[place], subject == nil || note.subject == subject else { return false }
            notes[place] = nil
            return true
        }
        if isKnown { await forget(kind, of: marketplace, about: subject) }
    }

    /// Ends a problem that stands in the database.
    func end(_ problem: WalletProblem) async {
        notes.withLock { $0[Place(marketplace: problem.marketplace, kind: problem.kind)] = nil }
        await forget(problem.kind, of: problem.marketplace, about: problem.subject)
    }

    private func forget(_ kind: WalletProblem.Kind, of marketplace: String, about subject: String?) async {
        try? await database.write { session in
            try WalletProblemTable.end(kind, of: marketplace, about: subject, in: session)
        }
    }
}
