import AdapterKit
import Domain
import NIOFileSystem
import PSPSimulator
import SimulatorAdapter
import StrictJSON
import Testing

@Suite("Webhooks are delivered", .timeLimit(.minutes(10)))
struct WebhookDeliveryTests {
    private static func capture(_ client: RawClient, _ made: RawReply) async throws {
        let id = try #require(made.json?["id"]?.stringValue)
        let body: JSON = ["reference": "op_1", "amount": 1000]
        #expect(try await client.post("/v1/authorizations/\(id)/captures", key: "c", body).status == 201)
    }

    @Test(
        "before the answer if the token says so",
        arguments: ["tok_webhook_first", "tok_webhook_first+authorize_close_after"]
    )
    func first(token: String) async throws {
        try await withReceiver { receiver, _, client in
            _ = try await client.authorize(token, reference: "att_1")
            #expect(await receiver.received.count == 1)
        }
    }

    /// Repetitions that no test waits for.
    private static let patient: @Sendable (inout WebhookSettings) -> Void = { $0.retryMilliseconds = [60_000] }

    @Test("and an answer waits for one that is not taken no longer than it says")
    func patience() async throws {
        try await withReceiver(replies: [500], configure: Self.patient) { receiver, _, client in
            let reply = try await client.authorize("tok_webhook_first_50", reference: "att_1")
            #expect(reply.status == 201)
            #expect(await receiver.first(1).count == 1)
        }
    }

    @Test("twice under one identifier if the token says so")
    func twice() async throws {
        try await withReceiver { receiver, _, client in
            _ = try await client.authorize("tok_webhook_twice", reference: "att_1")
            let events = try await receiver.first(2).flatMap { try Hearing().events($0) }
            #expect(events.count == 2 && events[0] == events[1])
        }
    }

    @Test("after those of what follows if the token says so")
    func late() async throws {
        try await withReceiver { receiver, _, client in
            let made = try await client.authorize("tok_webhook_late_1500", reference: "att_1")
            try await Self.capture(client, made)
            let words = try Hearing().words(await receiver.first(2))
            #expect(words == ["capture succeeded 1000/0", "authorize succeeded 1000/0"])
        }
    }

    @Test("not at all if the token says so")
    func none() async throws {
        try await withReceiver { receiver, simulator, client in
            let made = try await client.authorize("tok_webhook_none", reference: "att_1")
            try await Self.capture(client, made)
            #expect(try Hearing().words(await receiver.first(1)) == ["capture succeeded 1000/0"])
            #expect(simulator.webhooks.dropped == 0)
        }
    }

    @Test("again until they are taken, with the same identifier and body")
    func retried() async throws {
        try await withReceiver(replies: [500, 302, 200]) { receiver, simulator, client in
            _ = try await client.authorize("tok_webhook_first", reference: "att_1")
            let received = await receiver.received
            #expect(received.count == 3)
            #expect(Set(received.map(\.body)).count == 1)
            #expect(Set(try received.map { try Hearing().events($0)[0].id }).count == 1)
            #expect([simulator.webhooks.delivered, simulator.webhooks.failed] == [1, 0])
        }
    }

    @Test("no more than the repetitions allow, and the next one is tried all the same")
    func givenUp() async throws {
        try await withReceiver(replies: [500, 500, 500, 200]) { receiver, simulator, client in
            let made = try await client.authorize("tok_approve+capture_webhook_first", reference: "att_1")
            try await Self.capture(client, made)
            #expect(await receiver.received.count == 4)
            #expect(
                [simulator.webhooks.delivered, simulator.webhooks.failed, simulator.webhooks.waiting] == [1, 1, 0]
            )
            #expect(try await client.get("/books").json?["webhooks"]?["failed"] == 1)
        }
    }

    @Test("only as many as may wait; the rest is dropped and counted")
    func bounded() async throws {
        let configure: (inout WebhookSettings) -> Void = {
            $0.waitingLimit = 2
            $0.retryMilliseconds = [60_000]
        }
        try await withReceiver(replies: [500], configure: configure) { _, simulator, client in
            for number in 1...5 { _ = try await client.authorize("tok_approve", reference: "att_\(number)") }
            #expect([simulator.webhooks.waiting, simulator.webhooks.dropped] == [2, 3])
        }
    }

    @Test("of each account to its own endpoint, as registered over HTTP")
    func registration() async throws {
        try await withReceiver { receiver, _, client in
            var other = client
            other.key = "key_other"
            #expect(try await other.get("/v1/webhook").status == 404)
            _ = try await other.authorize("tok_webhook_first", reference: "att_1")
            #expect(await receiver.received.isEmpty)
            let wish: JSON = ["url": .string(await receiver.url), "secret": "c2VjcmV0"]
            let body = ["Content-Length: \(wish.text.utf8.count)"]
            #expect(try await other.send("PUT", "/v1/webhook", headers: body, body: wish.text).status == 200)
            #expect(try await other.get("/v1/webhook").json?["url"]?.stringValue == (await receiver.url))
            _ = try await other.authorize("tok_webhook_first", reference: "att_2")
            let incoming = try #require(await receiver.received.first)
            #expect(try Hearing(secret: "c2VjcmV0").events(incoming).count == 1)
            #expect(try Hearing().adapter.webhook(incoming) == .refused(.wrongSignature))
            #expect(try await other.send("DELETE", "/v1/webhook").status == 200)
            _ = try await other.authorize("tok_webhook_first", reference: "att_3")
            #expect(await receiver.received.count == 1)
            #expect(try await other.send("DELETE", "/v1/webhook").status == 404)
        }
    }

    @Test(
        "nowhere but to this machine, unless told otherwise",
        arguments: [
            ("http://example.com/hooks", "c2VjcmV0"), ("https://127.0.0.1.example.com", "c2VjcmV0"),
            ("http://127.0.0.1@example.com/", "c2VjcmV0"), ("ftp://127.0.0.1/", "c2VjcmV0"),
            ("http://127.0.0.1:1/", ""), ("http://127.0.0.1:1/", "whsec_"), ("http://127.0.0.1:1/", "not base 64"),
        ]
    )
    func refused(url: String, secret: String) async throws {
        try await withSimulator { _, client in
            let wish: JSON = ["url": .string(url), "secret": .string(secret)]
            let length = ["Content-Length: \(wish.text.utf8.count)"]
            let reply = try await client.send("PUT", "/v1/webhook", headers: length, body: wish.text)
            #expect(reply.status == 400)
            #expect(secret.utf8.count <= 6 || !reply.body.contains(secret))
            var anonymous = client
            anonymous.key = ""
            #expect(try await anonymous.send("PUT", "/v1/webhook", headers: length, body: wish.text).status == 401)
        }
        let endpoint = try? WebhookEndpoint(account: "a", url: url, secret: secret)
        guard let endpoint else { return }
        await #expect(throws: WebhookEndpointError.notLoopback) {
            try await withSimulator(webhooks: WebhookSettings(endpoints: [endpoint])) { _, _ in }
        }
        var settings = WebhookSettings(endpoints: [endpoint])
        settings.allowsOtherHosts = true
        try await withSimulator(webhooks: settings) { _, _ in }
    }

    @Test("after a restart only of what happens from then on")
    func restart() async throws {
        try await FileSystem.shared.withTemporaryDirectory { _, directory in
            let books = BooksStorage.file(path: "\(directory)/books.jsonl")
            try await withReceiver(books: books) { receiver, _, client in
                _ = try await client.authorize("tok_webhook_first+capture_pending_1500", reference: "att_1")
                let found = try await client.get("/v1/authorizations?reference=att_1")
                let id = try #require(found.json?["data"]?[0]?["id"]?.stringValue)
                let body: JSON = ["reference": "op_1", "amount": 1000]
                _ = try await client.post("/v1/authorizations/\(id)/captures", key: "c", body)
                let words = try Hearing().words(await receiver.first(2))
                #expect(words.last == "capture pending")
            }
            try await withReceiver(books: books) { receiver, _, _ in
                let words = try Hearing().words(await receiver.first(1))
                #expect(words == ["capture succeeded 1000/0"])
            }
        }
    }

    @Test("no more once the simulator has stopped, which nothing that waits delays")
    func stopped() async throws {
        try await withReceiver(replies: [500], configure: Self.patient) {
            receiver,
            simulator,
            client in
            _ = try await client.authorize("tok_webhook_late_60000", reference: "att_1")
            _ = try await client.authorize("tok_approve", reference: "att_2")
            #expect(await receiver.first(1).count == 1)
            let elapsed = await ContinuousClock().measure { await simulator.stop() }
            #expect(elapsed < .seconds(10))
            #expect(await receiver.received.count == 1)
        }
    }

    @Test("and an answer that waits for them does not keep the simulator from stopping")
    func stoppedWhileWaiting() async throws {
        try await withReceiver(replies: [500], configure: Self.patient) { receiver, simulator, client in
            async let answer = client.authorize("tok_webhook_first_60000", reference: "att_1")
            #expect(await receiver.first(1).count == 1)
            let elapsed = await ContinuousClock().measure { await simulator.stop() }
            #expect(elapsed < .seconds(10))
            _ = try? await answer
        }
    }

    @Test("and no description or book shows their secret")
    func secrecy() async throws {
        try await withReceiver { receiver, simulator, client in
            _ = try await client.authorize("tok_webhook_first", reference: "att_1")
            let endpoint = try await receiver.endpoint
            var dumped = ""
            dump(endpoint, to: &dumped)
            dump(WebhookSettings(endpoints: [endpoint]), to: &dumped)
            let books = try await client.get("/books").body + (try await client.get("/v1/webhook").body)
            let secret = WebhookReceiver.secret.dropFirst("whsec_".count)
            for text in [dumped, "\(endpoint)", String(reflecting: endpoint), books] {
                #expect(!text.contains(secret))
                #expect(!text.contains("115, 105, 109"), "the key's bytes")
            }
        }
    }
}
