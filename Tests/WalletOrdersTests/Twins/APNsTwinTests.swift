import Domain
import HTTPTransport
import Logging
import OpenSSLCMS
import StrictJSON
import Testing
import WalletTwins

@Suite("The push service's twin", .timeLimit(.minutes(10)))
struct APNsTwinTests {
    private static let token = String(repeating: "ab", count: 32)

    /// A service, and a way to it.
    private struct Stage {
        let twin: RunningAPNsTwin
        let transport: HTTPTransport
        let keys: OrderTypeKeys

        func push(
            to path: String = "/3/device/" + APNsTwinTests.token,
            topic: String? = nil,
            payload: String = "{}",
            identity: ClientIdentity?? = .none,
            isFresh: Bool = false,
            milliseconds: Int = 20_000
        ) async throws -> HTTPResult {
            var request = HTTPRequest(.post, twin.url + path, body: Array(payload.utf8))
            request.headers = [
                HTTPHeader("apns-topic", topic ?? keys.orderTypeIdentifier), HTTPHeader("apns-push-type", "background"),
                HTTPHeader("apns-priority", "5"),
            ]
            request.trustedAuthorities = .bytes(try keys.root.certificate.pem())
            let own = ClientIdentity(
                certificate: .bytes(try keys.orderType.certificate.pem()),
                key: .bytes(try keys.orderType.key.pem())
            )
            request.clientIdentity = identity ?? own
            request.freshConnection = isFresh
            request.totalTimeoutMilliseconds = milliseconds
            return await transport.send(request)
        }
    }

    private static func with(
        onDelivery: @escaping @Sendable (APNsPush) async -> Void = { _ in },
        _ body: (Stage) async throws -> Void
    ) async throws {
        let keys = try OrderTypeKeys(
            orderTypeIdentifier: "order.com.example.travel",
            notBefore: Timestamp(seconds: 1_577_836_800),
            days: 7300
        )
        let twin = try await APNsTwin(
            keys: keys,
            logger: Logger(label: "apns") { _ in SwiftLogNoOpLogHandler() },
            onDelivery: onDelivery
        ).start()
        let transport = HTTPTransport()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Stage(twin: twin, transport: transport, keys: keys)))
        } catch {
            result = .failure(error)
        }
        await transport.stop()
        await twin.stop()
        try result.get()
    }

    private static func reply(_ result: HTTPResult) throws -> HTTPReply {
        guard case .reply(let reply) = result else {
            Issue.record("\(result)")
            throw CancellationError()
        }
        return reply
    }

    @Test("It takes pushes over one connection, and remembers what it was sent")
    func pushes() async throws {
        try await Self.with { stage in
            for _ in 0..<3 { #expect(try Self.reply(await stage.push()).status == 200) }
            #expect(await stage.twin.book.wait(for: 3))
            let push = try #require(stage.twin.book.pushes(to: Self.token).first)
            #expect(push.topic == "order.com.example.travel")
            #expect(push.pushType == "background")
            #expect(push.priority == "5")
            #expect(push.payload == Array("{}".utf8))
            #expect(stage.twin.book.connections == 1)
            #expect(stage.twin.book.refusals.isEmpty)
        }
    }

    @Test("It answers by its script, device by device, and delivers afterwards")
    func script() async throws {
        try await Self.with { stage in
            let moment = Timestamp(seconds: 1_772_366_400)
            stage.twin.book.script(
                Self.token,
                .unregistered(at: moment),
                .tooManyRequests,
                .badDeviceToken,
                .serverError,
                .unavailable
            )
            var replies: [HTTPReply] = []
            for _ in 0..<6 { replies.append(try Self.reply(await stage.push())) }
            #expect(replies.map(\.status) == [410, 429, 400, 500, 503, 200])
            #expect(try JSON.parse(replies[0].body) == ["reason": "Unregistered", "timestamp": 1_772_366_400_000])
            #expect(try JSON.parse(replies[1].body)["reason"] == "TooManyRequests")
            #expect(
                try Self.reply(await stage.push(to: "/3/device/" + String(repeating: "cd", count: 32))).status == 200
            )
        }
    }

    @Test("It falls silent when told to, having heard")
    func silence() async throws {
        try await Self.with { stage in
            stage.twin.book.script(Self.token, .silence)
            let result = try await stage.push(milliseconds: 500)
            guard case .failure(let failure) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.reason == .timedOut)
            #expect(failure.mayHaveArrived)
            #expect(stage.twin.book.pushes.map(\.answer) == [.silence])
        }
    }

    @Test("It shakes no hands without a certificate of its root")
    func certificates() async throws {
        try await Self.with { stage in
            let stranger = try OrderTypeKeys(
                orderTypeIdentifier: "order.com.example.travel",
                notBefore: Timestamp(seconds: 1_577_836_800),
                days: 7300
            )
            let other = ClientIdentity(
                certificate: .bytes(try stranger.orderType.certificate.pem()),
                key: .bytes(try stranger.orderType.key.pem())
            )
            for identity in [nil, other] {
                if case .reply(let reply) = try await stage.push(identity: .some(identity)) { Issue.record("\(reply)") }
            }
            #expect(stage.twin.book.pushes.isEmpty)
        }
    }

    @Test("What no service would take is refused by its reason, and told to the test")
    func refusals() async throws {
        try await Self.with { stage in
            let results = [
                (try await stage.push(topic: "order.com.example.other"), 400, "TopicDisallowed"),
                (try await stage.push(to: "/3/device/xyz"), 400, "BadDeviceToken"),
                (try await stage.push(payload: "{\"aps\":{}}"), 400, "PayloadEmpty"),
                (try await stage.push(payload: String(repeating: " ", count: 5000)), 413, "PayloadTooLarge"),
                // A connection of its own speaks HTTP/1.1.
                (try await stage.push(isFresh: true), 400, "BadRequest"),
            ]
            for (result, status, reason) in results {
                let reply = try Self.reply(result)
                #expect(reply.status == status)
                #expect(try JSON.parse(reply.body)["reason"]?.stringValue == reason)
            }
            #expect(stage.twin.book.pushes.isEmpty)
            #expect(stage.twin.book.refusals.count == 5)
        }
    }

    @Test("What is delivered goes to the device, and nothing else does")
    func delivery() async throws {
        let (deliveries, teller) = AsyncStream<String>.makeStream()
        let deliver: @Sendable (APNsPush) async -> Void = { push in teller.yield(push.pushToken) }
        try await Self.with(onDelivery: deliver) { stage in
            stage.twin.book.script(Self.token, .tooManyRequests)
            for _ in 0..<2 { _ = try await stage.push() }
            teller.finish()
            var delivered: [String] = []
            for await token in deliveries { delivered.append(token) }
            #expect(delivered == [Self.token])
        }
    }
}
