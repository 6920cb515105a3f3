import Callbacks
import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("An endpoint that moves", .timeLimit(.minutes(10)))
struct MovedEndpointTests {
    private static let elsewhere = "https://hooks.example/new"

    /// How an endpoint is moved while a round at its old address is out, and what that address answers then.
    struct Move: Sendable {
        let isDeclared: Bool
        let answer: CallbackReply

        static let all = [false, true].flatMap { isDeclared in
            [
                CallbackReply.status(410, retryAfter: nil), .status(503, retryAfter: "86400"),
                .status(500, retryAfter: nil), .silence("timed out"), .status(204, retryAfter: nil),
            ].map { Move(isDeclared: isDeclared, answer: $0) }
        }

        var arrives: Bool { answer == .status(204, retryAfter: nil) }

        func carryOut(on stage: DeliveryStage) async throws {
            guard isDeclared else {
                _ = try await MovedEndpointTests.act(on: stage, MovedEndpointTests.elsewhere)
                return
            }
            let endpoint = EndpointDocument(
                url: MovedEndpointTests.elsewhere,
                secret: WebhookSigner.usual.reference,
                identity: nil
            )
            let declared = MarketplaceDocument(
                .init(id: "travel", name: "travel"),
                accounts: [],
                merchants: [],
                endpoint: endpoint
            )
            _ = try await Apply(stage.database, by: .instance("test")) { throw CancellationError() }.apply(declared)
        }
    }

    /// Moves the endpoint before its old address answers; the new one takes everything.
    private struct MovingSender: CallbackSender {
        let move: Move
        let stage: DeliveryStage

        func send(_ request: CallbackRequest) async -> CallbackReply {
            guard request.url != elsewhere else { return .status(200, retryAfter: nil) }
            do { try await move.carryOut(on: stage) } catch { Issue.record("\(error)") }
            return move.answer
        }

        func refusal(of url: String) -> String? { nil }
    }

    private static func act(on stage: DeliveryStage, _ url: String) async throws -> CallbackEndpoint? {
        try await Endpoints(stage.database, by: .instance("test"))
            .move(stage.endpoints[0].id, of: "travel", to: url, at: stage.clock.now())
    }

    @Test(
        "is told everything at its new address at once, whatever the old one answers late",
        arguments: DatabaseEngine.allCases,
        Move.all
    )
    func late(engine: DatabaseEngine, move: Move) async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(engine, at: [server]) { stage in
            let callback = try await stage.write(1)[0]
            let deliverer = stage.deliverer(by: MovingSender(move: move, stage: stage))
            #expect(await deliverer.beat() == 1)
            let moved = try #require(try await stage.endpoint())
            #expect(moved.url == Self.elsewhere && moved.state == .enabled)
            #expect(moved.health == CallbackEndpoint.Health())
            let stored = try #require(try await stage.stored(callback.id))
            #expect(stored.state == (move.arrives ? .delivered : .waiting) && stored.attempts == 0)
            #expect(await deliverer.beat() == (move.arrives ? 0 : 1))
            #expect(try await stage.stored(callback.id)?.state == .delivered)
        }
    }

    @Test(
        "is enabled again if its old address wanted nothing more, and not if it is no longer declared",
        arguments: DatabaseEngine.allCases,
        CallbackEndpoint.Reason.allCases
    )
    func disabled(engine: DatabaseEngine, reason: CallbackEndpoint.Reason) async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(engine, at: [server]) { stage in
            let endpoint = stage.endpoints[0]
            let isDisabled = try await stage.database.write { session in
                try CallbackEndpointTable.disable(endpoint.id, because: reason, in: session)
            }
            #expect(isDisabled)
            let same = try await Self.act(on: stage, endpoint.url)
            #expect(same?.url == endpoint.url && same?.state == .disabled)
            let moved = try await Self.act(on: stage, Self.elsewhere)
            #expect(moved?.url == Self.elsewhere)
            #expect(moved?.state == (reason == .gone ? .enabled : .disabled))
            #expect(try await stage.endpoint() == moved)
        }
    }
}
