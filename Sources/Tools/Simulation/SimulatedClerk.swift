import AdapterKit
import Domain
import Reconciliation
import StatementFiles
import Synchronization
import Wiring

/// Who takes in what PSPs and the bank send, as `tributary reconcile` does: one file at a time of each sender, in the order in
/// which they came, each until it counts or is refused.
final class SimulatedClerk: Sendable {
    /// A file that was sent.
    struct Letter: Sendable {
        /// What the trace calls it.
        let name: String
        /// The PSP account that it is of; nil for the bank's.
        let account: String?
        /// The file.
        let bytes: [UInt8]
        /// Whether it ends inside a line.
        var isCut = false
        /// Whether its sender says that it is what counts from now on, even if it said the same once before.
        var isCorrection = false
    }

    /// Somebody at work, until everything that was sent is taken in, or they die.
    private final class Session: Sendable {
        let database: FaultyDatabase
        let life: SimulatedLife

        init(_ database: FaultyDatabase, _ life: SimulatedLife) { (self.database, self.life) = (database, life) }
    }

    private struct State {
        var sessions: [Session] = []
        var waiting: [String: [Letter]] = [:]
        var busy: [String: ObjectIdentifier] = [:]
        /// The files that count, or did, the last one of each sender behind the others.
        var counted: [String: [Letter]] = [:]
        var complaints: [String] = []
    }

    /// How often a run is begun before it gives way to others, as the command does.
    private static let turnLimit = 3

    private let world: SimulatedWorld
    private let formats: ReportFormats
    private let psps: [String: String]
    private let state = Mutex(State())

    init(_ world: SimulatedWorld) {
        self.world = world
        formats = ReportFormats(settlementReports: AdapterCatalog.settlementReports.flatMap(\.value))
        let names = AdapterCatalog.settlementReports.flatMap { psp, reports in reports.map { ($0.format, psp) } }
        psps = Dictionary(uniqueKeysWithValues: names)
    }

    /// What was taken in, or refused, as it should not be.
    var complaints: [String] { state.withLock { $0.complaints } }

    /// Takes a letter, which waits for those before it.
    func receive(_ letter: Letter) {
        world.trace.tell("\(letter.name) comes, \(letter.bytes.count) bytes")
        state.withLock { $0.waiting[letter.account ?? "", default: []].append(letter) }
    }

    /// Has somebody take in what waits, each sender's files beside the others'.
    ///
    /// - Parameters:
    ///   - place: the instance at whose database they work.
    ///   - milliseconds: how long they live; nil for as long as it takes.
    func work(at place: Int, dyingAfter milliseconds: Int64?) {
        let session = makeSession(at: place)
        if let milliseconds {
            world.clock.after(milliseconds: milliseconds) { [self] in end(session) }
        }
        for sender in state.withLock({ $0.waiting.keys.sorted() }) { Task { await work(on: sender, in: session) } }
    }

    /// Nobody is at work any more.
    func endAll() { for session in state.withLock({ $0.sessions }) { end(session) } }

    /// Lets the tasks of all who were at work go.
    func leave() { for session in state.withLock({ $0.sessions }) { session.life.end() } }

    /// Has everything that waits taken in by somebody to whom nothing happens.
    func finish() async {
        let session = makeSession(at: 0)
        for sender in state.withLock({ $0.waiting.keys.sorted() }) { await work(on: sender, in: session) }
        for (sender, left) in state.withLock({ $0.waiting }).sorted(by: { $0.key < $1.key }) where !left.isEmpty {
            complain("\(sender): \(left.count) files never count")
        }
    }

    /// Has everything that waits taken in by several at a time, one for each sender; what is disturbed too often is left.
    func finishTogether() async {
        let session = makeSession(at: 0)
        let senders = state.withLock { $0.waiting.keys.sorted() }
        let tasks = senders.map { sender in Task { await work(on: sender, in: session) } }
        for task in tasks { await task.value }
    }

    /// Looks at the last file of each PSP again, as of a day on which everything has to be settled.
    func lookAgain(asOf day: CalendarDay) async {
        let letters = state.withLock { $0.counted.sorted { $0.key < $1.key } }
            .compactMap { $0.key.isEmpty ? nil : $0.value.last }
        guard !letters.isEmpty else { return }
        do {
            let result = try await run(letters, makeSession(at: 0).database, again: day)
            world.trace.tell("all reports again: \(result.summary.breaks.isEmpty ? "nothing differs" : "breaks")")
        } catch {
            complain("reports cannot be looked at again: \(error)")
        }
    }

    private func makeSession(at place: Int) -> Session {
        let life = SimulatedLife(world.clock)
        let (clock, weather, trace) = (world.clock, world.weather, world.trace)
        let session = Session(
            FaultyDatabase(world.database, of: "clerk", at: place, life, clock, weather, trace),
            life
        )
        state.withLock { $0.sessions.append(session) }
        return session
    }

    private func end(_ session: Session) {
        session.life.die()
        state.withLock { state in state.busy = state.busy.filter { $0.value != ObjectIdentifier(session) } }
    }

    private func work(on sender: String, in session: Session) async {
        let me = ObjectIdentifier(session)
        let isFree = state.withLock { state in
            guard state.busy[sender] == nil else { return false }
            state.busy[sender] = me
            return true
        }
        guard isFree else { return }
        while let letter = state.withLock({ $0.waiting[sender]?.first }) {
            guard await take(letter, in: session), !session.life.isDead else { break }
            state.withLock { _ = $0.waiting[sender]?.removeFirst() }
        }
        state.withLock { if $0.busy[sender] == me { $0.busy[sender] = nil } }
    }

    private func complain(_ sentence: String) { state.withLock { $0.complaints.append(sentence) } }

    /// Takes a file in; false if it is to be tried again later.
    private func take(_ letter: Letter, in session: Session) async -> Bool {
        for _ in 1...Self.turnLimit {
            do {
                note(letter, try await run([letter], session.database, again: nil))
                return true
            } catch ReconciliationRefusal.disturbed {
                world.trace.tell("\(letter.name): somebody was faster")
            } catch let refusal as ReconciliationRefusal {
                note(letter, refusal)
                return true
            } catch {
                world.trace.tell("\(letter.name) is not taken in: \(error)")
                return false
            }
        }
        return false
    }

    private func note(_ letter: Letter, _ result: ReconciliationResult) {
        let breaks = result.summary.breaks.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        let found = breaks.map { ", \($0.value) \($0.key.rawValue)" }.joined()
        world.trace.tell("\(letter.name) counts\(found)")
        if letter.isCut, result.summary.unusableRows == 0 { complain("\(letter.name) was taken for whole") }
        let isAgain = state.withLock { state in
            let counted = state.counted[letter.account ?? "", default: []]
            state.counted[letter.account ?? "", default: []].append(letter)
            return counted.contains { $0.bytes == letter.bytes }
        }
        if isAgain, !letter.isCorrection { complain("\(letter.name) was taken in twice") }
    }

    /// A file that was taken in before is refused, and so may be one that is cut; no other is.
    private func note(_ letter: Letter, _ refusal: ReconciliationRefusal) {
        world.trace.tell("\(letter.name) is refused: \(Self.word(refusal))")
        switch refusal {
        case .known, .superseded:
            // A commit of which nobody heard was done.
            state.withLock { state in
                let counted = state.counted[letter.account ?? "", default: []]
                let before = letter.isCorrection ? counted.suffix(1) : counted[...]
                guard !before.contains(where: { $0.bytes == letter.bytes }) else { return }
                state.counted[letter.account ?? "", default: []].append(letter)
            }
        default: if !letter.isCut { complain("\(letter.name) was refused: \(refusal)") }
        }
    }

    /// The refusal without the path, which is another one each time.
    private static func word(_ refusal: ReconciliationRefusal) -> String {
        String("\(refusal)".split(separator: " ", maxSplits: 1).last ?? "")
    }

    /// Runs what the command runs.
    private func run(
        _ letters: [Letter],
        _ database: FaultyDatabase,
        again day: CalendarDay?
    ) async throws -> ReconciliationResult {
        let files = try letters.map { try UnnamedFile($0.bytes) }
        var request = ReconciliationRequest(paths: files.map(\.path), marketplace: SimulatedMarket.marketplace)
        request.psp = letters.count == 1 ? letters[0].account : nil
        request.knownFiles = day != nil ? .passed : letters.allSatisfy(\.isCorrection) ? .reinstated : .refused
        request.scope.asOf = day
        let run = ReconciliationRun(
            request,
            rules: .standard,
            formats: formats,
            psps: psps,
            database: database,
            random: world.random
        )
        var findings = NoFindings()
        defer { withExtendedLifetime(files) {} }
        return try await run.run(into: &findings) { _ in }
    }
}

/// Takes what is found, all of which is stored beside it.
private struct NoFindings: FindingOutput {
    mutating func begin(asOf: CalendarDay?) {}

    mutating func take(_ matches: [Match]) {}

    mutating func take(_ breaks: [(id: BreakID, difference: Break)]) {}
}
