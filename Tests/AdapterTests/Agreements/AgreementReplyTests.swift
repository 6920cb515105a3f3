import AdapterKit
import Domain
import Testing

@Suite("The replies to the first payment of an agreement")
struct AgreementReplyTests {
    private static func success(_ psp: String, _ call: Call, _ replies: [WireReply]) throws -> Success {
        guard case .succeeded(let success) = try AgreementSample.outcome(psp, call, after: replies) else {
            Issue.record("\(psp) has not succeeded")
            throw SettingsError.missingCredential("success")
        }
        return success
    }

    private static func first(_ psp: String, _ replies: [WireReply]) throws -> Success {
        try success(psp, try AgreementSample.first(try AgreementSample.credentials(psp).first), replies)
    }

    @Test(
        "tell what the PSP keeps of the buyer's card, and what the scheme calls the payment",
        arguments: AgreementRequestTests.psps
    )
    func kept(psp: String) throws {
        let success = try Self.first(psp, try AgreementReplies.replies(psp))
        #expect(success.amount == 10_000 && success.last4 == "4242")
        let stored = success.stored
        if case .pspToken(let token, let customer) = try AgreementSample.credentials(psp).later {
            #expect(stored?.token == token && stored?.customer == customer, "\(psp)")
            #expect(stored?.last4 == "4242" && stored?.network?.lowercased() == "visa")
            let hasExpiry = psp != "authorize-net"
            #expect(stored?.expiryMonth == (hasExpiry ? 12 : nil) && stored?.expiryYear == (hasExpiry ? 2031 : nil))
        } else {
            #expect(stored == nil)
        }
        let isTold = psp != "square"
        #expect(success.networkTransactionIDs.map(\.value) == (isTold ? [AgreementSample.transaction] : []))
    }

    @Test("tell nothing of it where the buyer agreed to nothing", arguments: AgreementRequestTests.psps)
    func withoutAgreement(psp: String) throws {
        var call = try AgreementSample.first(try AgreementSample.credentials(psp).first)
        if case .authorize(var authorization) = call.kind {
            authorization.initiation = .buyer
            call.kind = .authorize(authorization)
        }
        let replies = try AgreementReplies.replies(psp)
        let payment =
            switch psp {
            case "stripe": [replies[1]].map { Self.underKey($0, 0) }
            case "square": [replies[1]]
            default: replies
            }
        let success = try Self.success(psp, call, payment)
        #expect(success.stored == nil && success.networkTransactionIDs == [])
    }

    /// A reply under the key of another exchange.
    private static func underKey(_ reply: WireReply, _ exchange: Int) -> WireReply {
        var reply = reply
        reply.headers.removeAll { $0.name == "Idempotency-Key" }
        reply.headers.append(Header("Idempotency-Key", "\(AgreementReplies.operation).\(exchange)"))
        return reply
    }

    @Test(
        "tell a payment that has succeeded without a card, if what came of the card is another's or not what was asked",
        arguments: [
            (
                "adyen", #""tokenization.shopperReference":"agr_01ka5m9s346q3d25vt4f5v37e3""#,
                #""tokenization.shopperReference":"agr_other""#
            ),
            ("adyen", #""M5N7TQ4TG5PFWR50""#, #""a b""#),
            (
                "authorize-net", #"{"resultCode":"Ok","message":[{"code":"I00001"}]},"customerProfileId""#,
                #"{"resultCode":"Error"},"customerProfileId""#
            ),
            ("authorize-net", #"["1929020"]"#, #"["1929020","1929021"]"#), ("authorize-net", #""900135""#, #""9x""#),
            ("braintree", "MULTI_USE", "SINGLE_USE"), ("braintree", #""paymentMethod":{"#, #""other":{"#),
            ("checkout", "src_wmlfc3zyhqzehihu7giusaaawu", "card_1"),
            ("square", "W92WH6P11H4Z77CTET0RNTGFW8", "ANOTHER"),
            ("square", "agr_01ka5m9s346q3d25vt4f5v37e3", "agr_other"),
            ("square", #""enabled":true"#, #""enabled":false"#),
            ("stripe", #""setup_future_usage":"off_session""#, #""setup_future_usage":null"#),
            ("stripe", #""customer":"cus_1sample""#, #""customer":null"#),
        ]
    )
    func doubtfulCard(psp: String, old: String, new: String) throws {
        let body = try #require(AgreementReplies.bodies[psp]?.last?.body).replacing("\n", with: "")
        try #require(body.contains(old), "\(old)")
        var replies = try AgreementReplies.replies(psp)
        let last = try #require(replies.last)
        replies.removeLast()
        replies.append(
            WireReply(status: last.status, headers: last.headers, body: Array(body.replacing(old, with: new).utf8))
        )
        let success = try Self.first(psp, replies)
        #expect(success.amount == 10_000 && success.stored == nil)
    }

    @Test("tell a payment at Square that has succeeded, whatever becomes of its card", arguments: [400, 404, 429, 500])
    func squareWithoutCard(status: Int) throws {
        var replies = try AgreementReplies.replies("square").dropLast()
        let error = #"{"errors":[{"category":"INVALID_REQUEST_ERROR","code":"NOT_FOUND"}]}"#
        replies.append(AgreementSample.reply(status, error))
        #expect(try Self.first("square", Array(replies)).stored == nil)
    }

    @Test("at Stripe and Square begin with a customer, without whom nothing is paid", arguments: ["stripe", "square"])
    func customer(psp: String) throws {
        let call = try AgreementSample.first(try AgreementSample.credentials(psp).first)
        let request = try AgreementSample.request(psp, call)
        #expect(!request.canMoveMoney && request.url.hasSuffix("/customers"))
        #expect(String(decoding: request.body, as: UTF8.self).contains(AgreementReplies.agreement))
        let paying = try AgreementSample.request(psp, call, after: Array(try AgreementReplies.replies(psp).prefix(1)))
        #expect(paying.canMoveMoney)
        let other = AgreementSample.reply(200, #"{"object":"customer","id":"sub_1","customer":{"id":"x"}}"#)
        for doubtful in [other, AgreementSample.reply(500, "{}"), AgreementSample.reply(200, "[")] {
            guard case .notSent = try AgreementSample.outcome(psp, call, after: [doubtful]) else {
                Issue.record("\(psp) is not sure that nothing was paid")
                continue
            }
        }
    }

    @Test(
        "tell which card is behind the token now, with a charge of that token",
        arguments: ["stripe", "checkout", "braintree"]
    )
    func renewed(psp: String) throws {
        let later = try AgreementSample.credentials(psp).later
        guard case .pspToken(let token, let customer) = later else { return }
        var replies = try AgreementReplies.replies(psp, replacing: "4242", by: "1881").suffix(1).map {
            Self.underKey($0, 0)
        }
        let success = try Self.success(psp, try AgreementSample.charge(later), replies)
        #expect(success.stored?.token == token && success.stored?.customer == customer)
        #expect(success.stored?.last4 == "1881" && success.stored?.expiryYear == 2031)
        let body = String(decoding: replies[0].body, as: UTF8.self)
        for name in [token.reveal()] {
            try #require(body.contains(name))
            replies[0].body = Array(body.replacing(name, with: "another" + name.prefix(5)).utf8)
        }
        #expect(try Self.success(psp, try AgreementSample.charge(later), replies).stored == nil)
    }

    @Test("tell the card to who asks after them, too", arguments: ["stripe", "checkout", "braintree"])
    func inquiry(psp: String) throws {
        var call = try AgreementSample.first(nil, .recurring, .inquireAuthorize)
        let reply: WireReply
        switch psp {
        case "stripe":
            call.pspReference = "pi_1"
            reply = AgreementSample.reply(200, AgreementReplies.intent)
        case "checkout":
            call.pspReference = "pay_y3oqhf46pyzuxjbcn2giaqnb44"
            reply = AgreementSample.reply(200, AgreementReplies.checkout)
        default:
            call.pspState = "dHJhbnNhY3Rpb25fcDRtcTdrenI"
            let body = #"{"data":{"\#(AgreementReplies.operation)":\#(AgreementReplies.transactionOfBraintree)}}"#
            reply = AgreementSample.reply(200, body)
        }
        let success = try Self.success(psp, call, [reply])
        guard case .pspToken(let token, _) = try AgreementSample.credentials(psp).later else { return }
        #expect(success.stored?.token == token)
        #expect(success.networkTransactionIDs.map(\.value) == [AgreementSample.transaction])
    }
}
