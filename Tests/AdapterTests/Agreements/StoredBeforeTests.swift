import AdapterKit
import Domain
import Testing

@Suite("Agreements: what a PSP had stored before")
struct StoredBeforeTests {
    @Test(
        "begins none: its end would take it from others, so that nothing is sent",
        arguments: ["adyen", "authorize-net", "braintree", "checkout", "stripe"]
    )
    func refused(psp: String) throws {
        let stored = try AgreementSample.credentials(psp).later
        guard case .rejected(let rejection) = try AgreementSample.outcome(psp, AgreementSample.first(stored)) else {
            Issue.record("\(psp) does not refuse it")
            return
        }
        #expect(rejection.reason == .unsupported)
    }

    @Test("pays what no agreement begins with", arguments: ["braintree", "checkout", "stripe"])
    func taken(psp: String) throws {
        var call = try AgreementSample.first(try AgreementSample.credentials(psp).later)
        guard case .authorize(var authorization) = call.kind else { return }
        authorization.initiation = .buyer
        call.kind = .authorize(authorization)
        #expect(try AgreementSample.request(psp, call).canMoveMoney)
    }

    @Test("and is not there any more, Stripe says of a charge by the parameter's name")
    func gone() throws {
        let later = try AgreementSample.credentials("stripe").later
        let error = #"""
            {"error":{"type":"invalid_request_error","code":"resource_missing","param":"payment_method",
            "message":"No such PaymentMethod: 'pm_1sample'"}}
            """#
        let outcome = try AgreementSample.outcome(
            "stripe",
            AgreementSample.charge(later),
            after: [AgreementSample.reply(400, error, [Header("Idempotency-Key", "\(AgreementReplies.operation).0")])]
        )
        guard case .rejected(let rejection) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(rejection.reason == .methodGone)
    }
}
