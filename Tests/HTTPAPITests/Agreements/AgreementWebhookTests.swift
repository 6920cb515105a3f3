import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Agreements whose first payment a webhook tells", .timeLimit(.minutes(10)))
struct AgreementWebhookTests {
    /// How the PSP's own answer tells nothing, or too late.
    enum Way: String, CaseIterable, Sendable {
        case action, answerHeld, answerLost, errorAfter, garbled

        var behaviour: ScriptedBehaviour {
            switch self {
            case .action: ScriptedBehaviour(.requireAction(milliseconds: 3_600_000))
            case .answerHeld: .held
            case .answerLost: .replyLost
            case .errorAfter: ScriptedBehaviour(.approve, .errorAfter)
            case .garbled: ScriptedBehaviour(.approve, .garbled)
            }
        }
    }

    /// An agreement that an order begins, at a PSP that tells by webhook.
    private struct Desk {
        let stage: WebhookStage
        let client: APIClient
        let id: String

        init(_ stage: WebhookStage) async throws {
            (self.stage, client) = (stage, try await stage.api.client("checkout"))
            let draft: JSON = [
                "external_identifier": "airline", "type": "recurring", "currency": "USD", "maximum_amount": 5_000,
                "description": "Lounge",
            ]
            id = try #require(try await client.post("/v1/agreements", draft).json["id"]?.stringValue)
        }

        /// Begins the agreement with a token; answers once the PSP has acted, and the reply when it comes.
        func pay(
            _ token: String,
            _ behaviour: ScriptedBehaviour
        ) async throws -> (authorization: ScriptedAuthorization, reply: Task<APIReply, any Error>) {
            await stage.api.psp.script(token, .authorize, behaviour)
            let context = OrderBody.context("airline", 1_000, token: token, at: "sim-a")
            let body = OrderBody.trip.with("amount", 1_000).with("contexts", [context])
                .with("contexts/0/agreement", .string(id))
            let reply = Task { try await client.post("/v1/orders", body, key: token) }
            let end = ContinuousClock.now + .patience
            while ContinuousClock.now < end {
                await stage.api.psp.finishAction(of: token)
                let made = await stage.api.psp.authorizations.first { $0.token == token }
                if let made, made.authorized > 0 { return (made, reply) }
                try await Task.sleep(for: .milliseconds(5))
            }
            throw HarnessFailure.neverAsked(token)
        }

        /// Has the PSP tell that the payment is approved, in full, twice.
        func tell(_ authorization: ScriptedAuthorization) async throws {
            for number in 1...2 {
                let name = "evt_\(authorization.id)_\(number)"
                try await stage.tell(.authorization(authorization, "succeeded", id: name))
            }
        }

        func shown() async throws -> JSON { try await client.get("/v1/agreements/\(id)").json }

        /// The agreement once it stands so; ten seconds pass for it each time it is looked at in vain.
        func shown(once state: String) async throws -> JSON {
            let end = ContinuousClock.now + .patience
            while ContinuousClock.now < end {
                let json = try await shown()
                if json["state"]?.stringValue == state { return json }
                stage.api.clock.advance(milliseconds: 10_000)
                try await Task.sleep(for: .milliseconds(50))
            }
            throw HarnessFailure.neverCame("\(state): \(try await shown())")
        }

        /// What others were told of the agreement.
        func told() async throws -> [String] {
            try await stage.api.database.read { session in
                try session.rows("SELECT type FROM agreement_event WHERE agreement_id = \(id) ORDER BY sequence").map {
                    try $0.text("type")
                }
            }
        }

        /// Whether the PSP has forgotten what it kept of a payment, waited for.
        func forgets(_ token: String) async throws {
            let end = ContinuousClock.now + .patience
            while ContinuousClock.now < end {
                let kept = await stage.api.psp.authorizations.filter { $0.token == token }
                if kept.allSatisfy(\.isForgotten), !kept.isEmpty { return }
                stage.api.clock.advance(milliseconds: 10_000)
                try await Task.sleep(for: .milliseconds(50))
            }
            throw HarnessFailure.neverCame("\(token) is not forgotten")
        }
    }

    @Test(
        "are active once the PSP was asked what it kept, told of once, and forgotten at their end",
        arguments: DatabaseEngine.allCases,
        Way.allCases
    )
    func active(engine: DatabaseEngine, way: Way) async throws {
        try await WebhookStage.with(engine) { stage in
            let desk = try await Desk(stage)
            let (authorization, reply) = try await desk.pay("tok_first", way.behaviour)
            try await desk.tell(authorization)
            let active = try await desk.shown(once: "active")
            #expect(active["first_order"]?.stringValue != nil, "\(active)")
            #expect(active.at("method/last4") == "4242", "\(active)")
            #expect(active.at("network_transaction_ids/0/value")?.stringValue?.hasPrefix("SIM") == true, "\(active)")
            await stage.api.psp.releaseAll()
            let order = try await stage.api.order(try #require(OrderID(active["first_order"]?.stringValue ?? ""))) {
                $0.status == .paid
            }
            #expect(order.captured == 1_000)
            _ = try await reply.value
            #expect(try await desk.told() == ["agreement.active"])
            let charge: JSON = ["currency": "USD", "amount": 500, "reason": "recurring"]
            let charged = try await desk.client.post("/v1/agreements/\(desk.id)/charges", charge, key: "charge")
            #expect(charged.json["status"] == "paid", "\(charged)")
            _ = try await desk.client.post("/v1/agreements/\(desk.id)/end", .object([]))
            _ = try await desk.shown(once: "ended")
            try await desk.forgets("tok_first")
        }
    }

    @Test("are not said to have ended while nobody knows what the PSP kept", arguments: DatabaseEngine.allCases)
    func ended(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let desk = try await Desk(stage)
            let (authorization, reply) = try await desk.pay("tok_first", Way.action.behaviour)
            _ = try await reply.value
            let ended = try await desk.client.post("/v1/agreements/\(desk.id)/end", .object([]))
            #expect(ended.json["state"] == "ending", "\(ended)")
            try await desk.tell(authorization)
            #expect(try await desk.shown()["state"] == "ending")
            _ = try await desk.shown(once: "ended")
            #expect(await stage.api.psp.authorizations.map(\.isForgotten) == [true])
            #expect(try await desk.told() == ["agreement.ended"])
        }
    }

    @Test(
        "keep nothing of an order that was called off, although its approval comes late",
        arguments: DatabaseEngine.allCases
    )
    func canceled(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let desk = try await Desk(stage)
            let (authorization, reply) = try await desk.pay("tok_late", .held)
            let first = try #require(try await desk.shown()["first_order"]?.stringValue)
            let canceled = try await desk.client.post("/v1/orders/\(first)/cancel", .object([]), key: "cancel")
            #expect(canceled.status < 300, "\(canceled)")
            _ = try await reply.value
            let pending = try await desk.shown()
            #expect(pending["state"] == "pending" && pending["first_order"] == .null, "\(pending)")
            let early = try await desk.client.post("/v1/agreements/\(desk.id)/end", .object([]))
            #expect(early.json["state"] == "ending", "\(early)")
            try await desk.tell(authorization)
            _ = try await desk.shown(once: "ended")
            #expect(await stage.api.psp.authorizations.map(\.isForgotten) == [true])
            await stage.api.psp.releaseAll()
            _ = try await stage.api.order(try #require(OrderID(first))) { $0.payments[0].held == 0 }
            #expect(try await desk.told() == ["agreement.ended"])
        }
    }

    @Test(
        "begin anew only once it is known what the PSP kept of an order that was called off",
        arguments: DatabaseEngine.allCases
    )
    func second(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let desk = try await Desk(stage)
            let (authorization, reply) = try await desk.pay("tok_late", .held)
            let first = try #require(try await desk.shown()["first_order"]?.stringValue)
            _ = try await desk.client.post("/v1/orders/\(first)/cancel", .object([]), key: "cancel")
            _ = try await reply.value
            let body = OrderBody.trip.with("amount", 1_000)
                .with("contexts", [OrderBody.context("airline", 1_000, token: "tok_second", at: "sim-a")])
                .with("contexts/0/agreement", .string(desk.id))
            let early = try await desk.client.post("/v1/orders", body, key: "early")
            #expect(early.status == 409 && early.json["code"] == "agreement_begun", "\(early)")
            try await desk.tell(authorization)
            try await desk.forgets("tok_late")
            await stage.api.psp.releaseAll()
            let second = try await desk.client.post("/v1/orders", body, key: "second")
            #expect(second.json["status"] == "paid", "\(second)")
            let active = try await desk.shown()
            #expect(active["state"] == "active" && active["first_order"] == second.json["id"], "\(active)")
            #expect(await stage.api.psp.authorizations.last?.isForgotten == false)
        }
    }
}
