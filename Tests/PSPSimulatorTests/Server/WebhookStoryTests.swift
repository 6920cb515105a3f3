import AdapterKit
import Domain
import PSPSimulator
import SimulatorAdapter
import StrictJSON
import Testing

@Suite("Webhooks tell", .timeLimit(.minutes(10)))
struct WebhookStoryTests {
    /// What is done to an authorization.
    enum Step: Sendable {
        case call(Call.Kind, Int64)
        case act(DashboardAction.Kind)
        case answer(String)
        /// Waits until so many webhooks have come.
        case hear(Int)
    }

    private static let whole = Call.Kind.capture(applicationFee: nil)
    private static let part = Call.Kind.capture(applicationFee: nil, isFinal: false)
    private static let refund = Call.Kind.refund(applicationFee: nil)

    /// A token, what is done, and what is heard, in order.
    static let stories: [(token: String, steps: [Step], words: [String])] = [
        (
            "tok_approve", [.call(whole, 1000), .call(refund, 400), .call(refund, 600)],
            [
                "authorize succeeded 1000/0", "capture succeeded 1000/0", "refund succeeded 400/0",
                "refund succeeded 600/0",
            ]
        ),
        (
            "tok_approve", [.call(part, 300), .call(part, 200), .call(.void, 500)],
            [
                "authorize succeeded 1000/0", "capture succeeded 300/0", "capture succeeded 200/0",
                "void succeeded 500/0",
            ]
        ),
        ("tok_partial", [.call(.void, 500)], ["authorize succeeded 500/0", "void succeeded 500/0"]),
        ("tok_captured", [.call(refund, 1)], ["authorize succeeded 1000/1000", "refund succeeded 1/0"]),
        ("tok_decline_expired_card", [], ["authorize declined expired_card"]),
        ("tok_pending_20", [.hear(2)], ["authorize pending", "authorize succeeded 1000/0"]),
        ("tok_pending_fail_20", [.hear(2)], ["authorize pending", "authorize declined generic"]),
        (
            "tok_pending_60000", [.call(.void, 1000)],
            ["authorize pending", "void succeeded 0/0"]
        ),
        ("tok_lapse_20", [.hear(2)], ["authorize succeeded 1000/0", "lapsed"]),
        ("tok_approve", [.act(.lapse)], ["authorize succeeded 1000/0", "lapsed"]),
        (
            "tok_action", [.answer("approve"), .call(whole, 1000)],
            ["authorize action", "authorize succeeded 1000/0", "capture succeeded 1000/0"]
        ),
        ("tok_action", [.answer("deny")], ["authorize action", "authorize declined authentication_required"]),
        ("tok_action_20", [.hear(2)], ["authorize action", "authorize declined action_expired"]),
        (
            "tok_approve+capture_pending_20", [.call(whole, 700), .hear(3)],
            ["authorize succeeded 1000/0", "capture pending", "capture succeeded 700/0"]
        ),
        (
            "tok_approve+capture_pending_fail_20", [.call(whole, 700), .hear(3)],
            ["authorize succeeded 1000/0", "capture pending", "capture declined generic"]
        ),
        (
            "tok_approve+capture_fail_later_20", [.call(whole, 1000), .hear(3)],
            ["authorize succeeded 1000/0", "capture succeeded 1000/0", "capture reversed unsupported"]
        ),
        (
            "tok_captured+refund_fail_later_20", [.call(refund, 1000), .hear(3)],
            ["authorize succeeded 1000/1000", "refund succeeded 1000/0", "refund reversed unsupported"]
        ),
        (
            "tok_captured+refund_decline_insufficient_funds", [.call(refund, 1000)],
            ["authorize succeeded 1000/1000", "refund declined insufficient_funds"]
        ),
        (
            "tok_captured+refund_unsettled", [.call(.void, 1000)],
            ["authorize succeeded 1000/1000", "void succeeded 1000/0"]
        ),
        (
            "tok_captured", [.act(.dispute), .act(.win), .act(.dispute), .act(.lose)],
            [
                "authorize succeeded 1000/1000", "dispute opened 1000", "dispute won 1000", "dispute opened 1000",
                "dispute lost 1000",
            ]
        ),
        (
            "tok_approve", [.act(.capture), .act(.refund), .act(.fail)],
            [
                "authorize succeeded 1000/0", "capture succeeded 1000/0", "refund succeeded 1000/0",
                "refund reversed unsupported",
            ]
        ),
        ("tok_approve", [.act(.void)], ["authorize succeeded 1000/0", "void succeeded 1000/0"]),
        (
            "tok_close_after+capture_timeout_after", [.call(whole, 1000)],
            ["authorize succeeded 1000/0", "capture succeeded 1000/0"]
        ),
    ]

    @Test("of every change of the books, in order", arguments: stories)
    func everyChange(story: (token: String, steps: [Step], words: [String])) async throws {
        try await withReceiver { receiver, simulator, client in
            let hearing = try Hearing()
            let caller = try Caller(simulator, client)
            let first = try caller.authorize(story.token)
            _ = try await caller.perform(first)
            for step in story.steps { try await perform(step, first, caller, receiver, simulator, client) }
            let heard = await receiver.first(story.words.count)
            #expect(try hearing.words(heard) == story.words)
            for incoming in heard {
                let event = try #require(try hearing.events(incoming).first)
                let subject = try #require(event.notices.first?.subject)
                #expect(event.currency == Currency(code: "USD") && event.problem == nil)
                #expect(subject.attempt == first.attempt.text && subject.payment?.hasPrefix("auth_") == true)
            }
            #expect(Set(try heard.map { try hearing.events($0)[0].id }).count == heard.count)
            #expect(try await client.get("/books").json?["violations"] == [])
        }
    }

    private func perform(
        _ step: Step,
        _ first: Call,
        _ caller: Caller,
        _ receiver: WebhookReceiver,
        _ simulator: RunningSimulator,
        _ client: RawClient
    ) async throws {
        switch step {
        case .call(let kind, let amount):
            var call = first
            call.kind = kind
            call.operation = caller.newOperation()
            call.money = try Money(minorUnits: amount, currency: first.money.currency)
            _ = try await caller.perform(call)
        case .act(let deed): _ = try await simulator.act(DashboardAction(deed, to: .reference(first.attempt.text)))
        case .answer(let answer):
            let found = try await client.get("/v1/authorizations?reference=\(first.attempt.text)")
            let id = try #require(found.json?["data"]?[0]?["id"]?.stringValue)
            #expect(try await client.get("/actions/\(id)?result=\(answer)").status == 200)
        case .hear(let count): _ = await receiver.first(count)
        }
    }

    @Test("by what request something happened, and of which merchant's account")
    func names() async throws {
        try await withReceiver { receiver, simulator, client in
            let caller = try Caller(simulator, client)
            var call = try caller.authorize("tok_approve")
            call.merchantAccount = "m-7"
            _ = try await caller.perform(call)
            let authorize = call.operation.text
            call.kind = Self.part
            call.operation = caller.newOperation()
            call.money = try Money(minorUnits: 10, currency: call.money.currency)
            _ = try await caller.perform(call)
            _ = try await simulator.act(DashboardAction(.capture, to: .reference(call.attempt.text)))
            let events = try await receiver.first(3).flatMap { try Hearing().events($0) }
            #expect(events.map(\.merchantAccount) == Array(repeating: .merchant("m-7"), count: 3))
            #expect(events.map { $0.notices[0].subject.operation } == [authorize, call.operation.text, nil])
            #expect(events.map { $0.notices[0].subject.object != nil } == [false, true, true])
        }
    }
}
