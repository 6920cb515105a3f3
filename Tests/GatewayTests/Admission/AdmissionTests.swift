import Domain
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Admission")
struct AdmissionTests {
    /// Two at once, three may wait, none for longer than a second.
    private static let limits = AdmissionLimits(atOnce: 2, waiting: 3, waitMilliseconds: 1000, orders: 5)

    /// An admission that nobody may wait for longer than a second, two inside, nobody waiting, after a hundred were let in,
    /// one every so many microseconds.
    private static func measured(_ time: Int64) -> (Admission, now: Int64) {
        var admission = Admission(AdmissionLimits(atOnce: 2, waiting: 200, waitMilliseconds: 1000, orders: 5))
        var now: Int64 = 0
        for _ in 0..<102 { _ = admission.arrive(at: now) }
        while admission.waiting > 0 {
            now += time
            admission.leave()
            _ = admission.letIn(at: now)
        }
        return (admission, now)
    }

    @Test("lets so many in at once, has so many wait, and refuses the rest at once")
    func bounds() {
        var admission = Admission(Self.limits)
        let verdicts = (0..<6).map { _ in admission.arrive(at: 0) }
        #expect(verdicts == [.enter, .enter, .wait, .wait, .wait, .refuse(milliseconds: 40)])
        #expect((admission.inside, admission.waiting) == (2, 3))
        let early = admission.letIn(at: 0)
        admission.leave()
        let letIn = [admission.letIn(at: 0), admission.letIn(at: 0)]
        #expect(!early && letIn == [true, false])
        #expect((admission.inside, admission.waiting) == (2, 2))
    }

    @Test(
        "has a quarter as many wait for changes as orders and connections may be open, and refuses the next",
        arguments: [AdmissionLimits(orders: 4), AdmissionLimits(connections: 7), AdmissionLimits(connections: 1)]
    )
    func watchers(_ limits: AdmissionLimits) async throws {
        let door = Door(limits, clock: ManualClock())
        try await door.watching { () async -> Void in
            await #expect(throws: Overload(retryMilliseconds: 1000)) { try await door.watching {} }
        }
        try await door.watching {}
    }

    @Test("nobody who comes later goes ahead of one that waits")
    func order() {
        var admission = Admission(Self.limits)
        for _ in 0..<3 { _ = admission.arrive(at: 0) }
        admission.leave()
        let verdict = admission.arrive(at: 0)
        #expect(verdict == .wait)
    }

    @Test(
        "refuses who would have to wait too long by how fast others were let in",
        arguments: [(300_000, 3), (400_000, 2), (900_000, 1), (1_100_000, 0)] as [(Int64, Int)]
    )
    func estimate(_ time: Int64, _ waiting: Int) {
        var (admission, now) = Self.measured(time)
        now += 60_000_000
        let verdicts = (0..<5).map { _ in admission.arrive(at: now) }
        #expect(verdicts.count { $0 == .wait } == waiting, "\(admission) \(verdicts)")
    }

    @Test("says when there may be room, and the longer nobody is let in the later")
    func retry() {
        var (admission, now) = Self.measured(400_000)
        let verdicts = (0..<3).map { _ in admission.arrive(at: now) }
        #expect(verdicts == [.wait, .wait, .refuse(milliseconds: 1200)])
        for _ in 0..<10 {
            now += 100_000
            admission.leave()
            _ = (admission.letIn(at: now), admission.arrive(at: now))
        }
        var soon = admission.arrive(at: now)
        while soon == .wait { soon = admission.arrive(at: now) }
        let late = admission.arrive(at: now + 60_000_000)
        guard case .refuse(let early) = soon, case .refuse(let later) = late else {
            Issue.record("not refused: \(soon), \(late)")
            return
        }
        #expect(early < 2000 && later > 10_000)
        #expect(Overload(retryMilliseconds: 1200).retrySeconds == 2)
        #expect(Overload(retryMilliseconds: 0).retrySeconds == 1)
        #expect(Overload(retryMilliseconds: 900_000).retrySeconds == 30)
    }

    @Test("has who was inside before wait, but never refuses it, and lets nobody new in ahead of it")
    func again() {
        var admission = Admission(Self.limits)
        _ = (admission.arrive(at: 0), admission.arrive(at: 0))
        let again = admission.arriveAgain()
        #expect(again == .wait && (admission.waiting, admission.returning) == (1, 1))
        admission.leave()
        let verdict = admission.arrive(at: 0)
        let letIn = (new: admission.letIn(at: 0), again: admission.letInAgain())
        #expect(verdict == .wait && letIn == (false, true))
        #expect((admission.inside, admission.waiting) == (2, 1))
    }

    @Test("lets nobody new in while operations are in hand, but who was inside before")
    func operations() {
        var admission = Admission(Self.limits)
        admission.operations = 2
        let verdict = admission.arrive(at: 0)
        let again = admission.arriveAgain()
        #expect((verdict, again) == (.wait, .enter))
        admission.operations = 1
        let early = admission.letIn(at: 0)
        admission.operations = 0
        let late = admission.letIn(at: 0)
        #expect((early, late) == (false, true))
    }

    @Test("takes less in hand while it is late, never nothing, and more again by and by")
    func lateness() {
        var admission = Admission(AdmissionLimits(atOnce: 64))
        admission.adjust(lateness: 10_000)
        #expect(admission.room == 64)
        admission.adjust(lateness: 10_001)
        #expect(admission.room == 48)
        for _ in 0..<20 { admission.adjust(lateness: 1_000_000) }
        #expect(admission.room == 4)
        let verdicts = (0..<5).map { _ in admission.arrive(at: 0) }
        #expect(verdicts == [.enter, .enter, .enter, .enter, .wait])
        for _ in 0..<100 { admission.adjust(lateness: 0) }
        #expect(admission.room == 64)
        var narrow = Admission(AdmissionLimits(atOnce: 2))
        narrow.adjust(lateness: 1_000_000)
        #expect(narrow.room == 2)
    }

    @Test("refuses all while too many orders are placed and not answered")
    func inFlight() {
        var admission = Admission(Self.limits)
        for _ in 0..<5 { admission.count(orders: 1) }
        let full = admission.arrive(at: 0)
        admission.count(orders: -1)
        let free = admission.arrive(at: 0)
        #expect((full, free) == (.refuse(milliseconds: 1000), .enter))
    }
}

@Suite("The door", .timeLimit(.minutes(10)))
struct DoorTests {
    private static func door(_ limits: AdmissionLimits) -> Door { Door(limits, clock: ManualClock()) }

    @Test("lets those that wait in, in their order, as others leave")
    func inOrder() async throws {
        let door = Self.door(AdmissionLimits(atOnce: 1, waiting: 2))
        let first = try await door.enter()
        let second = Task { try await door.enter() }
        while door.crowd.waiting < 1 { await Task.yield() }
        let third = Task { try await door.enter() }
        while door.crowd.waiting < 2 { await Task.yield() }
        await #expect(throws: Overload(retryMilliseconds: 30)) { try await door.enter() }
        first.leave()
        first.leave()
        let visit = try await second.value
        #expect((door.crowd.inside, door.crowd.waiting) == (1, 1))
        visit.leave()
        try await third.value.leave()
        #expect((door.crowd.inside, door.crowd.waiting) == (0, 0))
    }

    @Test("lets who was inside before go ahead of the others")
    func returning() async throws {
        let door = Self.door(AdmissionLimits(atOnce: 1, waiting: 2))
        let first = try await door.enter()
        first.leave()
        let second = try await door.enter()
        let third = Task { try await door.enter() }
        while door.crowd.waiting < 1 { await Task.yield() }
        let again = Task { try await first.reenter() }
        while door.crowd.waiting < 2 { await Task.yield() }
        second.leave()
        try await again.value
        #expect((door.crowd.inside, door.crowd.waiting) == (1, 1))
        first.leave()
        try await third.value.leave()
    }

    @Test("forgets who waits no longer")
    func canceled() async throws {
        let door = Self.door(AdmissionLimits(atOnce: 1, waiting: 2))
        let first = try await door.enter()
        let second = Task { try await door.enter() }
        while door.crowd.waiting < 1 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { _ = try await second.value }
        #expect(door.crowd.waiting == 0)
        first.leave()
        try await door.enter().leave()
    }

    @Test("refuses who has waited for so long that the estimate was wrong")
    func tooLate() async throws {
        let clock = ManualClock()
        let door = Door(AdmissionLimits(atOnce: 1, waiting: 2, waitMilliseconds: 1000), clock: clock)
        let first = try await door.enter()
        let second = Task { try await door.enter() }
        while door.crowd.waiting < 1 { await Task.yield() }
        clock.advance(milliseconds: 5001)
        first.leave()
        await #expect(throws: Overload(retryMilliseconds: 1000)) { _ = try await second.value }
        #expect((door.crowd.inside, door.crowd.waiting) == (0, 0))
    }
}
