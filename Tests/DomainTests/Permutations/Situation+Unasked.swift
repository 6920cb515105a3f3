import Domain
import Testing

/// What a PSP does that nobody asked for, beside what we ask.
extension Situation {
    private static let sale = Outcome.succeeded(Success(reference: "pay_1", amount: 300, capturedAmount: 300))
    private static let failsAfterAll = Notice.Happening.reversed(.capture, .later)

    private static func named(_ operation: Operation, _ action: Notice.Action, _ outcome: Outcome) -> Hearsay {
        let object: String? = if case .succeeded(let success) = outcome { success.reference } else { nil }
        return .notice(Notice(about: .init(operation: operation.id.text, object: object), .outcome(action, outcome)))
    }

    static let unasked: [Situation] = [
        Situation(name: "a capture of ours that the PSP voids before it settles") {
            var story = try Story.accepted(single)
            try story.capture()
            let capture = try #require(story.last(.capture, 0))
            return (
                story,
                [
                    .answer(capture.id, .approved(300, "cap_1")),
                    about(story, .outcome(.capture, .approved(300)), "cap_1"),
                    about(story, .outcome(.void, .approved(300)), "vd_1"),
                    about(story, .outcome(.void, .approved(300, "vd_1")), nil),
                    about(story, dispute(.opened, 40), "dp_1"),
                ]
            )
        },
        Situation(name: "a capture and several refunds at the PSP, one of which fails after all") {
            let story = try Story.accepted(single)
            return (
                story,
                [
                    about(story, .outcome(.capture, .approved(250)), "cap_9"),
                    about(story, .outcome(.refund, .approved(150)), "re_8"),
                    about(story, .outcome(.refund, .approved(100)), "re_9"),
                    about(story, .reversed(.refund, .later), "re_9"),
                    about(story, .outcome(.refund, .approved(60)), "re_7"),
                ]
            )
        },
        Situation(name: "a refund at the PSP of a capture that fails after all") {
            let story = try Story.accepted(single)
            return (
                story,
                [
                    about(story, .outcome(.capture, .approved(300)), "cap_9"),
                    about(story, .outcome(.refund, .approved(120)), "re_9"), about(story, failsAfterAll, "cap_9"),
                    about(story, .outcome(.refund, .approved(70)), "re_8"),
                ]
            )
        },
        Situation(name: "a capture of ours, and a refund at the PSP that is told before its answer") {
            var story = try Story.accepted(single)
            try story.capture()
            let capture = try #require(story.last(.capture, 0))
            return (
                story,
                [
                    .answer(capture.id, .timedOut), .answer(capture.id, .approved(300, "cap_1")),
                    about(story, .outcome(.refund, .approved(300)), "re_9"),
                    about(story, .outcome(.capture, .approved(300)), "cap_1"), about(story, .lapsed, nil),
                ]
            )
        },
        Situation(name: "a refund of ours that the PSP makes twice, one of which fails after all") {
            var story = try Story.captured(single)
            try story.refund(.amount(100))
            let refund = try #require(story.last(.refund, 0))
            return (
                story,
                [
                    .answer(refund.id, .approved(100, "re_1")), named(refund, .refund, .approved(100, "re_2")),
                    named(refund, .refund, .approved(100, "re_1")), .answer(refund.id, .timedOut),
                    about(story, .reversed(.refund, .later), "re_2"),
                ]
            )
        },
        Situation(name: "a refund and a capture whose amounts grow") {
            var story = try Story.captured(single)
            try story.refund(.amount(100))
            let refund = try #require(story.last(.refund, 0))
            return (
                story,
                [
                    .answer(refund.id, .approved(100, "re_1")), named(refund, .refund, .approved(160, "re_1")),
                    .answer(refund.id, .timedOut), about(story, .outcome(.refund, .approved(20)), "re_9"),
                    about(story, .outcome(.refund, .approved(30)), "re_9"),
                ]
            )
        },
        Situation(name: "an approval that tells of what was captured since") {
            let checkout = Checkout(
                amounts: [300],
                capture: .manual,
                onDeadline: .continue,
                decideByMilliseconds: 400_000_000
            )
            let story = try Story(checkout)
            let approval = story.order.payments[0].attempt.authorization
            func told(_ captured: Int64) -> Outcome {
                .succeeded(Success(reference: "pay_1", amount: 300, capturedAmount: captured))
            }
            return (
                story,
                [
                    .answer(approval.id, told(0)), about(story, .outcome(.authorize, told(0)), nil),
                    about(story, .outcome(.authorize, told(120)), nil),
                    about(story, .outcome(.refund, .approved(50)), "re_9"),
                ]
            )
        },
        Situation(name: "a sale in one call whose capture fails after all") {
            let checkout = Checkout(
                amounts: [300],
                policy: .bestEffort,
                onDeadline: .continue,
                decideByMilliseconds: 400_000_000
            )
            let story = try Story(checkout)
            let approval = story.order.payments[0].attempt.authorization
            return (
                story,
                [
                    .answer(approval.id, sale), about(story, .outcome(.authorize, sale), nil),
                    .answer(approval.id, .timedOut), about(story, failsAfterAll, "cap_1"),
                ]
            )
        },
    ]
}
