import StrictJSON
import Testing
import TributaryTestKit

/// What a server does for a request grows with its length and no faster, whatever it consists of: over real sockets, by
/// the processor's time of the serving process, which serves nobody else.
@Suite("Every route, in front of marks without end", .serialized, .timeLimit(.minutes(10)))
struct RouteWorkTests {
    /// As much work as so many times the same length of ASCII.
    private static let bound = 8.0
    /// What a request is taken to cost at least: what is refused at its first byte is no measure.
    private static let leastNanoseconds: Int64 = 4_000_000
    /// How long the text is in bodies; half of what a body may have.
    private static let bytes = 100_000
    /// A little less than all header fields, or a target, may have.
    private static let headBytes = 32_000
    /// How many requests with a header field are sent at once: one of them does not take long enough.
    private static let atOnce = 8
    private static let tries = 3

    /// Header fields that anything on the way to an answer reads, and one that nothing does.
    private static let fields = [
        "Accept", "Authorization", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Cookie",
        "Expect", "Host", "Idempotency-Key", "Transfer-Encoding", "Upgrade", "Stripe-Signature", "webhook-signature",
        "X-Else",
    ]
    /// Members of the bodies that routes read.
    private static let members = [
        "reference", "currency", "capture", "return_url", "metadata", "amount", "allocate", "reason", "required",
        "external_identifier", "name", "domain", "kind", "country", "validation_url", "token", "request",
    ]

    @Test("costs no more than as much ASCII in any header field of any request")
    func headers() async throws {
        try await Self.serving { server in
            for field in Self.fields {
                for row in ["GET /v1/orders", "POST /v1/orders", "POST /v1/psp/simulator/psp-0/webhooks"] {
                    try await server.compare("\(field) of \(row)") { text in
                        let field = "\(field): \(Self.cut(text, Self.headBytes))"
                        let request = Self.request(row, headers: [field], body: "{}", isLast: false)
                        // The last request closes the connection, if it is still open.
                        return String(repeating: request, count: Self.atOnce) + Self.request("GET /livez")
                    }
                }
            }
        }
    }

    @Test("costs no more in the target and the body of any route")
    func routes() async throws {
        try await Self.serving { server in
            for row in AccessRow.all {
                for (what, make) in Self.requests(of: row) {
                    try await server.compare("\(what) of \(row.operation)", make)
                }
            }
        }
    }

    /// A route's requests with a text in each place that it has.
    private static func requests(of row: AccessRow) -> [(String, @Sendable (String) -> String)] {
        let plain = path(row.path) { _ in "psp-0" }
        let targets: [(String, @Sendable (String) -> String)] = [
            ("a bare target", { text in request("\(row.method) \(plain)/\(cut(text, headBytes - 500))") }),
            (
                "an encoded target",
                { text in
                    let (name, query) = (encoded(cut(text, headBytes / 5)), encoded(cut(text, headBytes / 10)))
                    return request("\(row.method) \(path(row.path) { _ in name })?\(query)=1")
                }
            ),
            (
                "a query",
                { text in
                    let names = ["limit", "starting_after", "status", "reference", "currency", "from", "format"]
                    let part = encoded(cut(text, 1200))
                    return request("\(row.method) \(plain)?" + names.map { "\($0)=\(part)" }.joined(separator: "&"))
                }
            ),
        ]
        guard row.method == "POST" else { return targets }
        let bodies: [(String, @Sendable (String) -> String)] = [
            ("a key", { text in request("POST \(plain)", body: "{\"\(text)\":1,\"\(text)1\":2}") }),
            (
                "values",
                { text in
                    let part = cut(text, 8000)
                    return request("POST \(plain)", body: JSON.object(members.map { .init($0, .string(part)) }).text)
                }
            ),
            ("no JSON", { text in request("POST \(plain)", body: text) }),
        ]
        return targets + bodies
    }

    /// A path with its names in braces filled.
    private static func path(_ template: String, _ fill: (String) -> String) -> String {
        template.split(separator: "/").map { part in
            part == "{psp}" ? "simulator" : part.first == "{" ? fill(String(part)) : String(part)
        }.reduce("") { "\($0)/\($1)" }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { "%\(String(Int($0) + 256, radix: 16).dropFirst())" }.joined()
    }

    /// As much of a text as has no more than so many bytes.
    private static func cut(_ text: String, _ bytes: Int) -> String {
        var (scalars, count) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= bytes else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// A request as it is sent, with a key and everything else that it needs.
    private static func request(
        _ line: String,
        headers: [String] = [],
        body: String = "",
        isLast: Bool = true
    ) -> String {
        let names = Set(headers.compactMap { $0.split(separator: ":").first.map(String.init) })
        let usual = [
            ("Host", "localhost"), ("Authorization", "Bearer " + Bazaar.apiKey), ("Content-Type", "application/json"),
            ("Idempotency-Key", "key"), ("Content-Length", String(body.utf8.count)),
        ]
        // Both name the length of the body; a request with two of them is refused for that.
        let hasLength = names.contains("Transfer-Encoding")
        let others = usual.filter { !names.contains($0.0) && !($0.0 == "Content-Length" && hasLength) }
        let fields = headers + others.map { "\($0.0): \($0.1)" } + (isLast ? ["Connection: close"] : [])
        return (["\(line) HTTP/1.1"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// Lends a server that serves nobody else.
    private static func serving(_ body: (Server) async throws -> Void) async throws {
        let bazaar = Bazaar(baseURLs: ["http://127.0.0.1:1"])
        try await DatabaseLocation.with(.sqlite, prepare: bazaar.template()) { location in
            try await Fleet.with(1, of: bazaar, on: location) { fleet in
                let port = try #require(fleet.url(0).split(separator: ":").last.flatMap { Int($0) })
                try await body(Server(process: fleet.process(0), port: port))
            }
        }
    }

    /// A server, and what it does.
    private struct Server {
        let process: Int32
        let port: Int

        /// Compares the work for a request with a text in it with that for as much ASCII, for every kind of text.
        func compare(_ what: String, _ make: @Sendable (String) -> String) async throws {
            for hostile in HostileText.allCases {
                let (bad, plain) = (make(hostile.text(RouteWorkTests.bytes)), make(hostile.ascii(RouteWorkTests.bytes)))
                var least = (bad: Int64.max, plain: Int64.max)
                for _ in 0..<RouteWorkTests.tries {
                    least.plain = min(least.plain, try await nanoseconds(plain))
                    least.bad = min(least.bad, try await nanoseconds(bad))
                    let ratio = Double(least.bad) / Double(max(least.plain, RouteWorkTests.leastNanoseconds))
                    // What is within the bound once is within it; only what is beyond it is tried again.
                    if ratio < RouteWorkTests.bound { break }
                }
                let ratio = Double(least.bad) / Double(max(least.plain, RouteWorkTests.leastNanoseconds))
                #expect(ratio < RouteWorkTests.bound, "\(hostile) in \(what): \(ratio)")
            }
        }

        /// The processor's time for a request and its answer.
        private func nanoseconds(_ request: String) async throws -> Int64 {
            let before = try #require(ProcessorWork.nanoseconds(of: process))
            // A server that refuses before it has read everything may end the connection before everything is sent.
            _ = try? await RawConnection.exchange(request, port: port)
            // Whatever is done behind the answer is done by the time another one is given.
            _ = try? await RawConnection.exchange(RouteWorkTests.request("GET /livez"), port: port)
            return try #require(ProcessorWork.nanoseconds(of: process)) - before
        }
    }
}
