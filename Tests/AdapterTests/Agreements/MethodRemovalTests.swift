import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("Having a PSP forget a stored method")
struct MethodRemovalTests {
    static let psps = AgreementRequestTests.psps.filter { $0 != "worldpay" }

    private static func removal(_ psp: String) throws -> MethodRemoval {
        guard case .pspToken(let token, let customer) = try AgreementSample.credentials(psp).later else {
            throw SettingsError.missingCredential("token")
        }
        return MethodRemoval(agreement: try AgreementSample.agreement, token: token, customer: customer)
    }

    private static func step(_ psp: String, _ replies: [WireReply] = []) throws -> Step {
        try AdapterUnderTest.named(psp).adapter.next(
            forRemoval: try removal(psp),
            after: replies.map { Exchange(reply: $0) }
        )
    }

    @Test(
        "asks as its documents have it",
        arguments: [
            ("stripe", .post, "/v1/payment_methods/pm_1sample/detach", ""),
            (
                "adyen", .delete,
                "/v72/storedPaymentMethods/M5N7TQ4TG5PFWR50?shopperReference=agr_01ka5m9s346q3d25vt4f5v37e3&merchantAccount=",
                ""
            ),
            ("checkout", .delete, "/instruments/src_wmlfc3zyhqzehihu7giusaaawu", ""),
            ("braintree", .post, "/graphql", "deletePaymentMethodFromVault"),
            ("square", .post, "/v2/cards/ccof%3AGaJGNaZa8x4OgDJn4GB/disable", ""),
            (
                "authorize-net", .post, "/xml/v1/request.api",
                #""customerProfileId":"900135","customerPaymentProfileId":"1929020"}}"#
            ),
        ] as [(String, WireRequest.Method, String, String)]
    )
    func requests(psp: String, method: WireRequest.Method, path: String, body: String) throws {
        guard case .send(let request) = try Self.step(psp) else {
            Issue.record("nothing is sent")
            return
        }
        #expect(request.method == method && !request.canMoveMoney)
        #expect(request.url.hasPrefix("https://psp.example" + path), "\(request.url)")
        #expect(String(decoding: request.body, as: UTF8.self).contains(body) || body.isEmpty)
        #expect(try Self.step(psp) == .send(request))
        let removal = try Self.removal(psp)
        for text in SecrecyTests.descriptions(of: request) + SecrecyTests.descriptions(of: removal) {
            #expect(!text.contains(removal.token.reveal()), "\(text)")
        }
    }

    private static let agreement = AgreementReplies.agreement

    static let answers: [(psp: String, replies: [WireReply], reason: Rejection.Reason?)] = [
        ("adyen", [WireReply(status: 204)], nil),
        (
            "adyen",
            [AgreementSample.reply(422, #"{"status":422,"errorCode":"800","errorType":"validation","message":"x"}"#)],
            .notFound
        ),
        (
            "adyen",
            [AgreementSample.reply(403, #"{"status":403,"errorCode":"010","errorType":"security","message":"x"}"#)],
            .configuration
        ),
        ("checkout", [WireReply(status: 204)], nil),
        ("checkout", [WireReply(status: 404, headers: [Header("Cko-Request-Id", "r")])], .notFound),
        ("checkout", [WireReply(status: 401, headers: [Header("Cko-Request-Id", "r")])], .configuration),
        (
            "stripe",
            [AgreementSample.reply(200, #"{"object":"payment_method","id":"pm_1sample","customer":null}"#)], nil
        ),
        (
            "stripe",
            [AgreementSample.reply(404, #"{"error":{"type":"invalid_request_error","code":"resource_missing"}}"#)],
            .notFound
        ),
        (
            "stripe",
            [
                AgreementSample.reply(400, #"{"error":{"type":"invalid_request_error"}}"#),
                AgreementSample.reply(200, #"{"object":"payment_method","id":"pm_1sample","customer":null}"#),
            ], nil
        ),
        (
            "stripe",
            [
                AgreementSample.reply(400, #"{"error":{"type":"invalid_request_error"}}"#),
                AgreementSample.reply(200, #"{"object":"payment_method","id":"pm_1sample","customer":"cus_1sample"}"#),
            ], .configuration
        ),
        (
            "square",
            [AgreementSample.reply(200, #"{"card":{"id":"ccof:GaJGNaZa8x4OgDJn4GB","enabled":false}}"#)], nil
        ),
        (
            "square",
            [AgreementSample.reply(404, #"{"errors":[{"category":"INVALID_REQUEST_ERROR","code":"NOT_FOUND"}]}"#)],
            .notFound
        ),
        (
            "braintree",
            [AgreementSample.reply(200, #"{"data":{"\#(agreement)":{"clientMutationId":"\#(agreement)"}}}"#)], nil
        ),
        (
            "braintree",
            [
                AgreementSample.reply(
                    200,
                    #"{"data":{"\#(agreement)":null},"errors":[{"path":["\#(agreement)"],"extensions":{"errorClass":"NOT_FOUND"}}]}"#
                )
            ], .notFound
        ),
        (
            "authorize-net",
            [
                AgreementSample.reply(
                    200,
                    #"{"refId":"z46q3d25vt4f5v37e3","messages":{"resultCode":"Ok","message":[{"code":"I00001"}]}}"#
                )
            ], nil
        ),
    ]

    @Test("is done, or was done before, only if the PSP says so", arguments: answers.indices)
    func done(index: Int) throws {
        let (psp, told, reason) = Self.answers[index]
        var replies = told
        if psp == "authorize-net", case .send(let request) = try Self.step(psp) {
            let body = try JSON.parse(request.body)["deleteCustomerPaymentProfileRequest"]
            let name = try #require(body?["refId"]?.stringValue)
            let text = String(decoding: replies[0].body, as: UTF8.self)
            replies[0].body = Array(text.replacing("z46q3d25vt4f5v37e3", with: name).utf8)
        }
        switch (try Self.step(psp, replies), reason) {
        case (.outcome(.succeeded), nil): break
        case (.outcome(.rejected(let rejection)), let reason?): #expect(rejection.reason == reason)
        case (let step, _): Issue.record("\(psp): \(step)")
        }
    }

    @Test("is in doubt whatever else comes", arguments: psps)
    func doubt(psp: String) throws {
        let replies = [
            AgreementSample.reply(500, "{}"), AgreementSample.reply(503, ""), AgreementSample.reply(429, "{}"),
            AgreementSample.reply(200, "{}"), AgreementSample.reply(200, "<html>"), WireReply(status: 302),
            AgreementSample.reply(200, #"{"object":"payment_method","id":"pm_other","customer":null}"#),
            AgreementSample.reply(200, #"{"card":{"id":"ccof:other","enabled":false}}"#),
            AgreementSample.reply(200, #"{"data":{"agr_other":{"clientMutationId":"agr_other"}}}"#),
        ]
        for reply in replies {
            guard case .outcome(.unknown) = try Self.step(psp, [reply]) else {
                Issue.record("\(psp) is sure after \(reply.status)")
                continue
            }
        }
    }

    @Test("is no call of Worldpay's, whose stored methods are ours")
    func worldpay() throws {
        let removal = MethodRemoval(agreement: try AgreementSample.agreement, token: Secret("4242424242424242"))
        let step = try AdapterUnderTest.named("worldpay").adapter.next(forRemoval: removal, after: [])
        guard case .outcome(.rejected(let rejection)) = step else {
            Issue.record("something is sent")
            return
        }
        #expect(rejection.reason == .unsupported)
    }
}
