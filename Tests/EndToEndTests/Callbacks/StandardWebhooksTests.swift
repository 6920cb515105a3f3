import AdapterKit
import Domain
import Foundation
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite(
    "The public standardwebhooks package",
    .timeLimit(.minutes(10)),
    .enabled(if: StandardWebhooksPython.path != nil, "TRIBUTARY_STANDARD_WEBHOOKS_PYTHON names no Python")
)
struct StandardWebhooksTests {
    @Test("verifies what is delivered, and nothing that was changed on the way")
    func delivered() async throws {
        try await Hooks.with { place, psp in
            let (receiver, url) = try await StandardWebhooksPython.start(Hooks.secret, in: place)
            try place.write(Hooks.declaration(psp: psp, own: url + "/hooks"), to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            try await place.whileServing { api in
                _ = try await Hooks.order(place, at: api)
                for found in try await Hooks.lines(6, of: receiver) {
                    #expect(found["as_sent"] == "verified", "\(found)")
                    for changed in ["body", "id", "timestamp", "unsigned"] {
                        #expect(found[changed] == "No matching signature found", "\(changed): \(found)")
                    }
                    #expect(found["webhook_id"]?.stringValue?.hasPrefix("cb_") == true)
                }
            }
            // During a rotation the old secret still verifies: two signatures stand in the header.
            _ = try await place.json("secrets", "rotate", "travel", "--overlap", "1h")
            #expect(try await place.run("callbacks", "test", "travel").status == 0)
            await receiver.kill()
        }
    }

    @Test("refuses what was signed more than five minutes ago, or is to be", arguments: [-301, 0, 301] as [Int64])
    func age(_ seconds: Int64) async throws {
        try await Workplace.with { place in
            let (receiver, url) = try await StandardWebhooksPython.start(Hooks.secret, in: place)
            let key = try #require(StandardWebhooks.key(Secret(Hooks.secret)))
            let body = Array("{\"type\":\"order.paid\",\"name\":\"Zürich\"}".utf8)
            let time = Int64(Date.now.timeIntervalSince1970) + seconds
            var request = HTTPRequest(.post, url + "/", body: body)
            request.headers = [
                HTTPHeader("webhook-id", "cb_1"), HTTPHeader("webhook-timestamp", "\(time)"),
                HTTPHeader(
                    "webhook-signature",
                    StandardWebhooks.signature(id: "cb_1", seconds: time, body: body, with: [key])
                ),
            ]
            request.allowPlainHTTPToLoopback = true
            let transport = HTTPTransport()
            let result = await transport.send(request)
            await transport.stop()
            guard case .reply(let reply) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(reply.status == (seconds == 0 ? 204 : 400))
            let found = try await Hooks.lines(1, of: receiver)[0]["as_sent"]?.stringValue
            let words = ["verified", "Message timestamp too old", "Message timestamp too new"]
            #expect(found == (seconds == 0 ? words[0] : seconds < 0 ? words[1] : words[2]))
            await receiver.kill()
        }
    }
}
