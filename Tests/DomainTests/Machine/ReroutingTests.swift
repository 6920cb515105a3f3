import Domain
import Testing

@Suite("Other routes")
struct ReroutingTests {
    private static let other = RouteSnapshot(psp: "adyen", pspAccount: "adyen-main")
    private static let third = RouteSnapshot(psp: "square", pspAccount: "square-main")

    private func checkout(_ reroute: FallbackRule, _ amounts: [Int64] = [300]) -> Checkout {
        Checkout(amounts: amounts, alternatives: [Self.other, Self.third], reroute: reroute)
    }

    private let notSent = Outcome.notSent(reason: "no connection")

    @Test("are tried in turn while provably nothing reached an issuer") func inTurn() throws {
        var story = try Story(checkout(.ifNotSent))
        let first = story.order.payments[0].attempt
        story.authorize(0, notSent)
        let second = story.order.payments[0].attempt
        #expect(second.route == Self.other)
        #expect(second.id != first.id)
        #expect(second.authorization.leasedBy == "one")
        #expect(story.moves == [CredentialMove(from: first.id, to: second.id)])
        #expect(story.order.payments[0].alternatives == [Self.third])
        #expect(story.told("payment.rerouted") == 1)
        #expect(story.order.decision == .pending)
        story.authorize(0, notSent)
        #expect(story.order.payments[0].attempt.route == Self.third)
        story.authorize(0, notSent)
        #expect(story.states == [.notSent])
        #expect(story.order.decision.reason == .policyUnsatisfiable)
    }

    @Test("lead to a sale on the route that took it") func leadOn() throws {
        var story = try Story(checkout(.ifRefused))
        story.authorize(0, .refusedByPSP(.configuration))
        story.approve(0)
        try story.succeed(.capture, 0)
        #expect(story.order.status == .paid)
        #expect(story.books.balances[.clearing(pspAccount: "adyen-main")] == 300)
    }

    @Test(
        "are not tried after a refusal that may have reached an issuer, or that the credential does not survive",
        arguments: [
            (FallbackRule.never, Outcome.notSent(reason: "no connection")), (.ifNotSent, .refusedByPSP(.configuration)),
            (.ifRefused, .refusedByIssuer), (.ifRefused, .refusedByPSP(.expired)),
            (.ifRefused, .refusedByPSP(.notFound)), (.ifNotSent, .refusedByPSP(.notFound)),
        ]
    )
    func notAfter(_ reroute: FallbackRule, _ outcome: Outcome) throws {
        var story = try Story(checkout(reroute))
        story.authorize(0, outcome)
        #expect(story.order.payments[0].attempts.count == 1)
        #expect(story.order.status == .failed)
    }

    @Test("are never tried after a doubt, however it ended") func neverAfterDoubts() throws {
        for doubt in [Outcome.timedOut, .inProgress, .buyerHasToAct()] {
            for end in [notSent, .refusedByPSP(.configuration), .refusedByPSP(.notFound)] {
                var story = try Story(checkout(.ifRefused))
                story.authorize(0, doubt)
                story.authorize(0, end)
                #expect(story.order.payments[0].attempts.count == 1)
            }
        }
        var taken = try Story(checkout(.ifRefused))
        taken.sleep(milliseconds: 120_000)
        let isClaimed = taken.claim(taken.order.payments[0].attempt.authorization.id, by: "two")
        #expect(isClaimed)
        taken.report(.refusedByPSP(.configuration), of: taken.order.payments[0].attempt.authorization.id, by: "two")
        #expect(taken.order.payments[0].attempts.count == 1)
    }

    @Test("are not tried behind the deadline, or once the order is decided") func inTime() throws {
        var late = try Story(checkout(.ifNotSent))
        late.sleep(milliseconds: 20_000)
        late.authorize(0, notSent)
        #expect(late.order.payments[0].attempts.count == 1)
        var decided = try Story(checkout(.ifNotSent, [300, 200]))
        decided.decline(1)
        decided.authorize(0, notSent)
        #expect(decided.order.payments[0].attempts.count == 1)
        #expect(decided.order.status == .failed)
    }

    @Test("do not change that a first try which turns up authorized is voided") func firstTurnsUp() throws {
        var story = try Story(checkout(.ifRefused))
        let first = story.order.payments[0].attempt.authorization.id
        story.authorize(0, .refusedByPSP(.unsupported))
        story.report(.approved(300, "first"), of: first)
        #expect(story.order.payments[0].attempts[0].openOperations.map(\.kind) == [.void])
        #expect(story.reasons == [.successAfterRefusal])
        story.approve(0)
        try story.succeed(.capture, 0)
        let void = try #require(story.order.payments[0].attempts[0].operations.last)
        story.report(.approved(300, "void"), of: void.id)
        #expect(story.order.status == .paid)
        #expect(story.order.payments[0].held == 0)
    }
}
