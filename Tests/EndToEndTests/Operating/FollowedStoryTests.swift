import Foundation
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("An order that fails in part at two PSPs", .timeLimit(.minutes(10)))
struct FollowedStoryTests {
    /// How the gateway ends that has the order in hand.
    enum End: Sendable, CaseIterable {
        /// It is told to, and hands over.
        case stopped
        /// It is killed; another one waits for its heartbeat, up to 12 s.
        case killed

        /// All of them with `TRIBUTARY_TEST_OPERATIONS=all`.
        static let tried: [End] = Operations.areAllTried ? allCases : [.stopped]
    }

    @Test(
        "is followed by its id from the request to the last callback, though another instance carries it on",
        arguments: End.tried
    )
    func follow(_ end: End) async throws {
        try await FollowedStory.with { story, key in
            let (first, second) = (try await story.serve(), try await story.serve())
            let reply = try await story.order(at: first, key)
            try #require(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
            let order = try #require(try JSON.parse(reply.body)["id"]?.stringValue)
            // What the first has told of by then is not lost with it.
            try await FollowedStory.wait {
                let names = try story.collector.spans().map(\.name)
                let told = try first.lines(about: order).filter { $0["message"] == "a callback was delivered" }
                let isDecided = try story.told().contains("order.accepted")
                return names.contains("POST /v1/orders") && names.count { $0 == "psp authorize" } == 2
                    && told.count == story.shop.requests.count && isDecided
            }
            let before = try await first.metrics()
            switch end {
            case .stopped: Foundation.kill(first.program.id, SIGTERM)
            case .killed: await first.program.kill()
            }
            try await FollowedStory.wait { try story.told().contains("payment.captured") }
            try await FollowedStory.wait {
                let lines = try first.lines(about: order) + second.lines(about: order)
                return lines.count { $0["message"] == "a callback was delivered" } == story.shop.requests.count
            }
            let after = try await second.metrics()
            await second.program.stop()
            try Self.checkLines(
                first,
                second,
                order,
                requestID: reply.header("Request-Id"),
                told: story.shop.requests.count,
                end
            )
            try Self.checkSpans(story, order)
            Self.checkFigures(before, after, end)
        }
    }

    /// One line a happening, each with the order's id, and the trace's beside it.
    private static func checkLines(
        _ first: FollowedStory.Instance,
        _ second: FollowedStory.Instance,
        _ order: String,
        requestID: String?,
        told: Int,
        _ end: End
    ) throws {
        let (early, late) = (try first.lines(about: order), try second.lines(about: order))
        func named(_ message: String, _ lines: [JSON]) -> [JSON] {
            lines.filter { $0["message"]?.stringValue == message }
        }
        let answered = named("a request was answered", early)
        #expect(answered.map { $0["route"] } == ["/v1/orders"])
        #expect(answered.map { $0["request_id"]?.stringValue } == [requestID])
        let calls = named("a PSP was called", early).filter { $0["call"] == "authorize" }
        #expect(Set(calls.compactMap { $0["psp_account"]?.stringValue }) == ["travel/sim-a", "travel/sim-b"])
        #expect(Set(calls.compactMap { $0["outcome"]?.stringValue }) == ["succeeded", "declined"])
        #expect(named("an order was decided", early).last?["decision"] == "accepted")
        // What is handed over is taken by the other, unless the first hears before that its call is broken off.
        let taken = named("what another instance left is taken over", late).count
        #expect(end == .killed ? taken == 1 : taken <= 1, "\(late)")
        let captures = named("a PSP was called", late).filter { $0["call"] == "capture" }
        #expect(captures.map { $0["outcome"] } == ["succeeded"], "\(late)")
        #expect(named("a callback was delivered", early + late).count == told)
        let strange = (early + late).filter { $0["trace_id"]?.stringValue != FollowedStory.trace }
        #expect(strange == [])
    }

    /// One trace, below the caller's span, in two processes.
    private static func checkSpans(_ story: FollowedStory, _ order: String) throws {
        let spans = try story.collector.spans().filter { $0.trace == FollowedStory.trace }
        let request = try #require(spans.first { $0.name == "POST /v1/orders" })
        #expect(request.parent == FollowedStory.caller && request.attributes["tributary.order.id"] == order)
        #expect(spans.allSatisfy { $0 == request || $0.parent == request.id })
        #expect(spans.allSatisfy { $0.attributes["tributary.order.id"] == order }, "\(spans)")
        let authorizations = spans.filter { $0.name == "psp authorize" }
        #expect(authorizations.compactMap { $0.attributes["tributary.outcome"] }.sorted() == ["declined", "succeeded"])
        #expect(authorizations.allSatisfy { $0.instance == request.instance })
        let captured = spans.filter { $0.name == "psp capture" && $0.attributes["tributary.outcome"] == "succeeded" }
        #expect(captured.count == 1 && captured.allSatisfy { $0.instance != request.instance }, "\(spans)")
        // The shop was told within the trace, each time by a span that the collector has.
        let fields = story.shop.requests.compactMap { $0.header("traceparent") }
        let callbacks = spans.filter { $0.name == "callback" }.map { "00-\(FollowedStory.trace)-\($0.id)-01" }
        #expect(fields.count == story.shop.requests.count && Set(fields) == Set(callbacks))
        #expect(Set(spans.filter { $0.name == "callback" }.map(\.instance)).count == 2)
    }

    private static func checkFigures(_ before: PrometheusText, _ after: PrometheusText, _ end: End) {
        func sum(_ text: PrometheusText, _ name: String, _ labels: [String: String] = [:]) -> Double {
            text.families.flatMap(\.samples)
                .filter { sample in sample.name == name && labels.allSatisfy { sample.labels[$0] == $1 } }
                .reduce(0) { $0 + $1.value }
        }
        #expect(sum(before, "tributary_orders_placed_total") == 1)
        #expect(sum(before, "tributary_order_decisions_total", ["decision": "accepted"]) == 1)
        for (account, outcome) in [("travel/sim-a", "succeeded"), ("travel/sim-b", "declined")] {
            let labels = ["psp_account": account, "operation": "authorize", "outcome": outcome]
            #expect(sum(before, "tributary_psp_calls_total", labels) == 1, "\(labels)")
        }
        #expect(sum(before, "tributary_psp_calls_in_flight") == 1)
        #expect(sum(after, "tributary_orders_placed_total") == 0)
        let labels = ["psp_account": "travel/sim-a", "operation": "capture", "outcome": "succeeded"]
        #expect(sum(after, "tributary_psp_calls_total", labels) == 1)
        #expect(sum(after, "tributary_callback_deliveries_total", ["outcome": "delivered"]) >= 1)
        #expect(sum(after, "tributary_instances_taken_total") == (end == .killed ? 1 : 0))
    }
}
