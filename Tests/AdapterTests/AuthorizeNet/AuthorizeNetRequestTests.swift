import AdapterKit
import AuthorizeNetAdapter
import Domain
import Testing

@Suite("Authorize.Net's requests")
struct AuthorizeNetRequestTests {
    /// What every request begins with.
    static let named = authentication + #","refId":"zmnpzx45hy43kwjrp1xp""#
    static let authentication =
        #""merchantAuthentication":{"name":"SampleLogin","transactionKey":"4TxnKeyOfSample7"}"#
    static let settings =
        #""transactionSettings":{"setting":[{"settingName":"allowPartialAuth","settingValue":"false"},"#
        + #"{"settingName":"duplicateWindow","settingValue":"28800"}]}"#

    static func body(_ call: Call, after replies: [WireReply] = []) throws -> String {
        String(decoding: try AuthorizeNetSample.request(call, after: replies).body, as: UTF8.self)
    }

    /// A transaction as it is sent.
    static func transaction(_ members: String) -> String {
        #"{"createTransactionRequest":{\#(authentication),"refId":"zmnpzx45hy43kwjrp1xp","#
            + #""transactionRequest":{\#(members)}}}"#
    }

    /// An authorization as it is sent.
    static func authorization(_ payment: String, type: String = "authOnlyTransaction") -> String {
        transaction(
            #""transactionType":"\#(type)","amount":"100.00","currencyCode":"USD","payment":\#(payment),"#
                + #""order":{"invoiceNumber":"zqkfbf5kznwj47tan9zt"},\#(settings)"#
        )
    }

    @Test("go to the one address there is, as JSON")
    func envelope() throws {
        for operation in SampleOperation.allCases {
            let call =
                operation == .authorize
                ? try Sample.call(operation, credential: Sample.credential(.pspToken))
                : try AuthorizeNetSample.call(operation)
            let request = try AuthorizeNetSample.request(call)
            #expect(request.method == .post)
            #expect(request.url == "https://psp.example/xml/v1/request.api")
            #expect(request.headers == [Header("Content-Type", "application/json")])
            #expect(request.canMoveMoney == !operation.rawValue.hasPrefix("inquire"))
        }
    }

    @Test("hold the amount on an Accept token, in the schema's order")
    func acceptToken() throws {
        let call = try Sample.call(.authorize, credential: Sample.credential(.pspToken))
        let payment =
            #"{"opaqueData":{"dataDescriptor":"COMMON.ACCEPT.INAPP.PAYMENT","dataValue":"pm_sampleSecretToken"}}"#
        #expect(try Self.body(call) == Self.authorization(payment))
    }

    @Test("pass an encrypted Apple Pay token on in base 64")
    func applePay() throws {
        let call = try Sample.call(.authorize, credential: Sample.credential(.encryptedApplePay))
        let value = Base64Writer.text(Array(Sample.paymentData.utf8))
        let payment = #"{"opaqueData":{"dataDescriptor":"COMMON.APPLE.INAPP.PAYMENT","dataValue":"\#(value)"}}"#
        #expect(try Self.body(call) == Self.authorization(payment))
    }

    @Test(
        "mark a network token as one, with its cryptogram and without its indicator",
        arguments: [NetworkToken.Source.applePay, .googlePay, .network],
        [nil, "7", "05"]
    )
    func networkToken(source: NetworkToken.Source, eci: String?) throws {
        let credential = Credential.networkToken(Sample.networkToken(eci: eci, source: source))
        let payment =
            #"{"creditCard":{"cardNumber":"4242424242424242","expirationDate":"2030-12","isPaymentToken":true,"#
            + #""cryptogram":"AmDBuUq6QdUEY2FtcGxlAAA="}}"#
        #expect(try Self.body(Sample.call(.authorize, credential: credential)) == Self.authorization(payment))
    }

    @Test("write a month of one digit with two")
    func month() throws {
        var token = Sample.networkToken()
        token.expiryMonth = 3
        let body = try Self.body(Sample.call(.authorize, credential: .networkToken(token)))
        #expect(body.contains(#""expirationDate":"2030-03""#))
    }

    @Test("take the amount in one call if asked to, and carry a description of 255 characters at most")
    func sale() throws {
        var call = try Sample.call(.authorize)
        call.kind = .authorize(
            Call.Authorization(
                credential: .pspToken(Secret("nonce")),
                capture: true,
                description: String(repeating: "é", count: 300)
            )
        )
        let body = try Self.body(call)
        #expect(body.contains(#""transactionType":"authCaptureTransaction""#))
        let description = String(repeating: "é", count: 255)
        #expect(
            body.contains(#""order":{"invoiceNumber":"zqkfbf5kznwj47tan9zt","description":"\#(description)"}"#)
        )
    }

    @Test("capture what is asked for, all or a part", arguments: [(10_000, "100.00"), (6000, "60.00"), (5, "0.05")])
    func capture(amount: Int64, decimal: String) throws {
        let expected = Self.transaction(
            #""transactionType":"priorAuthCaptureTransaction","amount":"\#(decimal)","refTransId":"60198765432""#
        )
        #expect(try Self.body(AuthorizeNetSample.call(.capture, amount: amount)) == expected)
    }

    @Test("void the whole transaction, whatever the amount and its currency", arguments: ["USD", "JPY"])
    func void(currency: String) throws {
        let expected = Self.transaction(#""transactionType":"voidTransaction","refTransId":"60198765432""#)
        #expect(try Self.body(AuthorizeNetSample.call(.void, amount: 17, currency: currency)) == expected)
    }

    @Test("refund a part to the card by its last digits, under the operation's own invoice number")
    func refund() throws {
        let expected = Self.transaction(
            #""transactionType":"refundTransaction","amount":"25.00","#
                + #""payment":{"creditCard":{"cardNumber":"1111","expirationDate":"XXXX"}},"#
                + #""refTransId":"60198765432","order":{"invoiceNumber":"zmnpzx45hy43kwjrp1xp"}"#
        )
        #expect(try Self.body(AuthorizeNetSample.call(.refund, amount: 2500)) == expected)
    }

    @Test("look up the last digits before a refund where they are not known", arguments: [nil, "", "XXXX", "11"])
    func refundWithoutDigits(state: String?) throws {
        var call = try AuthorizeNetSample.call(.refund)
        call.pspState = state
        let look = try AuthorizeNetSample.request(call)
        #expect(!look.canMoveMoney)
        #expect(
            String(decoding: look.body, as: UTF8.self)
                == #"{"getTransactionDetailsRequest":{\#(Self.named),"transId":"60198765432"}}"#
        )
        let details = try AuthorizeNetSample.reply("inquire-authorize/succeeded-settled")
        let refund = try AuthorizeNetSample.request(call, after: [details])
        #expect(refund == (try AuthorizeNetSample.request(AuthorizeNetSample.call(.refund))))
    }

    @Test("look for a transaction among the unsettled ones, the newest first, and then in the batches since")
    func search() throws {
        let call = try Sample.call(.inquireAuthorize)
        let sorting = #""sorting":{"orderBy":"submitTimeUTC","orderDescending":true}"#
        #expect(
            try Self.body(call)
                == #"{"getUnsettledTransactionListRequest":{\#(Self.named),\#(sorting),"#
                + #""paging":{"limit":1000,"offset":1}}}"#
        )
        let first = try AuthorizeNetSample.reply("refund/succeeded-by-batch.1")
        #expect(
            try Self.body(call, after: [first])
                == #"{"getSettledBatchListRequest":{\#(Self.named),"#
                + #""firstSettlementDate":"2025-11-16T07:53:50.319Z","#
                + #""lastSettlementDate":"2025-12-16T07:53:50.319Z"}}"#
        )
        let second = try AuthorizeNetSample.reply("refund/succeeded-by-batch.2")
        #expect(
            try Self.body(call, after: [first, second])
                == #"{"getTransactionListRequest":{\#(Self.named),"batchId":"4532808",\#(sorting),"#
                + #""paging":{"limit":1000,"offset":1}}}"#
        )
        #expect(try Self.body(call, after: [first, second, first]).contains(#""batchId":"4532810""#))
    }
}
