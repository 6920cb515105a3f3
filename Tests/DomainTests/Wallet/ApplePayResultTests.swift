import Domain
import Testing

@Suite("Apple Pay result")
struct ApplePayResultTests {
    private func declined(_ categories: [Decline.Category]) throws -> Story {
        var story = try Story(Checkout(amounts: categories.map { _ in 100 }, policy: .bestEffort))
        for (index, category) in categories.enumerated() {
            story.authorize(index, .declined(Decline(code: "x", category: category, message: "for developers")))
        }
        #expect(story.order.status == .failed)
        return story
    }

    @Test("is success for an accepted order, whole or in part, and while the order is undecided") func successes()
        throws
    {
        let pending = try Story()
        var whole = try Story()
        whole.approve(0, 1)
        var part = try Story(Checkout(policy: .bestEffort))
        part.approve(0)
        part.decline(1)
        let accepted = try Story.accepted(Checkout())
        var waiting = try Story(Checkout(amounts: [300]))
        waiting.authorize(0, .buyerHasToAct())
        let mistake = ApplePayError(.shippingContactInvalid, field: .postalCode, message: "No such postal code.")
        for story in [pending, whole, part, accepted, waiting] {
            #expect(story.order.applePayResult() == ApplePayResult(status: .success))
            #expect(story.order.applePayResult(contactErrors: [mistake]) == ApplePayResult(status: .success))
        }
    }

    @Test(
        "is failure for a refused order under each policy",
        arguments: [Policy.allOrNothing, .required(["m1"]), .minimum(301)]
    )
    func failures(_ policy: Policy) throws {
        var story = try Story(Checkout(policy: policy))
        story.approve(0)
        story.decline(1)
        let result = story.order.applePayResult()
        #expect(result.status == .failure)
        #expect(result.errors.map(\.code) == [.unknown])
        #expect(result.errors.map(\.message) == ["The card was declined. Try another card."])
    }

    @Test("invites to another try after a decline that a card or a try can mend", arguments: Decline.Category.allCases)
    func perCategory(_ category: Decline.Category) throws {
        let result = try declined([category]).order.applePayResult()
        #expect(result.status == .failure)
        let isFinal = category == .lostOrStolen || category == .suspectedFraud
        #expect(result.errors.map(\.code) == (isFinal ? [] : [.unknown]))
        #expect(result.errors.allSatisfy { !$0.message.contains("developers") && $0.contactField == nil })
    }

    @Test("says each thing once, and nothing if one card must not be tried again") func several() throws {
        let two = try declined([.expiredCard, .insufficientFunds, .expiredCard]).order.applePayResult()
        #expect(
            two.errors.map(\.message) == [
                "The card has expired. Try another card.", "The card does not have enough funds. Try another card.",
            ]
        )
        #expect(try declined([.expiredCard, .suspectedFraud]).order.applePayResult().errors.isEmpty)
    }

    @Test("puts what is wrong with the contacts first") func contacts() throws {
        let mistake = ApplePayError(.billingContactInvalid, field: .country, message: "We do not serve that country.")
        let result = try declined([.generic]).order.applePayResult(contactErrors: [mistake])
        #expect(result.errors.first == mistake)
        #expect(result.errors.count == 2)
    }

    @Test("invites to another try when time was up, not when the PSP refused us") func withoutDecline() throws {
        var late = try Story()
        late.wait(milliseconds: 20_000)
        #expect(late.order.applePayResult().errors.map(\.code) == [.unknown])
        var refused = try Story(Checkout(amounts: [300]))
        refused.authorize(0, .refusedByPSP(.configuration))
        #expect(refused.order.applePayResult() == ApplePayResult(status: .failure))
    }
}
