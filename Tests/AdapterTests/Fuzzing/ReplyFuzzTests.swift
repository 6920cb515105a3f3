import AdapterKit
import Domain
import SeededRandom
import Testing
import TributaryTestKit

@Suite("Every adapter, fed changed replies,", .timeLimit(.minutes(60)))
struct ReplyFuzzTests {
    @Test(
        "asks on, or comes to an outcome whose amounts are amounts, and to the same each time",
        arguments: try AdapterUnderTest.all
    )
    func replies(subject: AdapterUnderTest) throws {
        let conversations = try Conversation.all.filter { $0.adapter == subject.name }
        let bodies = Set(conversations.flatMap(\.replies).map(\.body)).sorted { $0.lexicographicallyPrecedes($1) }
        let mutators = FuzzMutator(bodies, SeededRandom(seed: Fuzzing.seed))
        let fuzzing = Fuzzing("\(subject.name) replies", corpus: bodies)
        let broken = try fuzzing.run { document, random in
            let conversation = random.one(of: conversations)
            let call = try subject.call(conversation)
            var replies = conversation.replies
            let place = random.below(3) == 0 ? random.below(replies.count) : replies.count - 1
            var mutator = mutators.with(random)
            // Now and then what answers something else.
            let isOther = Fuzzing.isGuided || random.below(4) == 0
            replies[place].body = isOther ? document : mutator.changed(replies[place].body)
            if random.below(6) == 0 { replies[place].status = random.one(of: RobustnessTests.tellingStatuses) }
            let exchanges = replies.prefix(place + 1).map { Exchange(reply: $0) }
            switch (
                subject.adapter.next(for: call, after: exchanges), subject.adapter.next(for: call, after: exchanges)
            ) {
            case (.outcome(let outcome), .outcome(let again)):
                return outcome == again ? Self.verdict(on: outcome, of: call) : .broken("\(outcome), then \(again)")
            case (.send, .send): return .refused("asks on")
            default: return .broken("asks on once, and does not the other time")
            }
        }
        #expect(broken == nil)
    }

    /// What a void tells to have been captured before it may be more than it releases.
    private static func verdict(on outcome: Outcome, of call: Call) -> Fuzzing.Verdict {
        switch outcome {
        case .succeeded(let success):
            if success.amount < 0 { return .broken("succeeded with \(success.amount)") }
            let most = call.kind == .void ? .max : success.amount
            if let captured = success.capturedAmount, !(0...most).contains(captured) {
                return .broken("captured \(captured) of \(success.amount)")
            }
            return .taken
        case .declined: return .refused("declined")
        case .rejected: return .refused("rejected")
        case .pending: return .refused("pending")
        case .actionRequired: return .refused("action required")
        case .notSent: return .refused("not sent")
        case .unknown: return .refused("unknown")
        }
    }
}
