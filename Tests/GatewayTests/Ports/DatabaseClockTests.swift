import Domain
import Gateway
import SQL
import Synchronization
import Testing
import TributaryTestKit

@Suite("The database's clock", .timeLimit(.minutes(10)))
struct DatabaseClockTests {
    /// A database whose clock the test sets; it has nothing else.
    private final class Skewed: Database {
        let dialect: Dialect
        let microseconds: Mutex<Int64>
        /// How long a reading waits for a connection before it is made.
        let wait = Mutex(Duration.zero)

        init(_ microseconds: Int64, _ dialect: Dialect = .sqlite) {
            self.dialect = dialect
            self.microseconds = Mutex(microseconds)
        }

        func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
            throw SQLError.unavailable("has nothing")
        }

        func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
            throw SQLError.unavailable("has nothing")
        }

        func now() async throws -> Int64 {
            try await Task.sleep(for: wait.withLock(\.self))
            return microseconds.withLock { $0 }
        }

        func scrub() async throws {}

        func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { nil }
    }

    @Test("is carried on between readings", arguments: DatabaseEngine.allCases)
    func real(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let before = try await database.now()
            let clock = try await DatabaseClock(database)
            let shown = clock.now().microseconds
            let after = try await database.now()
            #expect(before <= shown)
            #expect(shown <= after + 50_000)
        }
    }

    @Test("of a machine is not followed where it was set, ahead or back, until it is right again")
    func setting() async throws {
        let database = Skewed(1_000_000_000_000_000)
        let clock = try await DatabaseClock(database)
        for hours: Int64 in [1, -1] {
            database.microseconds.withLock { $0 += hours * 3_600_000_000 }
            try await clock.synchronize(with: database)
            let ahead = try #require(clock.aheadMilliseconds)
            #expect(abs(ahead - hours * 3_600_000) < 60_000)
            #expect(abs(clock.now().microseconds - 1_000_000_000_000_000) < 60_000_000)
            database.microseconds.withLock { $0 -= hours * 3_600_000_000 }
            try await clock.synchronize(with: database)
        }
        // Within what a reading may differ.
        database.microseconds.withLock { $0 += 5_000_000 }
        try await clock.synchronize(with: database)
        #expect(clock.now().microseconds >= 1_000_000_005_000_000)
    }

    @Test("of a server is followed forward, and never goes back")
    func synchronization() async throws {
        let database = Skewed(1_000_000_000_000_000, .postgres)
        let clock = try await DatabaseClock(database)
        database.microseconds.withLock { $0 += 3_600_000_000 }
        try await clock.synchronize(with: database)
        let ahead = clock.now()
        #expect(ahead.microseconds >= 1_000_003_600_000_000)
        database.microseconds.withLock { $0 -= 7_200_000_000 }
        try await clock.synchronize(with: database)
        #expect(clock.now() >= ahead)
    }

    @Test("of a server is not ahead of it for what a reading waited before it was made")
    func waiting() async throws {
        let (begin, start) = (Int64(1_000_000_000_000_000), ContinuousClock.now)
        let database = Skewed(begin, .postgres)
        let clock = try await DatabaseClock(database)
        database.wait.withLock { $0 = .milliseconds(200) }
        database.microseconds.withLock { $0 += 200_000 }
        try await clock.synchronize(with: database)
        let shown = clock.now().microseconds - begin
        let passed = (ContinuousClock.now - start) / .microseconds(1)
        #expect(Double(shown) <= passed)
    }

    @Test("that was ahead of its server stands still until that has caught up")
    func standing() async throws {
        var wasSeen = false
        for _ in 0..<100 where !wasSeen { wasSeen = try await Self.standsStill() }
        #expect(wasSeen)
    }

    /// Checks a clock that was 300 ms ahead; answers whether it was looked at twice before its server can have caught
    /// up, which a busy machine may not let happen.
    private static func standsStill() async throws -> Bool {
        let start = ContinuousClock.now
        let database = Skewed(1_000_000_000_000_000, .postgres)
        let clock = try await DatabaseClock(database)
        database.microseconds.withLock { $0 -= 300_000 }
        try await clock.synchronize(with: database)
        let shown = clock.now()
        try await Task.sleep(for: .milliseconds(20))
        let (again, ahead) = (clock.now(), clock.aheadMilliseconds)
        let isInTime = ContinuousClock.now - start < .milliseconds(250)
        if isInTime { #expect(again == shown && ahead == nil) }
        let until = shown.adding(milliseconds: 5)
        try await clock.sleep(until: until)
        #expect(clock.now() >= until)
        return isInTime
    }

    @Test("wakes at the time asked for, at once for the past, and not at all when canceled")
    func sleep() async throws {
        let clock = try await DatabaseClock(Skewed(1_000_000_000_000_000))
        let until = clock.now().adding(milliseconds: 5)
        try await clock.sleep(until: until)
        #expect(clock.now() >= until)
        try await clock.sleep(until: Timestamp(microseconds: 0))
        let sleeper = Task { try await clock.sleep(until: clock.now().adding(milliseconds: 3_600_000)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
