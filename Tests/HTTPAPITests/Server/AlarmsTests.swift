import Testing

@testable import HTTPAPI

@Suite("The alarms of requests that wait", .timeLimit(.minutes(10)))
struct AlarmsTests {
    @Test("ring once, at their time and in its order, and not if they are called off")
    func order() async throws {
        let alarms = Alarms()
        let (rings, bell) = AsyncStream<String>.makeStream()
        let begin = ContinuousClock.now
        _ = alarms.set(at: begin + .milliseconds(400)) { bell.yield("late") }
        let off = alarms.set(at: begin + .milliseconds(200)) { bell.yield("called off") }
        _ = alarms.set(at: begin + .milliseconds(100)) { bell.yield("soon") }
        alarms.cancel(off)
        var heard: [String] = []
        for await ring in rings {
            heard.append(ring)
            let due = begin + .milliseconds(ring == "late" ? 400 : 100)
            #expect(ContinuousClock.now >= due)
            if ring == "late" { break }
        }
        #expect(heard == ["soon", "late"])
    }

    @Test("ring again after nothing has waited for a while, and soon for what is past")
    func pause() async throws {
        let alarms = Alarms()
        for _ in 0..<3 {
            let (rings, bell) = AsyncStream<Void>.makeStream()
            _ = alarms.set(at: .now - .seconds(1)) { bell.finish() }
            for await _ in rings {}
            try await Task.sleep(for: Alarms.resolution * 3)
        }
    }
}
