import AdapterKit
import AuthorizeNetAdapter
import Domain
import Testing

@Suite("Authorize.Net is not asked for")
struct AuthorizeNetObjectionTests {
    static func expectRefusal(_ call: Call, code: String) throws {
        guard case .outcome(.rejected(let rejection)) = try AuthorizeNetSample.step(call) else {
            Issue.record("something is sent")
            return
        }
        #expect(rejection.reason == .unsupported)
        #expect(rejection.code == code)
    }

    @Test("a currency that is not the account's", arguments: [SampleOperation.authorize, .capture, .refund])
    func currency(operation: SampleOperation) throws {
        var call = try AuthorizeNetSample.call(operation, currency: "EUR")
        if operation == .authorize {
            call = try Sample.call(.authorize, credential: Sample.credential(.pspToken), currency: "EUR")
        }
        try Self.expectRefusal(call, code: "currency_not_supported")
        var settings = AuthorizeNetSample.settings
        settings.credentials["currency"] = Secret("EUR")
        let adapter = try AuthorizeNetAdapter(settings: settings)
        guard case .send = adapter.next(for: call, after: []) else {
            Issue.record("nothing is sent to an account in that currency")
            return
        }
    }

    @Test("an answer in a currency that is not the account's, which would be misread")
    func currencyOfInquiries() throws {
        for operation in [SampleOperation.inquireAuthorize, .inquireCapture, .inquireRefund] {
            guard
                case .outcome(.unknown) = try AuthorizeNetSample.step(
                    AuthorizeNetSample.call(operation, currency: "EUR")
                )
            else {
                Issue.record("\(operation) is not in doubt")
                continue
            }
        }
    }

    @Test("a payment to anyone but the account's owner")
    func merchantAccount() throws {
        var call = try Sample.call(
            .authorize,
            credential: Sample.credential(.pspToken),
            merchantAccount: "merchant-7"
        )
        try Self.expectRefusal(call, code: "merchant_account")
        call.settlesToMerchant = false
        #expect(try AuthorizeNetSample.request(call).canMoveMoney)
    }

    @Test("a fee for the marketplace", arguments: [SampleOperation.authorize, .capture, .refund])
    func fee(operation: SampleOperation) throws {
        for fee in [500, 0] as [Int64] {
            var call = try Sample.call(
                operation,
                credential: Sample.credential(.pspToken),
                reference: operation == .authorize ? nil : AuthorizeNetSample.payment,
                applicationFee: fee
            )
            call.pspState = "1111"
            if fee > 0 {
                try Self.expectRefusal(call, code: "application_fee")
            } else {
                #expect(try AuthorizeNetSample.request(call).canMoveMoney)
            }
        }
    }

    @Test("a capture that leaves the rest held")
    func severalCaptures() throws {
        var call = try AuthorizeNetSample.call(.capture)
        call.kind = .capture(applicationFee: nil, isFinal: false)
        try Self.expectRefusal(call, code: "final_capture")
        #expect(!AuthorizeNetAdapter.capabilities.multipleCapture)
    }

    @Test("a token whose number is longer than the schema's 16 digits", arguments: [(16, true), (17, false)])
    func longNumbers(length: Int, isSent: Bool) throws {
        var token = Sample.networkToken()
        token.number = Secret(String(repeating: "4", count: length))
        let call = try Sample.call(.authorize, credential: .networkToken(token))
        if isSent {
            #expect(try AuthorizeNetSample.request(call).canMoveMoney)
        } else {
            try Self.expectRefusal(call, code: "card_number")
        }
    }

    @Test("an authorization whose credential is erased, of which only an inquiry can tell")
    func erased() throws {
        guard case .unknown = try AuthorizeNetSample.outcome(of: Sample.call(.authorize), after: []) else {
            Issue.record("not in doubt")
            return
        }
    }

    @Test("anything by an account in a currency that it cannot be in", arguments: ["JPY", "usd", "", "XXX"])
    func wrongCurrency(code: String) {
        var settings = AuthorizeNetSample.settings
        settings.credentials["currency"] = Secret(code)
        #expect(throws: SettingsError.missingCredential("currency")) { try AuthorizeNetAdapter(settings: settings) }
    }

    @Test("anything without login or key", arguments: ["api_login_id", "transaction_key"])
    func missingCredentials(name: String) {
        var settings = AuthorizeNetSample.settings
        settings.credentials[name] = nil
        #expect(throws: SettingsError.missingCredential(name)) { try AuthorizeNetAdapter(settings: settings) }
    }

    @Test("its key in any description")
    func secrecy() throws {
        let adapter = try AuthorizeNetAdapter(settings: AuthorizeNetSample.settings)
        let request = try AuthorizeNetSample.request(AuthorizeNetSample.call(.capture))
        #expect(String(decoding: request.body, as: UTF8.self).contains(AuthorizeNetSample.transactionKey))
        for value in [adapter, request, AuthorizeNetSample.settings] as [Any] {
            for text in SecrecyTests.descriptions(of: value) {
                #expect(!text.contains(AuthorizeNetSample.transactionKey))
            }
        }
    }
}
