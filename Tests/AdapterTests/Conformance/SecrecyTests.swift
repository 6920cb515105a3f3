import AdapterKit
import Domain
import Testing

@Suite("No description of an adapter's values")
struct SecrecyTests {
    /// Every way in which a value ends up in a log.
    static func descriptions(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [String(describing: value), String(reflecting: value), "\(value)", dumped]
    }

    static func expectNoSecret(in value: Any, _ what: String) {
        for text in descriptions(of: value) {
            for secret in Sample.secrets + Sample.buyerTexts where text.contains(secret) {
                Issue.record("\(what) shows a secret")
            }
        }
    }

    @Test("shows a secret of a request or a step", arguments: try AdapterUnderTest.all)
    func requestsKeepSecrets(subject: AdapterUnderTest) throws {
        for (call, _, request) in try RequestTests.requests(of: subject) {
            Self.expectNoSecret(in: request, "a request")
            Self.expectNoSecret(in: Step.send(request), "a step")
            Self.expectNoSecret(in: call, "a call")
            for secret in Sample.secrets { #expect(!request.url.contains(secret), "\(request)") }
        }
    }

    @Test("shows a secret of the settings, the credentials or the adapter", arguments: try AdapterUnderTest.all)
    func settingsKeepSecrets(subject: AdapterUnderTest) {
        Self.expectNoSecret(in: subject.settings, "settings")
        Self.expectNoSecret(in: subject.adapter, "an adapter")
        for credential in Sample.credentials { Self.expectNoSecret(in: credential, "a credential") }
    }

    @Test("repeats a secret that the PSP sent back", arguments: try AdapterUnderTest.all)
    func outcomesKeepSecrets(subject: AdapterUnderTest) throws {
        let echo = (Sample.secrets + Sample.buyerTexts).filter { !$0.contains("\"") }.joined(separator: " ")
        for operation in SampleOperation.allCases {
            for status in [200, 400, 401, 402, 403, 404, 409, 429, 500] {
                for type in ["card_error", "invalid_request_error", "api_error"] {
                    let error = #"{"error":{"type":"\#(type)","code":"card_declined","message":"No such \#(echo)"}}"#
                    let reply = WireReply(
                        status: status,
                        headers: RobustnessTests.json,
                        body: Array(error.utf8)
                    )
                    for call in [try subject.shortCall(operation), try subject.longCall(operation)] {
                        let step = subject.adapter.next(for: call, after: [Exchange(reply: reply)])
                        guard case .outcome(let outcome) = step else { continue }
                        Self.expectNoSecret(in: outcome, "\(operation) HTTP \(status)")
                    }
                }
            }
        }
    }
}
