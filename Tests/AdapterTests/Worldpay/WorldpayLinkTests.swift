import AdapterKit
import Domain
import StrictJSON
import Testing
import WorldpayAdapter

@Suite("Worldpay's links")
struct WorldpayLinkTests {
    /// What is kept of a link in the reply to an authorization, which is where a capture is sent.
    static func kept(_ href: String, method: String? = "POST") throws -> String? {
        let sample = try WorldpaySample.reply("authorize/succeeded-without-links")
        guard case .object(let members) = try JSON.parse(sample.body) else { return nil }
        let action = JSON.object(omittingAbsent: ["href": .string(href), "method": method.map(JSON.string)])
        let actions = JSON.Member("_actions", ["partiallySettlePayment": action])
        var reply = sample
        reply.body = JSON.object(members + [actions]).bytes
        let call = try Sample.call(.authorize, credential: .networkToken(Sample.networkToken()))
        guard case .succeeded(let success) = try WorldpaySample.outcome(call, after: [reply]) else {
            Issue.record("no success")
            return nil
        }
        return try success.state.map { try JSON.parse(text: $0)["capture"]?.stringValue } ?? nil
    }

    @Test(
        "are kept as paths if they lead to the configured base URL",
        arguments: [
            ("https://psp.example/api/payments/a%3D/partialSettlements", "/api/payments/a%3D/partialSettlements"),
            ("/payments/settlements/partials/a", "/payments/settlements/partials/a"),
            ("https://psp.example/a?b=c", "/a?b=c"),
        ]
    )
    func kept(href: String, path: String) throws {
        #expect(try Self.kept(href) == path)
    }

    @Test(
        "that lead elsewhere are as good as absent",
        arguments: [
            "http://psp.example/a", "https://psp.example.evil.example/a", "https://psp.example@evil.example/a",
            "https://psp.example:8443/a", "https://evil.example/https://psp.example/a", "//evil.example/a",
            "https://psp.example//evil.example/a", "https:/psp.example/a", "psp.example/a", "a", "",
            "https://psp.example",
            "HTTPS://PSP.EXAMPLE/a", "/a b", "/a\r\nX: y", "/a\\b", "/a#b", "/é", "/{linkData}",
            "/" + String(repeating: "a", count: 4096), "javascript:alert(1)",
        ]
    )
    func elsewhere(href: String) throws {
        #expect(try Self.kept(href) == nil)
    }

    @Test(
        "that are not to be posted to are as good as absent",
        arguments: [("POST", true), (nil, true), ("GET", false)]
    )
    func methods(method: String?, isKept: Bool) throws {
        #expect(try (Self.kept("/api/payments/a", method: method) != nil) == isKept)
    }

    @Test(
        "in a state that was tampered with are not followed",
        arguments: ["https://evil.example/a", "//evil.example", "/a b"]
    )
    func tamperedState(path: String) throws {
        var call = try WorldpaySample.later(.capture)
        call.pspState = WorldpaySample.state(capture: path, refund: "/api/payments/x")
        let request = try WorldpaySample.request(call)
        #expect(request.url == "https://psp.example/paymentQueries/payments/\(WorldpaySample.payment)")
    }

    @Test("come back as the state of an authorization, a sale, a capture and a refund")
    func states() throws {
        let held = try WorldpaySample.outcome(
            try Sample.call(.authorize, credential: .networkToken(Sample.networkToken())),
            after: [try WorldpaySample.reply("authorize/succeeded-held")]
        )
        guard case .succeeded(let success) = held, let state = success.state else {
            Issue.record("\(held)")
            return
        }
        var call = try WorldpaySample.later(.capture)
        call.pspState = state
        let capture = try WorldpaySample.request(call)
        #expect(capture.url.hasSuffix("/partialSettlements") && capture.canMoveMoney)
        let pending = try WorldpaySample.outcome(call, after: [try WorldpaySample.reply("capture/pending")])
        guard case .pending(let progress) = pending, let after = progress.state else {
            Issue.record("\(pending)")
            return
        }
        #expect(progress.reference == "op-01ka524mnpzx45hy43kwjrp1xp")
        call.kind = .refund(applicationFee: nil)
        call.pspState = after
        #expect(try WorldpaySample.request(call).url.hasSuffix("/partialRefunds"))
        call.kind = .capture(applicationFee: nil, isFinal: true)
        let second = try WorldpayRequestTests.body(try WorldpaySample.request(call))
        #expect(second["sequence"] == ["number": 2, "total": 2])
    }

    @Test("of an inquiry come back too, with the captures that were asked for")
    func inquired() throws {
        let call = try Sample.call(.inquireCapture, reference: WorldpaySample.payment)
        let reply = try WorldpaySample.reply("inquire-capture/succeeded-among-others")
        let expected = Success(
            reference: "op-01ka524mnpzx45hy43kwjrp1xp",
            amount: 10_000,
            capturedAmount: 10_000,
            state: #"{"refund":"/payments/settlements/refunds/partials/eyJrIjoic2FtcGxlIn0","captures":2}"#
        )
        #expect(try WorldpaySample.outcome(call, after: [reply]) == .succeeded(expected))
    }
}
