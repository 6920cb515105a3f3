import Gateway
import Testing

@Suite("Readiness", .timeLimit(.minutes(10)))
struct ReadinessTests {
    @Test("tells how every check stands, and fails from the moment that the instance is told to end")
    func draining() async {
        let readiness = Readiness([ReadinessCheck("one") { .passed }])
        readiness.add(ReadinessCheck("two") { .failed("no room") })
        var states = await readiness.states()
        #expect(states.map(\.name) == ["one", "two", "draining"])
        #expect(states.map(\.state) == [.passed, .failed("no room"), .passed])
        readiness.drain()
        states = await readiness.states()
        #expect(states[2].state == .failed("The server ends: send requests elsewhere."))
    }
}
