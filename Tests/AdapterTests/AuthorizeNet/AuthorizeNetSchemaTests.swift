import AdapterKit
import AuthorizeNetAdapter
import Domain
import StrictJSON
import Testing

@Suite("Authorize.Net's requests, held against its schema,")
struct AuthorizeNetSchemaTests {
    static func violations(_ request: WireRequest) throws -> [String] {
        AuthorizeNetSchema.request.violations(try JSON.parse(request.body))
    }

    @Test("break nothing")
    func breakNothing() throws {
        let requests = try RequestTests.requests(of: AdapterUnderTest.authorizeNet)
        #expect(requests.count > 30)
        for (_, _, request) in requests { #expect(try Self.violations(request) == [], "\(request)") }
    }

    @Test("break nothing in a sale with a description")
    func sale() throws {
        var call = try Sample.call(.authorize)
        let token = Credential.networkToken(Sample.networkToken())
        call.kind = .authorize(Call.Authorization(credential: token, capture: true, description: "Two tickets"))
        #expect(try Self.violations(AuthorizeNetSample.request(call)) == [])
    }

    @Test(
        "would be found out",
        arguments: [
            ("refundTransaction", "saleTransaction", "/transactionType is no such word"),
            (#""amount":"25.00","#, #""amount":25.00,"#, "/amount is no text"),
            (
                #""refTransId":"60198765432","#, #""refTransId":"6o198765432","#,
                "/refTransId has a character that is not allowed"
            ),
            (#""cardNumber":"1111""#, #""cardNumber":"111""#, "/payment/creditCard/cardNumber has the wrong length"),
            (#""expirationDate":"XXXX""#, #""tip":"1""#, "/payment/creditCard/expirationDate is missing"),
            (#""expirationDate":"XXXX""#, #""tip":"1""#, "/payment/creditCard/tip is unknown"),
            (
                #""transactionType":"refundTransaction","amount":"25.00""#,
                #""amount":"25.00","transactionType":"refundTransaction""#, "/transactionType is out of order"
            ),
        ]
    )
    func findsOut(text: String, replacement: String, violation: String) throws {
        var request = try AuthorizeNetSample.request(AuthorizeNetSample.call(.refund, amount: 2500))
        let body = String(decoding: request.body, as: UTF8.self)
        let changed = body.replacing(text, with: replacement)
        #expect(changed != body)
        request.body = Array(changed.utf8)
        let path = "/createTransactionRequest/transactionRequest"
        #expect(try Self.violations(request).contains(path + violation))
    }
}
