import Domain
package import Logging
package import SQL
import Storage

/// Gives entries of the audit trail their place in the chain, beside everything else that goes on.
///
/// Any number of instances may seal one database: an entry takes one seal, and a number one entry, so that of two which
/// seal at once one takes back what it did.
package struct AuditSealer: Sendable {
    /// How often to look for entries.
    private static let lookMilliseconds: Int64 = 1_000
    /// How many entries are sealed in one transaction.
    private static let atOnce = 200

    /// Somebody else seals the same entries.
    private struct Overtaken: Error {}

    private let database: any Database
    private let clock: any GatewayClock
    private let logger: Logger

    /// Makes a sealer.
    ///
    /// - Parameters:
    ///   - database: where the trail is.
    ///   - clock: says when to look again.
    ///   - logger: told when it cannot be sealed.
    package init(database: any Database, clock: any GatewayClock, logger: Logger) {
        self.database = database
        self.clock = clock
        self.logger = logger
    }

    /// Seals until the task is canceled.
    package func run() async {
        while !Task.isCancelled {
            do {
                let waiting = try await database.read { session in
                    try AuditTrailTable.marketplacesToSeal(in: session)
                }
                for marketplace in waiting { try await Self.seal(marketplace, in: database) }
            } catch is CancellationError {
            } catch {
                logger.warning("the audit trail could not be sealed", metadata: ["error": "\(error)"])
            }
            try? await clock.sleep(until: clock.now().adding(milliseconds: Self.lookMilliseconds))
        }
    }

    /// Seals what a marketplace's trail has without a seal, and answers how many entries that were; fewer than there are
    /// if somebody else seals them.
    ///
    /// - Throws: `SQLError`.
    @discardableResult
    package static func seal(_ marketplace: String, in database: any Database) async throws -> Int {
        var sealed = 0
        while true {
            do {
                let count = try await database.write { session in try batch(marketplace, in: session) }
                sealed += count
                if count < atOnce { return sealed }
            } catch is Overtaken {
                return sealed
            } catch SQLError.uniqueViolation {
                return sealed
            }
        }
    }

    private static func batch(_ marketplace: String, in session: any Session) throws -> Int {
        let entries = try AuditTrailTable.unsealed(of: marketplace, limit: atOnce, in: session)
        guard !entries.isEmpty else { return 0 }
        var head = try AuditTrailTable.head(of: marketplace, in: session).map(AuditHead.init) ?? .empty
        for entry in entries {
            let number = head.number + 1
            head = AuditHead(
                number: number,
                hash: AuditHash.hash(entry.canonicalText, number: number, after: head.hash)
            )
            let seal = AuditTrailTable.Seal(number: head.number, hash: head.hash)
            guard try AuditTrailTable.seal(entry.id, seal, in: session) else { throw Overtaken() }
        }
        return entries.count
    }
}

extension AuditHead {
    /// The place of a stored seal.
    init(_ seal: AuditTrailTable.Seal) { self.init(number: seal.number, hash: seal.hash) }
}
