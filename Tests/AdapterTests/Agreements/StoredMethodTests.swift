import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("Asking a PSP what it stored of a first payment")
struct StoredMethodTests {
    /// Worldpay stores nothing of a payment.
    static let psps = AgreementRequestTests.psps.filter { $0 != "worldpay" }

    @Test("tells what the lost reply would have told", arguments: psps)
    func found(psp: String) async throws {
        let twin = try await TwinOfPSP(psp)
        let first = try await twin.pay()
        let stored = try #require(first.stored)
        for _ in 1...2 {
            guard case .succeeded(let success) = try await twin.storedMethod(first) else {
                Issue.record("\(psp) does not tell")
                return
            }
            #expect(success.reference == first.reference)
            #expect(success.stored?.token.reveal() == stored.token.reveal())
            #expect(success.stored?.customer?.reveal() == stored.customer?.reveal())
            #expect(success.stored?.last4 == stored.last4)
        }
        let credential = try twin.later(first)
        guard case .succeeded = try await twin.perform(try twin.charge(first, credential, 1)) else {
            Issue.record("\(psp) does not charge")
            return
        }
    }

    @Test(
        "is told of a payment that was voided meanwhile, too",
        arguments: ["adyen", "authorize-net", "braintree", "checkout", "stripe"]
    )
    func voided(psp: String) async throws {
        let twin = try await TwinOfPSP(psp)
        let first = try await twin.pay()
        try await twin.void(first)
        guard case .succeeded(let success) = try await twin.storedMethod(first) else {
            Issue.record("\(psp) does not tell")
            return
        }
        #expect(success.stored?.token.reveal() == first.stored?.token.reveal())
    }

    @Test("says that there is none of what was forgotten", arguments: ["adyen", "authorize-net"])
    func forgotten(psp: String) async throws {
        let twin = try await TwinOfPSP(psp)
        let first = try await twin.pay()
        _ = try await twin.remove(first)
        guard case .succeeded(let success) = try await twin.storedMethod(first) else {
            Issue.record("\(psp) does not answer")
            return
        }
        #expect(success.stored == nil)
    }

    @Test("has Square make the card that the first conversation did not come to")
    func unmade() async throws {
        let twin = try await TwinOfPSP("square")
        // The customer, and the payment; then nobody asked any more.
        let paid = try await twin.pay(breakingOffAfter: 2)
        let reference = try #require(paid.reference)
        guard case .succeeded(let found) = try await twin.storedMethod(paid) else {
            Issue.record("no card")
            return
        }
        let stored = try #require(found.stored)
        #expect(found.reference == reference && stored.last4 != nil)
        let first = Success(reference: reference, amount: found.amount, stored: stored)
        guard case .succeeded = try await twin.perform(try twin.charge(first, try twin.later(first), 1)) else {
            Issue.record("the card is not charged")
            return
        }
    }

    private static func step(_ psp: String, _ replies: [WireReply]) throws -> Step {
        var call = try AgreementSample.first(nil)
        call.purpose = .inquire
        call.pspReference = psp == "authorize-net" ? "60212345678" : "pay_first"
        return try AdapterUnderTest.named(psp).adapter.next(
            forStoredMethodOf: call,
            after: replies.map { Exchange(reply: $0) }
        )
    }

    @Test("sends nothing that moves money, and the same again", arguments: psps)
    func harmless(psp: String) throws {
        guard case .send(let request) = try Self.step(psp, []) else {
            Issue.record("\(psp) sends nothing")
            return
        }
        #expect(!request.canMoveMoney)
        #expect(try Self.step(psp, []) == .send(request))
    }

    @Test("is in doubt after anything that no document promises", arguments: ["adyen", "authorize-net", "square"])
    func doubt(psp: String) throws {
        let agreement = try AgreementSample.agreement.text
        let replies = [
            AgreementSample.reply(500, "{}"), AgreementSample.reply(200, "{}"), AgreementSample.reply(200, "<html>"),
            AgreementSample.reply(404, "{}"), WireReply(status: 302), AgreementSample.reply(429, "{}"),
            AgreementSample.reply(200, #"{"shopperReference":"another","storedPaymentMethods":[{"id":"A"}]}"#),
            AgreementSample.reply(
                200,
                #"{"shopperReference":"\#(agreement)","storedPaymentMethods":[{"id":"A"},{"id":"B"}]}"#
            ),
            AgreementSample.reply(200, #"{"payment":{"id":"another"}}"#),
        ]
        for reply in replies {
            guard case .outcome(.unknown) = try Self.step(psp, [reply]) else {
                Issue.record("\(psp) is sure after \(reply.status)")
                continue
            }
        }
    }

    @Test("is no call of Worldpay's, which stores nothing of a payment")
    func worldpay() async throws {
        let twin = try await TwinOfPSP("worldpay")
        let first = try await twin.pay()
        guard case .succeeded(let success) = try await twin.storedMethod(first) else {
            Issue.record("Worldpay does not know the payment")
            return
        }
        #expect(success.stored == nil)
    }
}
