import AdapterKit
import Domain
import Testing

@Suite("Every adapter")
struct ConformanceTests {
    @Test("makes of a conversation what its name says", arguments: try Conversation.all)
    func reads(conversation: Conversation) throws {
        let subject = try AdapterUnderTest.named(conversation.adapter)
        let expectation = try #require(Expectation(conversation.name), "the name is no expectation")
        let call = try subject.call(conversation)
        var exchanges: [Exchange] = []
        for reply in conversation.replies {
            guard case .send = subject.adapter.next(for: call, after: exchanges) else {
                Issue.record("ends after \(exchanges.count) of \(conversation.replies.count) exchanges")
                return
            }
            exchanges.append(Exchange(reply: reply))
        }
        guard case .outcome(let outcome) = subject.adapter.next(for: call, after: exchanges) else {
            Issue.record("goes on after the last exchange")
            return
        }
        #expect(Expectation(outcome) == expectation, "\(outcome)")
        if case .succeeded(let success) = outcome {
            #expect(success.reference?.isEmpty == false)
            #expect(1...call.money.minorUnits ~= success.amount)
            #expect(success.capturedAmount.map { 0...success.amount ~= $0 } == true)
        }
    }

    @Test("has conversations of what may become of each operation", arguments: try AdapterUnderTest.all)
    func isComplete(subject: AdapterUnderTest) throws {
        let conversations = try Conversation.all.filter { $0.adapter == subject.name }
        for operation in SampleOperation.allCases {
            let names = conversations.filter { $0.operation == operation }.map(\.name)
            for word in ["succeeded", "unknown"] + (operation == .authorize ? ["declined"] : []) {
                let isLacking = subject.lacks.contains("\(operation.rawValue)/\(word)")
                #expect(names.contains { $0.hasPrefix(word) } != isLacking, "\(operation.rawValue)/\(word)")
            }
        }
    }

    @Test(
        "has conversations of a capture and of a refund over more than there is",
        arguments: try AdapterUnderTest.all,
        [SampleOperation.capture, .refund]
    )
    func hasTooMuch(subject: AdapterUnderTest, operation: SampleOperation) throws {
        let names = try Conversation.all.filter { $0.adapter == subject.name && $0.operation == operation }.map(\.name)
        #expect(names.contains { Expectation($0) == .rejected(.amountTooLarge) })
    }

    @Test("declares limits that are above zero", arguments: try AdapterUnderTest.all)
    func declares(subject: AdapterUnderTest) {
        let capabilities = subject.adapter.capabilities
        #expect(!capabilities.credentials.isEmpty)
        #expect(capabilities.pendingPollMilliseconds > 0)
        #expect(capabilities.expectedWithinMilliseconds >= capabilities.pendingPollMilliseconds)
        #expect(capabilities.authorizationLifeMilliseconds > 0)
        if case .key(let retention, _) = capabilities.idempotency { #expect(retention > 0) }
        if case .byReference(let delay) = capabilities.inquiry { #expect(0...86_400_000 ~= delay) }
        for code in capabilities.exponents.keys { #expect(Currency(code: code) != nil, "\(code)") }
    }

    @Test("refuses a base URL that anyone could read along", arguments: try AdapterUnderTest.all)
    func requiresSecureURL(subject: AdapterUnderTest) throws {
        let type = type(of: subject.adapter)
        for url in ["http://psp.example", "ftp://psp.example", "", "http://127.0.0.1@psp.example"] {
            var settings = subject.settings
            settings.baseURL = url
            #expect(throws: SettingsError.insecureBaseURL(url)) { try type.init(settings: settings) }
        }
        var settings = subject.settings
        settings.baseURL = "http://127.0.0.1:9901"
        _ = try type.init(settings: settings)
    }

    @Test("asks for its credential by name", arguments: try AdapterUnderTest.all)
    func requiresCredential(subject: AdapterUnderTest) throws {
        var settings = subject.settings
        settings.credentials = [:]
        let type = type(of: subject.adapter)
        let error = #expect(throws: SettingsError.self) { try type.init(settings: settings) }
        guard case .missingCredential(let name)? = error else {
            Issue.record("says \(String(describing: error)) instead of which credential is missing")
            return
        }
        #expect(!name.isEmpty)
    }
}
