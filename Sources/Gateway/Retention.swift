import Domain
package import Logging
package import SQL
import Storage
import Synchronization

/// How long what has served its purpose is kept, in milliseconds.
package struct RetentionPeriods: Hashable, Sendable {
    /// How long a request may be sent again under its key: 30 days.
    package var idempotencyKeyMilliseconds: Int64 = 30 * 86_400_000
    /// How long a payment request is told to have ended: a day.
    package var paymentRequestMilliseconds: Int64 = 86_400_000
    /// How long events that PSPs told are kept once they are settled: 90 days.
    package var webhookMilliseconds: Int64 = 90 * 86_400_000
    /// How long callbacks are kept once they were delivered or given up: 90 days.
    package var callbackMilliseconds: Int64 = 90 * 86_400_000
    /// How long orders are kept in Wallet once nothing of them changes any more: a year.
    package var walletOrderMilliseconds: Int64 = 365 * 86_400_000
    /// How long events of merchant tokens are kept once they are settled: eight days, one more than Apple keeps them.
    package var merchantTokenNoticeMilliseconds: Int64 = 8 * 86_400_000

    /// The defaults.
    package init() {}

    /// Before when rows of a table have to have served to be forgotten now.
    fileprivate func end(of table: RetainedTable, at now: Timestamp) -> Timestamp {
        switch table {
        case .credentials: now
        case .idempotencyKeys: now.adding(milliseconds: -idempotencyKeyMilliseconds)
        case .paymentRequests: now.adding(milliseconds: -paymentRequestMilliseconds)
        case .webhooks: now.adding(milliseconds: -webhookMilliseconds)
        case .callbacks: now.adding(milliseconds: -callbackMilliseconds)
        case .walletOrders, .walletDevices: now.adding(milliseconds: -walletOrderMilliseconds)
        case .merchantTokenNotices: now.adding(milliseconds: -merchantTokenNoticeMilliseconds)
        }
    }
}

/// Forgets what is kept no longer, a batch at a time, and makes the partitions of the months to come.
///
/// Any number of instances may do so over one database: one at a time has a task in hand. Each batch is a transaction of
/// its own, behind which it pauses for as long as the batch took, so that nothing that is due waits for it.
package final class Retention: Sendable {
    /// The most rows that one transaction deletes.
    package static let batchLimit = 1000

    /// How long a task is claimed ahead; an instance that dies leaves it to others after that.
    private static let leaseMilliseconds: Int64 = 60_000
    /// How often to look for what is to be forgotten.
    private static let lookMilliseconds: Int64 = 60_000
    /// How long one round goes on, and how soon after it the next one begins if something is left.
    private static let roundLimit = Duration.seconds(30)
    private static let nextRoundMilliseconds: Int64 = 1000
    /// How long after a start to look first: others may have to be taken over, which is more urgent.
    private static let startMilliseconds: Int64 = 10_000
    /// How long after it was done a task is left alone, whoever looks; less than the time between two looks.
    private static let restMilliseconds: Int64 = 45_000
    /// The same for the partitions, which are made months ahead.
    private static let monthsRestMilliseconds: Int64 = 3_600_000
    /// The shortest and the longest pause between two batches.
    private static let pauses = (shortest: Duration.milliseconds(5), longest: Duration.seconds(1))
    /// What the partitions' turn is called.
    private static let monthsTask = "order_step"

    private let database: any Database
    private let clock: any GatewayClock
    private let instance: String
    private let periods: RetentionPeriods
    private let logger: Logger
    /// The partitions that cannot be made, of which that was logged.
    private let occupied = Mutex<Set<String>>([])

    /// Makes it.
    ///
    /// - Parameters:
    ///   - database: the database that all instances share.
    ///   - clock: the database's time.
    ///   - instance: a name no other instance has.
    ///   - periods: how long what is kept.
    ///   - logger: told what could not be done.
    package init(
        database: any Database,
        clock: any GatewayClock,
        instance: String,
        periods: RetentionPeriods = RetentionPeriods(),
        logger: Logger
    ) {
        self.database = database
        self.clock = clock
        self.instance = instance
        self.periods = periods
        self.logger = logger
    }

    /// Looks once a minute, or at once where a round left something, until the task is canceled.
    package func run() async {
        var pause = Self.startMilliseconds
        while !Task.isCancelled {
            try? await clock.sleep(until: clock.now().adding(milliseconds: pause))
            guard !Task.isCancelled else { return }
            pause = await look() ? Self.nextRoundMilliseconds : Self.lookMilliseconds
        }
    }

    /// Forgets what has served by now, as far as others do not have it in hand, and says whether some of it is left.
    ///
    /// A round ends after a while, so that what is due for being erased meanwhile is not kept by a long one.
    @discardableResult
    package func look() async -> Bool {
        do {
            let (tables, months) = try await claim(whatIsDueAt: clock.now())
            let isMore = try await forget(tables)
            if !months.isEmpty { await make(months) }
            return isMore
        } catch is CancellationError {
        } catch {
            logger.info("what is kept no longer is looked for again in a minute", metadata: ["error": "\(error)"])
        }
        return false
    }

    /// The tables of which something is to be forgotten and the months that want a partition, as far as they are claimed.
    ///
    /// Where there is nothing to do, nothing is written.
    private func claim(whatIsDueAt now: Timestamp) async throws -> (tables: [RetainedTable], months: [Int64]) {
        let (periods, instance) = (periods, instance)
        let (tables, months) = try await database.read { session in
            let tables = RetainedTable.allCases
            let oldest = try session.rows(tables.map { $0.oldest(before: periods.end(of: $0, at: now)) })
            return (
                zip(tables, oldest).filter { !$1.isEmpty }.map(\.0), try OrderStepMonths.missing(at: now, in: session)
            )
        }
        let rest = now.adding(milliseconds: -Self.restMilliseconds)
        var tasks = tables.map { (name: $0.rawValue, doneBefore: rest) }
        if !months.isEmpty {
            tasks.append((Self.monthsTask, now.adding(milliseconds: -Self.monthsRestMilliseconds)))
        }
        guard !tasks.isEmpty else { return ([], []) }
        let claimed = try await database.write { [tasks] session in
            let until = now.adding(milliseconds: Self.leaseMilliseconds)
            return try RetentionTurnTable.claim(tasks, by: instance, at: now, until: until, in: session)
        }
        return (tables.filter { claimed.contains($0.rawValue) }, claimed.contains(Self.monthsTask) ? months : [])
    }

    /// Forgets what has served, a batch of each table in turn, so that none waits until another is through; says whether
    /// something is left.
    private func forget(_ tables: [RetainedTable]) async throws -> Bool {
        let end = ContinuousClock.now + Self.roundLimit
        var left = tables
        while !left.isEmpty {
            for table in left {
                let started = ContinuousClock.now
                if try await !isMoreAfterABatch(of: table) { left.removeAll { $0 == table } }
                guard !left.isEmpty else { return false }
                let worked = ContinuousClock.now - started
                try await Task.sleep(for: min(max(worked, Self.pauses.shortest), Self.pauses.longest))
            }
            guard ContinuousClock.now < end else { break }
        }
        guard !left.isEmpty else { return false }
        try await database.write { [left, instance] session in
            for table in left {
                try RetentionTurnTable.end(table.rawValue, by: instance, doneAt: nil, in: session)
            }
        }
        return true
    }

    /// Forgets a batch of a table, and says whether there may be more that is still ours to forget.
    ///
    /// What fails is given up until the next look; the claim lapses by itself.
    private func isMoreAfterABatch(of table: RetainedTable) async throws -> Bool {
        let (now, instance, periods) = (clock.now(), instance, periods)
        do {
            return try await database.write { session in
                let until = now.adding(milliseconds: Self.leaseMilliseconds)
                guard try RetentionTurnTable.renew(table.rawValue, by: instance, until: until, in: session) else {
                    return false
                }
                let end = periods.end(of: table, at: now)
                let count = try table.forget(before: end, limit: Self.batchLimit, in: session)
                let isMore = count == Self.batchLimit
                if !isMore { try RetentionTurnTable.end(table.rawValue, by: instance, doneAt: now, in: session) }
                return isMore
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            logger.info(
                "what is kept no longer is forgotten later",
                metadata: ["table": "\(table.rawValue)", "error": "\(error)"]
            )
            return false
        }
    }

    /// Makes partitions, each in a transaction of its own; one that cannot be made keeps nobody from anything, because
    /// its rows go to the default partition.
    private func make(_ months: [Int64]) async {
        let (now, instance) = (clock.now(), instance)
        for later in months {
            do {
                let (name, result) = try await database.write { session in
                    try OrderStepMonths.add(later: later, at: now, in: session)
                }
                guard result == .occupied, occupied.withLock({ $0.insert(name).inserted }) else { continue }
                logger.warning(
                    "a month's steps stand in the default partition already; it gets none of its own",
                    metadata: ["partition": "\(name)"]
                )
            } catch {
                logger.warning(
                    "a month's partition could not be made; its steps go to the default partition until then",
                    metadata: ["months_ahead": "\(later)", "error": "\(error)"]
                )
            }
        }
        do {
            try await database.write { session in
                try RetentionTurnTable.end(Self.monthsTask, by: instance, doneAt: now, in: session)
            }
        } catch {
            logger.info("the turn of partitions lapses by itself", metadata: ["error": "\(error)"])
        }
    }
}
