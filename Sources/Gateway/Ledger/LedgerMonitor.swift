import Domain
package import Logging
package import SQL
import Storage

/// Closes the hours that are over, and verifies the books once in a while, beside everything else that goes on.
///
/// Any number of instances may watch one database: one of them at a time has a marketplace's verification in hand.
package struct LedgerMonitor: Sendable {
    /// How long a verification is claimed ahead; an instance that dies leaves it to others after that.
    private static let leaseMilliseconds: Int64 = 120_000
    /// How often a claim is renewed at the most.
    private static let renewalMilliseconds: Int64 = 30_000
    /// How often to look for what is over and due.
    private static let lookMilliseconds: Int64 = 60_000
    /// How many findings of a rule are logged; all are counted.
    private static let logLimit = 20
    /// The shortest and the longest pause between two pages.
    private static let pauses = (shortest: Duration.milliseconds(5), longest: Duration.seconds(1))

    private let database: any Database
    private let clock: any GatewayClock
    private let instance: String
    private let verifyEveryMilliseconds: Int64
    private let logger: Logger

    /// Makes a watch.
    ///
    /// - Parameters:
    ///   - database: where the books are.
    ///   - clock: the database's time.
    ///   - instance: a name no other instance has.
    ///   - verifyEveryMilliseconds: how long after a complete run the next one begins; 0 for never.
    ///   - logger: told what is found.
    package init(
        database: any Database,
        clock: any GatewayClock,
        instance: String,
        verifyEveryMilliseconds: Int64,
        logger: Logger
    ) {
        self.database = database
        self.clock = clock
        self.instance = instance
        self.verifyEveryMilliseconds = verifyEveryMilliseconds
        self.logger = logger
    }

    /// Watches until the task is canceled.
    package func run() async {
        while !Task.isCancelled {
            await look()
            try? await clock.sleep(until: clock.now().adding(milliseconds: Self.lookMilliseconds))
        }
    }

    /// Does what is over and due, once.
    package func look() async {
        do {
            let clocks = try await database.read { session in
                let marketplaces = try MarketplaceTable.all(in: session).map(\.id)
                return try TestClockTable.clocks(of: Set(marketplaces), in: session)
            }
            for (marketplace, shown) in clocks.sorted(by: { $0.key < $1.key }) {
                let now = shown.time(at: clock.now())
                let progress = try await PeriodCloser(database: database).close(marketplace, at: now)
                if progress.isHeldUp {
                    logger.info("hours are rolled up later", metadata: ["marketplace": "\(marketplace)"])
                }
                if verifyEveryMilliseconds > 0 { try await verify(marketplace) }
            }
        } catch is CancellationError {
        } catch {
            logger.warning("the books could not be watched", metadata: ["error": "\(error)"])
        }
    }

    /// Verifies what is new in a marketplace's books, or all of it, if that is due and nobody else does.
    private func verify(_ marketplace: String) async throws {
        let (now, instance) = (clock.now(), instance)
        let due = now.adding(milliseconds: -verifyEveryMilliseconds)
        let lease = now.adding(milliseconds: Self.leaseMilliseconds)
        let interval = verifyEveryMilliseconds
        let claimed: Range<Timestamp>? = try await database.write { session in
            guard
                try LedgerWatchTable.claim(
                    marketplace,
                    by: instance,
                    at: now,
                    until: lease,
                    dueBefore: due,
                    in: session
                )
            else { return nil }
            return try LedgerWatchTable.period(of: marketplace, every: interval, in: session)
        }
        guard let period = claimed else { return }
        do {
            guard let counts = try await audit(LedgerAudit(of: marketplace, in: period), since: now) else { return }
            let end = clock.now()
            try await database.write { session in
                try LedgerWatchTable.complete(
                    marketplace,
                    by: instance,
                    begunAt: now,
                    at: end,
                    finding: counts,
                    in: session
                )
            }
        } catch {
            try? await database.write { session in
                try LedgerWatchTable.giveUp(marketplace, by: instance, in: session)
            }
            throw error
        }
    }

    /// Goes through it, slowly, and answers how many places break each rule; nil if the claim was lost.
    private func audit(_ audit: LedgerAudit, since begin: Timestamp) async throws -> [LedgerRule: Int]? {
        var counts: [LedgerRule: Int] = [:]
        var renewedAt = begin
        for part in LedgerAudit.Part.allCases {
            var place: LedgerAudit.Place?
            repeat {
                let (last, started) = (place, ContinuousClock.now)
                let page = try await database.read { session in try audit.page(part, after: last, in: session) }
                for finding in page.findings { tell(finding, of: audit.marketplace, count: &counts) }
                place = page.next
                // At least as long as it worked it leaves the connection to others.
                let worked = ContinuousClock.now - started
                try await Task.sleep(for: min(max(worked, Self.pauses.shortest), Self.pauses.longest))
                guard try await keep(audit.marketplace, &renewedAt) else { return nil }
            } while place != nil
        }
        return counts
    }

    private func keep(_ marketplace: String, _ renewedAt: inout Timestamp) async throws -> Bool {
        let (now, instance) = (clock.now(), instance)
        guard now.milliseconds(since: renewedAt) >= Self.renewalMilliseconds else { return true }
        renewedAt = now
        return try await database.write { session in
            let until = now.adding(milliseconds: Self.leaseMilliseconds)
            return try LedgerWatchTable.renew(marketplace, by: instance, until: until, in: session)
        }
    }

    private func tell(_ finding: LedgerFinding, of marketplace: String, count: inout [LedgerRule: Int]) {
        count[finding.rule, default: 0] += 1
        guard count[finding.rule, default: 0] <= Self.logLimit else { return }
        logger.error(
            "the books break a rule",
            metadata: [
                "marketplace": "\(marketplace)", "rule": "\(finding.rule.rawValue)", "subject": "\(finding.subject)",
                "expected": "\(finding.expected)", "found": "\(finding.found)",
            ]
        )
    }
}
