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
}
