import Domain
import SQL
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("The line of calls to a PSP account")
struct CallLineTests {
    /// A line whose calls take so many milliseconds each, with so many under way and so many waiting at moment 0.
    private static func line(_ calls: Int, of time: Int64, places: Int = 2) -> CallLine {
        var line = CallLine(places: places)
        line.begin(1000, at: -time)
        line.end(1000, at: 0)
        for number in 0..<calls { line.begin(UInt64(number), at: 0) }
        return line
    }

    @Test("needs no waiting while there is a connection")
    func free() {
        #expect(Self.line(0, of: 900).wait(at: 0) == 0)
        #expect(Self.line(1, of: 900).wait(at: 0) == 0)
        #expect(CallLine(places: 2).wait(at: 0) == 0)
    }

    @Test(
        "foretells the wait by how many are ahead and how long a call takes",
        arguments: [(2, 50), (3, 100), (11, 500)]
    )
    func wait(_ calls: Int, _ wait: Int64) {
        #expect(Self.line(calls, of: 100).wait(at: 0) == wait)
    }

    @Test("believes a PSP that stops answering to be as slow as its calls already are")
    func hanging() {
        let line = Self.line(3, of: 100)
        #expect(line.wait(at: 100) == 100)
        #expect(line.wait(at: 5000) == 5000)
    }

    @Test("counts calls that are about to come")
    func expected() {
        var line = Self.line(1, of: 100)
        line.expect(1)
        #expect(line.wait(at: 0) == 50)
        line.expect(-1)
        #expect(line.wait(at: 0) == 0)
    }

    @Test("measures from when a call got a connection, not from when it began to wait")
    func measures() {
        var line = Self.line(3, of: 100)
        line.end(0, at: 100)
        line.end(1, at: 100)
        line.end(2, at: 200)
        #expect(line.meanTime == 100)
        #expect(line.wait(at: 9000) == 0)
    }

    @Test("forgets a call that only waited without measuring it")
    func withdrawn() {
        var line = Self.line(3, of: 100)
        line.end(2, at: 60_000)
        #expect(line.meanTime == 100)
        #expect(line.wait(at: 0) == 50)
    }
}

@Suite("An order that cannot be sent in time", .timeLimit(.minutes(10)))
struct LateOrderTests {
    private static let settings: GatewaySettings = {
        var settings = GatewayHarness.settings
        settings.callsPerAccount = 1
        return settings
    }()

    /// A ticket at the airline's account, at which one call hangs and another one waits.
    private static func ticket(_ deadline: Int64, onDeadline: OrderTerms.OnDeadline = .abandon) -> TestCheckout {
        TestCheckout(
            [.init("airline", 1000, token: "tok_late")],
            onDeadline: onDeadline,
            deadlineMilliseconds: deadline
        )
    }

    @Test("is refused at the door and leaves nothing behind", arguments: DatabaseEngine.allCases)
    func refused(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, settings: Self.settings) { harness in
            let instance = harness.instance("one")
            await harness.psp.always("tok_late", .authorize, .held)
            async let hanging = instance.place(Self.ticket(600_000), key: "hanging")
            try await harness.psp.arrival(of: .authorize, "tok_late")
            await #expect(throws: Overload.self) { try await instance.place(Self.ticket(1000), key: "late") }
            #expect(try await harness.orderIfPlaced(under: "late") == nil)
            let credentials = try await harness.database.read { session in
                try session.rows("SELECT attempt_id FROM credential").count
            }
            #expect(credentials <= 1)
            // There is time enough for this one, and another account is free for the part of that one that counts.
            async let patient = instance.place(Self.ticket(600_000), key: "patient")
            var mixed = TestCheckout([.init("airline", 1000, token: "tok_late"), .init("hotel", 2000)])
            mixed.policy = .required(["hotel"])
            mixed.deadlineMilliseconds = 1000
            mixed.onDeadline = .abandon
            let answer = try await instance.place(mixed, key: "mixed")
            #expect(try await harness.order(answer.order).decision.state != .refused)
            await harness.psp.always("tok_late", .authorize, nil)
            await harness.psp.release("tok_late", .authorize)
            for answer in try await [hanging, patient] {
                #expect(try await harness.order(answer.order).decision.state == .accepted)
            }
        }
    }
}
