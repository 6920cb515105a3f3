import HTTPAPI
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A peer that is slow or says too little", .timeLimit(.minutes(10)))
struct SlowPeerTests {
    /// Limits that are over before anybody waits for long.
    private static let hasty: APILimits = {
        var limits = APIHarness.limits
        limits.connections = ConnectionLimits(headMilliseconds: 300, graceMilliseconds: 300, lingerMilliseconds: 200)
        return limits
    }()

    @Test("with the head of a request is told so", arguments: ["GET /livez HTTP/1.1\r\nHost: a\r\n", "G"])
    func head(_ text: String) async throws {
        try await APIHarness.with(.sqlite, limits: Self.hasty) { api in
            let reply = try await RawConnection.exchange(text, port: api.port)
            #expect(reply.hasPrefix("HTTP/1.1 408 "), "\(reply)")
            #expect(reply.contains("\"code\":\"head_too_slow\""), "\(reply)")
            #expect(reply.lowercased().contains("\r\nconnection: close\r\n"), "\(reply)")
        }
    }

    @Test("and has said nothing at all is told nothing")
    func silent() async throws {
        try await APIHarness.with(.sqlite, limits: Self.hasty) { api in
            let reply = try await RawConnection.exchange("", port: api.port)
            #expect(reply.isEmpty, "\(reply)")
        }
    }

    @Test("with a body is told so, and nothing is placed", arguments: DatabaseEngine.allCases)
    func body(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine, limits: Self.hasty) { api in
            let key = try #require(try await api.client("checkout").key)
            let bytes = OrderBody.trip.text
            let head = [
                "POST /v1/orders HTTP/1.1", "Host: localhost", "Authorization: Bearer \(key)",
                "Content-Type: application/json", "Idempotency-Key: a", "Content-Length: \(bytes.utf8.count + 1)",
            ]
            let text = head.joined(separator: "\r\n") + "\r\n\r\n" + bytes
            let reply = try await RawConnection.exchange(text, port: api.port)
            #expect(reply.hasPrefix("HTTP/1.1 408 "), "\(reply)")
            #expect(reply.contains("\"code\":\"body_too_slow\""), "\(reply)")
            #expect(await api.psp.calls.isEmpty)
            let orders = try await api.client("operator").get("/v1/orders")
            #expect(orders.json["data"]?.arrayValue?.isEmpty == true, "\(orders)")
        }
    }

    @Test("may be silent between two requests")
    func keepAlive() async throws {
        var limits = Self.hasty
        limits.connections.headMilliseconds = 60_000
        limits.connections.idleMilliseconds = 300
        try await APIHarness.with(.sqlite, limits: limits) { api in
            let request = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let reply = try await RawConnection.exchange(request + request, port: api.port)
            #expect(reply.ranges(of: "HTTP/1.1 200 ").count == 2, "\(reply)")
            #expect(!reply.contains("HTTP/1.1 408 "), "\(reply)")
        }
    }

    @Test(
        "is answered before its webhook for an account that is not there was read",
        arguments: DatabaseEngine.allCases
    )
    func webhook(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            for path in ["simulator/nobody", "nobody/sim-a"] {
                let head = "POST /v1/psp/\(path)/webhooks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n"
                let reply = try await RawConnection.exchange(head + "{", port: api.port)
                #expect(reply.hasPrefix("HTTP/1.1 404 "), "\(reply)")
                #expect(reply.lowercased().contains("\r\nconnection: close\r\n"), "\(reply)")
            }
        }
    }

    @Test("and shows no valid key is answered before its body was read")
    func stranger() async throws {
        try await APIHarness.with(.sqlite) { api in
            let head = [
                "POST /v1/orders HTTP/1.1", "Host: localhost", "Authorization: Bearer tk_nobody",
                "Content-Type: application/json", "Content-Length: 1000",
            ]
            let reply = try await RawConnection.exchange(head.joined(separator: "\r\n") + "\r\n\r\n{", port: api.port)
            #expect(reply.hasPrefix("HTTP/1.1 401 "), "\(reply)")
            #expect(reply.lowercased().contains("\r\nconnection: close\r\n"), "\(reply)")
        }
    }

    @Test(
        "and does not name its host exactly once is refused",
        arguments: [
            "", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a/b\r\n", "Host: user@a\r\n",
            "Host: a b\r\n",
        ]
    )
    func host(_ fields: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let reply = try await RawConnection.exchange("GET /livez HTTP/1.1\r\n\(fields)\r\n", port: api.port)
            #expect(reply.hasPrefix("HTTP/1.1 400 "), "\(reply)")
            let old = try await RawConnection.exchange("GET /livez HTTP/1.0\r\n\r\n", port: api.port)
            #expect(old.hasPrefix("HTTP/1.") && old.contains(" 200 "), "\(old)")
        }
    }

    @Test("is told to come back if every connection is being served, and finds room where one is not")
    func crowd() async throws {
        var limits = Self.hasty
        limits.connections = ConnectionLimits(connections: 1, lingerMilliseconds: 200)
        try await APIHarness.with(.sqlite, limits: limits) { api in
            await api.psp.always("tok_airline", .authorize, .held)
            let client = try await api.client("checkout")
            async let order = client.post("/v1/orders", OrderBody.trip, key: "a")
            try await api.psp.arrival(of: .authorize, "tok_airline")
            let request = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let refused = try await RawConnection.exchange(request, port: api.port)
            #expect(refused.hasPrefix("HTTP/1.1 503 "), "\(refused)")
            #expect(refused.contains("\"code\":\"too_many_connections\""), "\(refused)")
            #expect(refused.lowercased().contains("\r\nretry-after: 1\r\n"), "\(refused)")
            await api.psp.always("tok_airline", .authorize, nil)
            await api.psp.release("tok_airline", .authorize)
            #expect(try await order.status == 201)
            // The order's connection is kept for another request by now, and makes room.
            let served = try await RawConnection.exchange(request, port: api.port)
            #expect(served.hasPrefix("HTTP/1.1 200 "), "\(served)")
        }
    }
}
