import Domain
import Testing

@Suite("Every operation, failed at every step and repeated")
struct DeedTests {
    /// What can go wrong between asking and knowing.
    private enum Trouble: CaseIterable {
        case timesOut
        case isPending
        case isNotSentAgain
        case losesItsInstance
        case isSaidByWebhookToBePending
    }

    private static func suffer(_ trouble: Trouble, _ story: inout Story, _ id: OperationID, _ kind: Operation.Kind) {
        switch trouble {
        case .timesOut: story.report(.timedOut, of: id)
        case .isPending: story.report(.pending(Progress(reference: "obj_1")), of: id)
        case .isNotSentAgain:
            story.report(.timedOut, of: id)
            story.report(.notSent(reason: "no connection"), of: id)
        case .losesItsInstance:
            story.sleep(milliseconds: 4_000_000)
            _ = story.claim(id, by: "two")
        case .isSaidByWebhookToBePending:
            let about = Notice.Subject(operation: id.text)
            _ = story.hear(Notice(about: about, .outcome(kind.action, .pending(Progress(reference: "obj_1")))))
        }
    }

    /// The series of up to two troubles, each of which may come twice.
    private static var series: [[Trouble]] {
        let ones = Trouble.allCases.map { [$0] }
        let twos = Trouble.allCases.flatMap { first in Trouble.allCases.map { [first, $0] } }
        return [[]] + ones + twos
    }

    private static func ending(
        _ deed: Deed,
        _ troubles: [Trouble],
        _ end: Outcome,
        times: Int
    ) throws -> Story {
        var story = try deed.begin()
        let operation = try #require(story.last(deed.kind, 0))
        for trouble in troubles { suffer(trouble, &story, operation.id, deed.kind) }
        for _ in 0..<times { story.report(end, of: operation.id) }
        let about = Notice.Subject(operation: operation.id.text)
        for _ in 1..<times { _ = story.hear(Notice(about: about, .outcome(deed.kind.action, end))) }
        return story
    }

    @Test("ends where it ends without trouble, whether it is done or refused", arguments: Deed.all)
    func endsAlike(_ deed: Deed) throws {
        let amount = try #require(try deed.begin().last(deed.kind, 0)).amount
        let ends: [Outcome] = [.approved(amount, "obj_1"), .refusedByIssuer, .refusedByPSP(.configuration)]
        // That a refund is refused is told to a person where whoever asked had another answer first.
        let leftOut: Set<Attention.Reason> = deed.kind == .refund ? [.refundFailed] : []
        for end in ends {
            let expected = Ending(try Self.ending(deed, [], end, times: 1), without: leftOut)
            for troubles in Self.series {
                for times in 1...2 {
                    let story = try Self.ending(deed, troubles, end, times: times)
                    let ending = Ending(story, without: leftOut)
                    #expect(ending == expected, "\(troubles): \(ending.differences(from: expected))")
                    guard deed.kind == .refund else { continue }
                    let isAnswered = troubles.contains { $0 != .losesItsInstance }
                    let isTold = story.reasons.contains(.refundFailed)
                    #expect(isTold == (isAnswered && story.order.refunded == 0), "\(troubles)")
                }
            }
        }
    }

    @Test("covers every kind of operation") func coversAll() {
        let every: [Operation.Kind] = [.authorize, .capture, .void, .refund, .reverse]
        #expect(Deed.all.map(\.kind) == every)
    }
}

extension Operation.Kind {
    /// The action by which a PSP speaks of it.
    fileprivate var action: Notice.Action {
        switch self {
        case .authorize: .authorize
        case .capture: .capture
        case .void: .void
        case .refund, .reverse: .refund
        }
    }
}
