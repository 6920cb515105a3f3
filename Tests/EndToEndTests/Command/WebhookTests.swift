import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Webhooks between processes", .timeLimit(.minutes(10)))
struct WebhookTests {
    private static let secret = "whsec_d2ViaG9va3MgYmV0d2VlbiBwcm9jZXNzZXMsIDMyIGI="

    @Test("bring home what is done in the PSP's dashboard, and commands show it", arguments: DatabaseEngine.allCases)
    func dashboard(engine: DatabaseEngine) async throws {
        try await Workplace.withDatabase(engine) { place in
            var place = place
            place.environment["SIM_WEBHOOKS"] = Self.secret
            try await place.whileServing(["simulate-psp"]) { psp in
                var file = MarketplaceFile()
                file.baseURL = psp
                file.webhookSecret = "env:SIM_WEBHOOKS"
                try place.write(file.text, to: "travel.yaml")
                _ = try await place.json("apply", "travel.yaml")
                let key = try #require(
                    try await place.json("keys", "create", "--scope", "checkout")["key"]?.stringValue
                )
                try await place.whileServing { url in
                    try await Self.register(url, at: psp)
                    let order = try await Self.order(at: url, key)
                    let payment = try #require(order["payments"]?[0]?["psp_reference"]?.stringValue)
                    let refund: JSON = ["amount": 1250]
                    let call = HTTPCall(.post, "\(psp)/dashboard/authorizations/\(payment)/refund", key: "")
                    let reply = try await call.sending(refund, idempotencyKey: "-").reply()
                    try #require(reply.status == 200, "\(String(decoding: reply.body, as: UTF8.self))")
                    try await Self.checkOrder(place, try #require(order["id"]?.stringValue))
                    try await Self.checkCommands(place)
                }
            }
        }
    }

    private static func register(_ url: String, at psp: String) async throws {
        let endpoint: JSON = [
            "url": .string(url + "/v1/psp/simulator/sim/webhooks"), "secret": .string(secret),
        ]
        let reply = try await HTTPCall(.put, psp + "/v1/webhook", key: "key_sim")
            .sending(endpoint, idempotencyKey: "-").reply()
        try #require(reply.status == 200, "\(String(decoding: reply.body, as: UTF8.self))")
    }

    private static func order(at url: String, _ key: String) async throws -> JSON {
        let order: JSON = [
            "currency": "USD", "amount": 30_000, "policy": ["type": "all_or_nothing"],
            "contexts": [
                [
                    "external_identifier": "airline-1", "amount": 30_000,
                    "payment": ["type": "psp_token", "token": "tok_approve", "psp_account": "sim"],
                ]
            ],
        ]
        let reply = try await HTTPCall(.post, url + "/v1/orders", key: key)
            .sending(order, idempotencyKey: "one").reply()
        try #require(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
        return try JSON.parse(reply.body)
    }

    private static func checkOrder(_ place: Workplace, _ order: String) async throws {
        var shown: JSON = .null
        let end = ContinuousClock.now + .patience
        while shown["status"] != "partially_refunded", ContinuousClock.now < end {
            shown = try await place.json("orders", "show", order)
        }
        #expect(shown["refunded_amount"] == 1250)
        let refund = shown["operations"]?.arrayValue?.first { $0["kind"] == "refund" }
        #expect(refund?["origin"] == "psp")
    }

    private static func checkCommands(_ place: Workplace) async throws {
        let listed = try await place.json("webhooks", "list", "--state", "applied", "--psp-account", "sim")
        let types = Set(listed.arrayValue?.compactMap { $0["type"]?.stringValue } ?? [])
        #expect(types == ["authorization.captured", "refund.succeeded"])
        #expect(try await place.json("webhooks", "list", "--limit", "1").arrayValue?.count == 1)
        #expect(try await place.json("webhooks", "list", "--state", "problem") == [])
        let id = try #require(listed[0]?["id"]?.stringValue)

        let page = try await place.run("webhooks", "show", id)
        #expect(page.status == 0)
        for word in [id, "applied", "Notices", "refund", "12.50", "body sha256"] {
            #expect(page.out.contains(word), "\(word) is missing in \(page.out)")
        }
        let shown = try await place.json("webhooks", "show", id)
        #expect(shown["notices"]?[0]?["amount"] == 1250)
        #expect(shown["body_sha256"]?.stringValue?.count == 64)

        let replay = try await place.run("webhooks", "replay", id)
        #expect(replay.status == 0 && replay.err.contains("was applied and is due again"), "\(replay.err)")
        let end = ContinuousClock.now + .patience
        while try await place.json("webhooks", "show", id)["state"] != "applied" {
            try #require(ContinuousClock.now < end)
        }
        let unknown = try await place.run("webhooks", "show", "whk_01hzzzzzzzzzzzzzzzzzzzzzzz")
        #expect(unknown.status == 1 && unknown.err.contains("there is no webhook whk_01h"), "\(unknown.err)")
        let nonsense = try await place.run("webhooks", "replay", "evt_1")
        #expect(nonsense.status == 2 && nonsense.err.contains("evt_1 is no webhook's id"), "\(nonsense.err)")
    }
}
