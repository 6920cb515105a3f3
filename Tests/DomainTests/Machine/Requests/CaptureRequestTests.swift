import Domain
import Testing

@Suite("Capturing on request")
struct CaptureRequestTests {
    @Test("takes the whole order, each payment in one capture") func whole() throws {
        var story = try Story.accepted(Checkout())
        #expect(story.count(.capture) == 0)
        try story.capture()
        #expect(story.states == [.capturing, .capturing])
        #expect(story.last(.capture, 0)?.leasedBy == "one")
        #expect(story.told("order.capture_requested") == 1)
        try story.succeed(.capture, 0)
        try story.succeed(.capture, 1)
        #expect(story.order.status == .paid)
        #expect(story.order.captured == 500)
    }

    @Test("takes a part and releases the rest") func partial() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture(story.items([(0, 100)]), ability: CaptureAbility(partial: true, multiple: false))
        try story.succeed(.capture, 0)
        #expect(story.order.captured == 100)
        #expect(story.order.payments[0].held == 0)
        #expect(story.order.payments[0].attempt.released == 200)
        #expect(story.order.status == .partiallyPaid)
        #expect(
            story.refusal { (it) throws(RequestRefusal) in try it.capture(.whole) { _ in Story.anyAbility } }?.code
                == .alreadyCaptured
        )
    }

    @Test("takes several parts where the PSP can, and releases the rest with the last") func several() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.capture(story.items([(0, 50)], isFinal: false))
        try story.succeed(.capture, 0)
        #expect(story.order.payments[0].capturable == 150)
        let first = try #require(story.order.payments[0].attempt.all(.capture).first)
        story.report(.approved(100, "first"), of: first.id)
        #expect(story.order.status == .partiallyCaptured)
        #expect(story.order.payments[0].held == 150)
        try story.capture(story.items([(0, 120)]))
        try story.succeed(.capture, 0)
        #expect(story.order.captured == 270)
        #expect(story.order.payments[0].held == 0)
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("is refused for what the PSP cannot do") func unsupported() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        let part = story.items([(0, 100)])
        let none = CaptureAbility(partial: false, multiple: false)
        let partial = story.refusal { (it) throws(RequestRefusal) in try it.capture(part) { _ in none } }
        #expect(partial?.code == .partialCaptureUnsupported)
        #expect(partial?.available == 300)
        let open = story.items([(0, 100)], isFinal: false)
        let once = CaptureAbility(partial: true, multiple: false)
        let several = story.refusal { (it) throws(RequestRefusal) in try it.capture(open) { _ in once } }
        #expect(several?.code == .multipleCapturesUnsupported)
        #expect(several?.detail == "simulator captures an authorization once.")
        try story.capture(story.items([(0, 300)], isFinal: false), ability: none)
        #expect(story.last(.capture, 0)?.isFinal == true)
    }

    @Test("of 60 twice on 100 takes one of them, and says what is left", arguments: [true, false])
    func twice(_ isFinal: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [100]))
        let sixty = story.items([(0, 60)], isFinal: isFinal)
        try story.capture(sixty)
        let refusal = story.refusal { (it) throws(RequestRefusal) in try it.capture(sixty) { _ in Story.anyAbility } }
        #expect(refusal?.code == .captureExceedsAuthorized)
        #expect(refusal?.available == (isFinal ? 0 : 40))
        #expect(refusal?.payment == story.order.payments[0].id)
        #expect(story.count(.capture) == 1)
    }

    @Test("is refused for more than is authorized, for nothing, for strangers and for the same payment twice")
    func malformed() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        var other = try Story.accepted(Checkout(amounts: [1, 2, 3]))
        let stranger = other.items([(2, 1)])
        let cases: [(CaptureRequest, RequestRefusal.Code)] = [
            (story.items([(0, 301)]), .captureExceedsAuthorized), (story.items([(0, 0)]), .invalidAmount),
            (story.items([(0, -1)]), .invalidAmount), (.items([]), .invalidAmount), (stranger, .unknownPayment),
            (story.items([(0, 100), (0, 100)]), .repeatedPayment),
        ]
        for (request, code) in cases {
            #expect(
                story.refusal { (it) throws(RequestRefusal) in try it.capture(request) { _ in Story.anyAbility } }?.code
                    == code
            )
        }
        #expect(
            other.refusal { (it) throws(RequestRefusal) in try it.capture(.items([])) { _ in Story.anyAbility } } != nil
        )
    }

    @Test("of an all-or-nothing order is of all its payments or of none") func asAUnit() throws {
        var story = try Story.accepted(Checkout())
        let one = story.items([(0, 300)])
        let refusal = story.refusal { (it) throws(RequestRefusal) in try it.capture(one) { _ in Story.anyAbility } }
        #expect(refusal?.code == .captureInPart)
        #expect(refusal?.payment == story.order.payments[1].id)
        try story.capture(story.items([(0, 100), (1, 50)]))
        #expect(story.count(.capture) == 2)
        var free = try Story.accepted(Checkout(policy: .bestEffort))
        try free.capture(free.items([(0, 300)]))
        try free.succeed(.capture, 0)
        #expect(free.order.status == .partiallyCaptured)
    }

    @Test("is refused once the hold has lapsed, also before anybody looked") func expired() throws {
        var story = try Story.accepted(Checkout(amounts: [300], policy: .bestEffort))
        story.sleep(milliseconds: 604_800_000)
        for request in [CaptureRequest.whole, story.items([(0, 100)])] {
            let refusal = story.refusal { (it) throws(RequestRefusal) in
                try it.capture(request) { _ in Story.anyAbility }
            }
            #expect(refusal?.code == .authorizationExpired)
        }
    }

    @Test("is refused unless the order is accepted under manual capture") func notCapturable() throws {
        var pending = try Story(Checkout(capture: .manual))
        var automatic = try Story.captured()
        var canceled = try Story.accepted(Checkout())
        try canceled.request { (it) throws(RequestRefusal) in try it.cancel() }
        for index in 0..<3 {
            func code(_ story: inout Story) -> RequestRefusal.Code? {
                story.refusal { (it) throws(RequestRefusal) in try it.capture(.whole) { _ in Story.anyAbility } }?.code
            }
            #expect([code(&pending), code(&automatic), code(&canceled)][index] == .notCapturable)
        }
    }

    @Test("leaves out what the decision does not count on") func uncounted() throws {
        var story = try Story(Checkout(policy: .bestEffort, capture: .manual))
        story.approve(0)
        story.wait(milliseconds: 20_000)
        #expect(story.order.decision.state == .accepted)
        let left = story.items([(1, 200)])
        let refusal = story.refusal { (it) throws(RequestRefusal) in try it.capture(left) { _ in Story.anyAbility } }
        #expect(refusal?.code == .notCapturable)
        try story.capture()
        #expect(story.count(.capture) == 1)
    }

    @Test("answered alreadyCaptured is done, unless that is another capture that we know of") func alreadyCaptured()
        throws
    {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .refusedByIssuer)
        let first = try #require(story.last(.capture, 0)).id
        try story.capture()
        story.report(.approved(300), of: first)
        #expect(story.reasons.contains(.overCaptured))
        #expect(OrderRules.violations(of: story.order).isEmpty)
        try story.answer(.capture, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.captured == 300)
        #expect(story.order.status == .paid)
        #expect(story.reasons == [.successAfterRefusal])
    }

    @Test("may be asked again after a capture that failed, and then nobody has to look any more") func again() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .refusedByPSP(.configuration))
        #expect(story.states == [.captureFailed])
        #expect(story.reasons == [.captureFailed])
        try story.capture()
        #expect(story.states == [.capturing])
        try story.succeed(.capture, 0)
        #expect(story.order.status == .paid)
        #expect(story.reasons.isEmpty)
    }
}
