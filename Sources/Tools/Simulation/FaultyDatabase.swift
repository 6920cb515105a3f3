import Domain
import SQL
import SQLiteDatabase
import Synchronization

/// One instance's way to the database: it takes time, fails as the weather has it, and ends with the instance.
final class FaultyDatabase: Database {
    private let base: MemoryDatabase
    private let life: SimulatedLife
    private let clock: VirtualClock
    private let weather: SimulationWeather
    private let place: Int
    private let trace: SimulationTrace
    private let name: String
    private let writes = Mutex(0)

    init(
        _ base: MemoryDatabase,
        of name: String,
        at place: Int,
        _ life: SimulatedLife,
        _ clock: VirtualClock,
        _ weather: SimulationWeather,
        _ trace: SimulationTrace
    ) {
        self.base = base
        self.name = name
        self.place = place
        self.life = life
        self.clock = clock
        self.weather = weather
        self.trace = trace
    }

    var dialect: Dialect { base.dialect }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await takeTime(slowedBy: [.databaseSlow, .writesSlow])
        let fault = weather.strikes([.databaseAway, .writesRefused, .commitsUnknown, .serialization], at: place)
        if let fault { trace.tell("\(name): \(fault.rawValue)") }
        if fault == .databaseAway { throw SQLError.unavailable("the database is away") }
        if fault == .writesRefused { throw SQLError.unavailable("the database takes no writes") }
        if fault == .serialization { _ = try? base.performInVain(body) }
        let held = HeldStatements()
        let result = Result { try store(body, holding: held) }
        try await takeTime()
        if !held.isEmpty, (try? result.get()) != nil {
            try await takeTime()
            if weather.strikes([.databaseAway], at: place) == nil { try base.perform(held.run) }
        }
        if fault == .commitsUnknown { throw SQLError.unavailable("the connection broke in the commit") }
        return try result.get()
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await takeTime()
        if weather.strikes([.databaseAway], at: place) != nil { throw SQLError.unavailable("the database is away") }
        let result = Result { try base.look(body) }
        try await takeTime()
        return try result.get()
    }

    /// Runs a transaction, unless it is planted that it is forgotten or loses a statement, or has one run later.
    private func store<Value>(
        _ body: (any Session) throws -> Value,
        holding held: HeldStatements
    ) throws -> Value {
        let number = writes.withLock { count in
            count += 1
            return count
        }
        if PlantedBug.forgottenWrites.isPlanted, number % 23 == 0 { return try base.performInVain(body) }
        let losesSome = PlantedBug.lostAnnouncements.isPlanted && number % 3 == 0
        guard losesSome || PlantedBug.lateAnnouncements.isPlanted else { return try base.perform(body) }
        return try base.perform { try body(LossySession(base: $0, table: "callback", held: losesSome ? nil : held)) }
    }

    func now() async throws -> Int64 { clock.now.microseconds }

    func scrub() async throws {}

    func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { nil }

    /// How long a round trip takes, in microseconds, for a number below a hundred.
    private static func usualWait(_ number: Int64) -> Int64 {
        switch number {
        case ..<60: 0
        case ..<90: 400
        case ..<98: 3000
        default: 40_000
        }
    }

    /// Waits for what a round trip takes, and goes on if the instance still lives.
    private func takeTime(slowedBy faults: [SimulationFault.Kind] = [.databaseSlow]) async throws {
        let isSlow = weather.strikes(faults, at: place) != nil
        let wait = isSlow ? weather.number(in: 50_000...5_000_000) : Self.usualWait(weather.number(in: 0...99))
        if wait > 0 { try? await clock.sleep(until: Timestamp(microseconds: clock.now.microseconds + wait)) }
        guard await life.pass() else { throw SQLError.unavailable("the instance has ended") }
    }
}

/// Statements that are run in another transaction than the one they belong to.
private final class HeldStatements: Sendable {
    private let statements = Mutex<[SQL]>([])

    /// Whether there are none.
    var isEmpty: Bool { statements.withLock(\.isEmpty) }

    /// Keeps one for later.
    func keep(_ statement: SQL) { statements.withLock { $0.append(statement) } }

    /// Runs them.
    ///
    /// - Throws: `SQLError`.
    func run(in session: any Session) throws {
        for statement in statements.withLock({ $0 }) { try session.run(statement) }
    }
}

/// A transaction that loses what is written to a table, or keeps it for another one.
private final class LossySession: Session {
    private let base: any Session
    private let table: String
    private let held: HeldStatements?

    init(base: any Session, table: String, held: HeldStatements?) {
        self.base = base
        self.table = table
        self.held = held
    }

    var dialect: Dialect { base.dialect }

    func rows(_ statement: SQL) throws(SQLError) -> [Row] { try base.rows(statement) }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] { try base.rows(statements) }

    func change(_ statement: SQL) throws(SQLError) -> Int { try base.change(statement) }

    func run(_ statement: SQL) throws(SQLError) {
        let words = statement.text.split { $0 == " " || $0 == "\n" || $0 == "(" }
        guard words.first == "INSERT", words.dropFirst(2).first == Substring(table) else {
            return try base.run(statement)
        }
        held?.keep(statement)
    }
}
