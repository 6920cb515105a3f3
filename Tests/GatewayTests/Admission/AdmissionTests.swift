import Domain
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Admission")
struct AdmissionTests {
    /// Two at once, three may wait, none for longer than a second.
    private static let limits = AdmissionLimits(atOnce: 2, waiting: 3, waitMilliseconds: 1000, orders: 5)

    /// An admission where one takes so many microseconds, and nobody is inside.
    private static func measured(_ time: Int64) -> Admission {
        var admission = Admission(limits)
        for _ in 0..<400 {
            _ = admission.arrive()
            admission.leave(after: time)
        }
        return admission
    }

    @Test("lets so many in at once, has so many wait, and refuses the rest at once")
    func bounds() {
        var admission = Admission(Self.limits)
        let verdicts = (0..<6).map { _ in admission.arrive() }
        #expect(verdicts == [.enter, .enter, .wait, .wait, .wait, .refuse(milliseconds: 1)])
        #expect((admission.inside, admission.waiting) == (2, 3))
        let early = admission.letIn()
        admission.leave(after: 0)
        let letIn = [admission.letIn(), admission.letIn()]
        #expect(!early && letIn == [true, false])
        #expect((admission.inside, admission.waiting) == (2, 2))
    }

    @Test("nobody who comes later goes ahead of one that waits")
    func order() {
        var admission = Admission(Self.limits)
        for _ in 0..<3 { _ = admission.arrive() }
        admission.leave(after: 0)
        let verdict = admission.arrive()
        #expect(verdict == .wait)
    }

    @Test(
        "refuses who would have to wait too long by what others took",
        arguments: [(600_000, 3), (900_000, 2), (1_100_000, 1), (2_100_000, 0)]
    )
    func estimate(_ time: Int64, _ waiting: Int) {
        var admission = Self.measured(time)
        _ = (admission.arrive(), admission.arrive())
        let verdicts = (0..<3).map { _ in admission.arrive() }
        #expect(verdicts.count { $0 == .wait } == waiting, "\(admission.meanTime) \(verdicts)")
    }

    @Test("says when there may be room")
    func retry() {
        var admission = Self.measured(4_000_000)
        _ = (admission.arrive(), admission.arrive())
        guard case .refuse(let milliseconds) = admission.arrive() else {
            Issue.record("not refused")
            return
        }
        #expect((1900...2000).contains(milliseconds))
        #expect(Overload(retryMilliseconds: milliseconds).retrySeconds == 2)
        #expect(Overload(retryMilliseconds: 0).retrySeconds == 1)
        #expect(Overload(retryMilliseconds: 900_000).retrySeconds == 30)
    }

    @Test("has who was inside before wait, but never refuses it")
    func again() {
        var admission = Self.measured(9_000_000)
        _ = (admission.arrive(), admission.arrive())
        let again = admission.arriveAgain()
        #expect(again == .wait && admission.waiting == 1)
        admission.leave(after: 0)
        #expect(admission.inside == 1)
    }

    @Test("refuses all while too many orders are placed and not answered")
    func inFlight() {
        var admission = Admission(Self.limits)
        for _ in 0..<5 { admission.count(orders: 1) }
        let full = admission.arrive()
        admission.count(orders: -1)
        let free = admission.arrive()
        #expect((full, free) == (.refuse(milliseconds: 1000), .enter))
    }
}

@Suite("The door", .timeLimit(.minutes(1)))
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
        await #expect(throws: Overload(retryMilliseconds: 1)) { try await door.enter() }
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
        clock.advance(milliseconds: 2001)
        first.leave()
        await #expect(throws: Overload(retryMilliseconds: 1000)) { _ = try await second.value }
        #expect((door.crowd.inside, door.crowd.waiting) == (0, 0))
    }
}
