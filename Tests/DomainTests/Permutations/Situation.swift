import Domain
import Testing

/// A payment about which several things will be said, in any order.
struct Situation: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable () throws -> (story: Story, said: [Hearsay])

    var testDescription: String { name }

    static func about(
        _ story: Story,
        _ happening: Notice.Happening,
        _ object: String?,
        at: Int64? = nil
    ) -> Hearsay {
        let subject = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: object)
        return .notice(Notice(about: subject, happening, at: at.map { Checkout.placedAt.adding(milliseconds: $0) }))
    }

    static func own(_ operation: Operation, _ action: Notice.Action, _ outcome: Outcome) -> Hearsay {
        .notice(Notice(about: .init(operation: operation.id.text), .outcome(action, outcome)))
    }

    static func dispute(_ state: DisputeNotice.State, _ amount: Int64) -> Notice.Happening {
        let respondBy = Checkout.placedAt.adding(milliseconds: 700_000_000)
        let isOpening = state == .opened
        return .dispute(
            DisputeNotice(
                state: state,
                amount: amount,
                reason: isOpening ? "fraudulent" : nil,
                respondBy: isOpening ? respondBy : nil
            )
        )
    }

    static let single = Checkout(amounts: [300])

    static let all: [Situation] = [
        Situation(name: "a capture that fails after all, disputed meanwhile") {
            var story = try Story.accepted(single)
            try story.capture()
            let capture = try #require(story.last(.capture, 0))
            return (
                story,
                [
                    .answer(capture.id, .pending(Progress(reference: "cap_1"))),
                    .answer(capture.id, .approved(300, "cap_1")),
                    about(story, .outcome(.capture, .approved(300)), "cap_1"),
                    about(story, .reversed(.capture, .later), "cap_1"),
                    about(story, dispute(.opened, 100), "dp_1"), about(story, dispute(.won, 100), "dp_1"),
                ]
            )
        },
        Situation(name: "a refund that fails after all, beside one made in the dashboard that stands") {
            var story = try Story.captured(single)
            try story.refund(.amount(100))
            let refund = try #require(story.last(.refund, 0))
            return (
                story,
                [
                    .answer(refund.id, .approved(100, "re_1")),
                    about(story, .outcome(.refund, .approved(100)), "re_1"),
                    about(story, .reversed(.refund, .later), "re_1"),
                    about(story, .outcome(.refund, .approved(50)), "re_2"),
                    about(story, .outcome(.refund, .approved(100)), "re_3"),
                    about(story, dispute(.lost, 200), "dp_1"),
                ]
            )
        },
        Situation(name: "more refunded in the dashboard than was captured, and disputed twice") {
            let story = try Story.captured(single)
            return (
                story,
                [
                    about(story, .outcome(.refund, .approved(200)), "re_2"),
                    about(story, .outcome(.refund, .approved(150)), "re_3"),
                    about(story, .reversed(.refund, .later), "re_2"),
                    about(story, dispute(.opened, 300), "dp_1", at: 1000),
                    about(story, dispute(.lost, 120), "dp_1", at: 2000), about(story, dispute(.opened, 40), "dp_2"),
                ]
            )
        },
        Situation(name: "a refund refused, then done after all, as an operator saw too") {
            var story = try Story.captured(single)
            try story.refund(.all)
            let refund = try #require(story.last(.refund, 0))
            return (
                story,
                [
                    .answer(refund.id, .timedOut), .answer(refund.id, .refusedByIssuer),
                    own(refund, .refund, .inProgress), own(refund, .refund, .approved(300, "re_1")),
                    .word(refund.id, .succeeded(amount: 300, reference: "re_1")),
                    about(story, dispute(.opened, 100), "dp_1"),
                ]
            )
        },
        Situation(name: "a refund refused as not settled, then done after all") {
            var story = try Story.captured(single)
            try story.refund(.amount(100))
            let refund = try #require(story.last(.refund, 0))
            return (
                story,
                [
                    .answer(refund.id, .refusedByPSP(.notSettledYet)), own(refund, .refund, .approved(100, "re_1")),
                    about(story, .outcome(.refund, .approved(200)), "re_2"),
                    about(story, .reversed(.refund, .later), "re_2"),
                ]
            )
        },
        Situation(name: "a capture refused, done after all, and failed after all") {
            var story = try Story.accepted(single)
            try story.capture()
            let capture = try #require(story.last(.capture, 0))
            return (
                story,
                [
                    .answer(capture.id, .refusedByIssuer), own(capture, .capture, .approved(300, "cap_1")),
                    own(capture, .capture, .inProgress), .answer(capture.id, .timedOut),
                    about(story, .reversed(.capture, .later), "cap_1"), about(story, dispute(.lost, 300), "dp_1"),
                ]
            )
        },
        Situation(name: "an authorization whose capture and refund are heard of first") {
            let checkout = Checkout(
                policy: .bestEffort,
                capture: .manual,
                onDeadline: .continue,
                decideByMilliseconds: 400_000_000
            )
            let story = try Story(checkout)
            let authorization = story.order.payments[0].attempt.authorization
            return (
                story,
                [
                    .answer(authorization.id, .approved(300, "pay_1")), own(authorization, .authorize, .inProgress),
                    about(story, .outcome(.capture, .approved(250)), "cap_1"),
                    about(story, .outcome(.refund, .approved(70)), "re_1"),
                    about(story, .reversed(.refund, .later), "re_1"),
                    about(story, .outcome(.refund, .approved(33)), "re_2"),
                ]
            )
        },
        Situation(name: "a hold that is released and lapses") {
            var story = try Story.accepted(single)
            try story.request { (it) throws(RequestRefusal) in try it.cancel() }
            let void = try #require(story.last(.void, 0))
            return (
                story,
                [
                    .answer(void.id, .timedOut), .answer(void.id, .refusedByPSP(.expired)),
                    own(void, .void, .approved(300, "vd_1")), about(story, .lapsed, nil),
                ]
            )
        },
        Situation(name: "an authorization in doubt that is released by our reference, and told of meanwhile") {
            var story = try Story()
            story.authorize(0, .timedOut)
            story.decline(1)
            let authorization = story.order.payments[0].attempt.authorization
            story.step {
                let doubt = Outcome.unknown(reason: "mute")
                $0.hear(Report(operation: authorization.id, outcome: doubt, canOnlyBeUndone: true))
            }
            let void = try #require(story.last(.void, 0))
            return (
                story,
                [
                    .answer(void.id, .pending(Progress(reference: "vd_1"))), own(void, .void, .approved(300, "vd_1")),
                    about(story, .outcome(.authorize, .approved(300, "pay_1")), nil),
                    .answer(authorization.id, .timedOut),
                ]
            )
        },
        Situation(name: "a capture in doubt that a webhook, an inquiry and an operator settle") {
            var story = try Story.accepted(single)
            try story.capture()
            try story.answer(.capture, 0, .timedOut)
            let capture = try #require(story.last(.capture, 0))
            return (
                story,
                [
                    about(story, .outcome(.capture, .approved(300)), "cap_1"),
                    .answer(capture.id, .approved(300, "cap_1")), .word(capture.id, .succeeded()),
                    about(story, dispute(.opened, 300), "dp_1"),
                    about(story, .outcome(.refund, .approved(10)), "re_1"),
                ]
            )
        },
        Situation(name: "a void that finds a capture made in the dashboard") {
            var story = try Story.accepted(single)
            try story.request { (it) throws(RequestRefusal) in try it.cancel() }
            let void = try #require(story.last(.void, 0))
            return (
                story,
                [
                    .answer(void.id, .refusedByPSP(.alreadyCaptured)),
                    about(story, .outcome(.capture, .approved(300)), "cap_1"),
                    about(story, .outcome(.capture, .approved(300)), "cap_1"),
                ]
            )
        },
    ]
}
