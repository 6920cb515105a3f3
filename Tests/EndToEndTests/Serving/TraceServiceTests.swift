import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The traces of a server", .timeLimit(.minutes(10)))
struct TraceServiceTests {
    @Test("are sent to the collector before it ends, and hold nothing that a request brought")
    func end() async throws {
        let twin = try CollectorTwin()
        try await Workplace.withDatabase { place in
            var place = place
            place.environment["TRIBUTARY_TRACING_ENDPOINT"] = twin.url
            let server = try place.start([
                "serve", "--stop-when-stdin-closes", "--port", "0", "--log-format", "json",
            ])
            let line = try await server.notice(containing: "the server listens", within: .patience)
            let url = try #require(try JSON.parse(Array(line.utf8))["url"]?.stringValue)
            let reply = try await HTTPCall(.get, url + "/v1/orders?secret=hush", key: "tk_hush").reply()
            #expect(reply.status == 401)
            await server.stop()
            let finished = try await Finished(server, within: .patience)
            #expect(finished.status == 0)
            let span = try #require(try twin.spans().first { $0.name == "GET /v1/orders" })
            #expect(span.kind == 2 && span.parent == nil && span.attributes["http.response.status_code"] == "401")
            let told = try #require(finished.err.split(separator: "\n").first { $0.contains("a request was answered") })
            #expect(try JSON.parse(Array(told.utf8))["trace_id"]?.stringValue == span.trace)
            #expect(!twin.text.contains("hush"))
        }
        await twin.stop()
    }
}
