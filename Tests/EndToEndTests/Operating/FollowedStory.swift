import Foundation
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

/// A workplace with two PSPs, a collector of traces and a shop that is told, in which gateways write their log as JSON.
struct FollowedStory: Sendable {
    /// The trace and the span of the caller that places the order.
    static let trace = "0af7651916cd43dd8448eb211c80319c"
    static let caller = "b7ad6b7169203331"

    let place: Workplace
    let collector: CollectorTwin
    let shop: ScriptedServer

    /// A gateway of it.
    struct Instance: Sendable {
        let program: RunningProgram
        let url: String

        /// The lines of its log so far that are about an order.
        func lines(about order: String) throws -> [JSON] {
            try program.errors.text.split(separator: "\n").filter { $0.hasPrefix("{") }
                .map { try JSON.parse(Array($0.utf8)) }
                .filter { $0["order"]?.stringValue == order }
        }

        /// What it tells of itself, read strictly; anybody may ask this machine.
        func metrics() async throws -> PrometheusText {
            let reply = try await HTTPCall(.get, url + "/metrics", key: "").reply()
            return try PrometheusText(String(decoding: reply.body, as: UTF8.self))
        }
    }

    /// Lends it, on PostgreSQL, with the marketplace in it.
    static func with(_ body: (FollowedStory, _ key: String) async throws -> Void) async throws {
        let collector = try CollectorTwin()
        let shop = try ScriptedServer(each: .readRequest, .write("HTTP/1.1 204 Taken\r\nConnection: close\r\n\r\n"))
        try await Workplace.withDatabase(.postgres) { place in
            var place = place
            place.environment["TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK"] = "true"
            place.environment["TRIBUTARY_TRACING_ENDPOINT"] = collector.url
            // The PSP does not answer the first capture at all.
            place.environment["TRIBUTARY_TIMINGS_GRACE"] = "1s"
            place.environment["TRIBUTARY_TIMINGS_POLL"] = "50ms"
            place.environment["HOOK_SECRET"] = Hooks.secret
            let (first, second) = (try await place.serve(["simulate-psp"]).1, try await place.serve(["simulate-psp"]).1)
            try place.write(declaration(first, second, shop.port), to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let made = try await place.json("keys", "create", "--scope", "checkout", "--scope", "operator")
            let story = FollowedStory(place: place, collector: collector, shop: shop)
            try await body(story, try #require(made["key"]?.stringValue))
        }
        shop.stop()
        await collector.stop()
    }

    private static func declaration(_ first: String, _ second: String, _ shop: UInt16) -> String {
        """
        marketplace:
          id: travel
          name: Travel Now
          callback: { url: "http://127.0.0.1:\(shop)/hooks", secret: "env:HOOK_SECRET" }
        psp_accounts:
          - { id: sim-a, psp: simulator, base_url: "\(first)", credentials: { api_key: "env:SIM_KEY" } }
          - { id: sim-b, psp: simulator, base_url: "\(second)", credentials: { api_key: "env:SIM_KEY" } }
        merchants:
          - { external_identifier: airline-1, name: Skyways, routes: [{ psp_account: sim-a }] }
          - { external_identifier: hotel-7, name: Grand Hotel, routes: [{ psp_account: sim-b }] }
        """
    }

    /// Starts a gateway.
    func serve() async throws -> Instance {
        let program = try place.start(["serve", "--stop-when-stdin-closes", "--port", "0", "--log-format", "json"])
        let line = try await program.notice(containing: "the server listens", within: .patience)
        return Instance(program: program, url: try #require(try JSON.parse(Array(line.utf8))["url"]?.stringValue))
    }

    /// Places an order whose hotel is declined and whose airline's capture takes effect and is not answered before it is asked for again.
    func order(at instance: Instance, _ key: String) async throws -> HTTPReply {
        let order: JSON = [
            "currency": "USD", "amount": 48_500, "policy": ["type": "required", "external_identifiers": ["airline-1"]],
            "reference": "followed-1",
            "contexts": [
                [
                    "external_identifier": "airline-1", "amount": 30_000,
                    "payment": [
                        "type": "psp_token", "token": "tok_approve+capture_timeout_after", "psp_account": "sim-a",
                    ],
                ],
                [
                    "external_identifier": "hotel-7", "amount": 18_500,
                    "payment": ["type": "psp_token", "token": "tok_decline_generic", "psp_account": "sim-b"],
                ],
            ],
        ]
        return try await HTTPCall(.post, instance.url + "/v1/orders", key: key)
            .adding("traceparent", "00-\(Self.trace)-\(Self.caller)-01")
            .sending(order, idempotencyKey: "one").reply()
    }

    /// The types of what the shop was told, in the order in which it came.
    func told() throws -> [String] {
        try shop.requests.map { try JSON.parse($0.body)["type"]?.stringValue ?? "" }
    }

    /// Waits until something holds, for a minute at most.
    static func wait(until holds: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .patience
        while !(try await holds()) {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
