import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Agreements over HTTP", .timeLimit(.minutes(10)))
struct AgreementRouteTests {
    private static let draft: JSON = [
        "external_identifier": "airline", "type": "recurring", "currency": "USD", "maximum_amount": 5_000,
        "description": "Lounge, monthly", "reference": "buyer-1",
    ]

    /// The body of an agreement's first order.
    private static func order(under agreement: String, _ amount: Int64 = 1_000) -> JSON {
        [
            "currency": "USD", "amount": .integer(amount), "policy": ["type": "all_or_nothing"],
            "contexts": [
                [
                    "external_identifier": "airline", "amount": .integer(amount), "agreement": .string(agreement),
                    "payment": ["type": "psp_token", "token": "tok_first", "psp_account": "sim-a"],
                ]
            ],
        ]
    }

    private static func charge(_ amount: Int64, _ reason: String = "recurring", currency: String = "USD") -> JSON {
        ["currency": .string(currency), "amount": .integer(amount), "reason": .string(reason)]
    }

    @Test("are made, begun, charged, listed and ended as the document has it", arguments: DatabaseEngine.allCases)
    func life(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let made = try await client.post("/v1/agreements", Self.draft)
            #expect(made.status == 201, "\(made)")
            #expect(contract.complaints(aboutBody: Self.draft, of: "POST /v1/agreements").isEmpty)
            #expect(contract.complaints(about: made, to: "POST /v1/agreements").isEmpty, "\(made)")
            let id = try #require(made.json["id"]?.stringValue)
            let early = try await client.post("/v1/agreements/\(id)/charges", Self.charge(2_000), key: "early")
            #expect(early.status == 409)
            #expect(early.json["code"] == "agreement_not_active")
            let body = Self.order(under: id)
            #expect(contract.complaints(aboutBody: body, of: "POST /v1/orders").isEmpty)
            let first = try await client.post("/v1/orders", body, key: "first")
            #expect(first.json["status"] == "paid", "\(first)")
            #expect(first.json["agreement"] == ["id": .string(id), "type": "recurring"])
            #expect(contract.complaints(about: first, to: "POST /v1/orders").isEmpty, "\(first)")
            let charged = try await client.post("/v1/agreements/\(id)/charges", Self.charge(2_000), key: "charge")
            #expect(charged.status == 201)
            #expect(charged.json["status"] == "paid", "\(charged)")
            #expect(charged.json["agreement"]?["charge_reason"] == "recurring")
            #expect(contract.complaints(aboutBody: Self.charge(2_000), of: "POST /v1/agreements/{id}/charges").isEmpty)
            #expect(contract.complaints(about: charged, to: "POST /v1/agreements/{id}/charges").isEmpty, "\(charged)")
            let again = try await client.post("/v1/agreements/\(id)/charges", Self.charge(2_000), key: "charge")
            #expect(again.json == charged.json)
            let shown = try await client.get("/v1/agreements/\(id)")
            #expect(shown.json["state"] == "active", "\(shown)")
            #expect(shown.json.at("method/last4") == "4242")
            #expect(contract.complaints(about: shown, to: "GET /v1/agreements/{id}").isEmpty, "\(shown)")
            let list = try await client.get("/v1/agreements?state=active&reference=buyer-1")
            #expect(list.json.at("data/0/id")?.stringValue == id, "\(list)")
            #expect(contract.complaints(about: list, to: "GET /v1/agreements").isEmpty, "\(list)")
            let own = try await api.client("merchant:airline").get("/v1/agreements/\(id)")
            #expect(own.json["state"] == "active", "\(own)")
            #expect(own.json["reference"] == nil)
            #expect(own.json["first_order"] == first.json["id"] && own.json["retry"] == nil, "\(own)")
            #expect(contract.complaints(about: own, to: "GET /v1/agreements/{id}").isEmpty, "\(own)")
            let ended = try await client.post("/v1/agreements/\(id)/end", .object([]))
            #expect(ended.json["state"] == "ending", "\(ended)")
            #expect(contract.complaints(about: ended, to: "POST /v1/agreements/{id}/end").isEmpty, "\(ended)")
            let replay = try await client.post("/v1/agreements/\(id)/charges", Self.charge(2_000), key: "charge")
            #expect(replay.json == charged.json, "an answer that was given is given again, whatever came since")
        }
    }

    @Test(
        "refuse a charge with the status and the code of the reason",
        arguments: [
            (Self.charge(5_001), 422, "amount_outside_terms"),
            (Self.charge(100, currency: "EUR"), 422, "currency_mismatch"),
            (Self.charge(100, "reload"), 422, "reason_outside_terms"),
            (Self.charge(100, "resubmission"), 409, "nothing_to_resubmit"),
        ]
    )
    func gates(body: JSON, status: Int, code: String) async throws {
        let contract = try Contract()
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let id = try #require(try await client.post("/v1/agreements", Self.draft).json["id"]?.stringValue)
            _ = try await client.post("/v1/orders", Self.order(under: id), key: "first")
            let reply = try await client.post("/v1/agreements/\(id)/charges", body, key: "charge")
            #expect(reply.status == status, "\(reply)")
            #expect(reply.json["code"]?.stringValue == code)
            #expect(contract.complaints(about: reply, to: "POST /v1/agreements/{id}/charges").isEmpty, "\(reply)")
        }
    }

    @Test(
        "refuse a charge while they are suspended, after their end, and too early behind a decline",
        arguments: DatabaseEngine.allCases
    )
    func states(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let id = try #require(try await client.post("/v1/agreements", Self.draft).json["id"]?.stringValue)
            let first = try await client.post("/v1/orders", Self.order(under: id), key: "first")
            #expect(first.json["status"] == "paid", "\(first)")
            func refused(_ reason: String, _ key: String) async throws -> JSON? {
                let reply = try await client.post("/v1/agreements/\(id)/charges", Self.charge(100, reason), key: key)
                #expect(reply.status == 409, "\(reply)")
                #expect(contract.complaints(about: reply, to: "POST /v1/agreements/{id}/charges").isEmpty, "\(reply)")
                return reply.json["code"]
            }
            await api.psp.script("sm_1", .authorize, .decline)
            let declined = try await client.post("/v1/agreements/\(id)/charges", Self.charge(100), key: "declined")
            #expect(declined.json["status"] == "failed", "\(declined)")
            #expect(try await refused("recurring", "early") == "retry_too_early")
            #expect(try await refused("resubmission", "again") == "retry_too_early")
            let shown = try await client.get("/v1/agreements/\(id)")
            #expect(shown.json.at("retry/allowed") == true && shown.json.at("retry/declines_in_a_row") == 1)
            try await api.database.write { session in
                let agreement = try AgreementID(id).flatMap { try AgreementTable.lock($0, of: "travel", in: session) }
                var suspended = try #require(agreement)
                (suspended.state, suspended.suspension) = (.suspended, .consentRevoked)
                try AgreementTable.update(suspended, in: session)
            }
            #expect(try await refused("recurring", "suspended") == "agreement_suspended")
            #expect(try await client.post("/v1/agreements/\(id)/end", .object([])).status == 200)
            #expect(try await refused("recurring", "over") == "agreement_ended")
            #expect(await api.psp.count(.authorize) == 2)
        }
    }

    @Test("make one order of two charges at once under one key", arguments: DatabaseEngine.allCases)
    func concurrent(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout")
            let id = try #require(try await client.post("/v1/agreements", Self.draft).json["id"]?.stringValue)
            _ = try await client.post("/v1/orders", Self.order(under: id), key: "first")
            let orders = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await client.post("/v1/agreements/\(id)/charges", Self.charge(2_000), key: "same").json[
                            "id"
                        ]?
                        .stringValue
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(orders.count == 1 && !orders.contains(nil))
            #expect(await api.psp.count(.authorize, "sm_1") == 1)
        }
    }

    @Test("are in the merchant's statement like any other order", arguments: DatabaseEngine.allCases)
    func statement(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let client = try await api.client("checkout", "operator")
            let id = try #require(try await client.post("/v1/agreements", Self.draft).json["id"]?.stringValue)
            _ = try await client.post("/v1/orders", Self.order(under: id), key: "first")
            let charged = try await client.post("/v1/agreements/\(id)/charges", Self.charge(2_000), key: "charge")
            let order = try #require(charged.json["id"]?.stringValue, "\(charged)")
            let statement = try await client.get("/v1/merchants/airline/statement?currency=USD")
            #expect(statement.status == 200, "\(statement)")
            let lines = statement.json.at("lines/data")?.arrayValue ?? []
            #expect(lines.contains { $0["order"]?.stringValue == order }, "\(statement)")
            #expect(try await api.complaints() == [])
        }
    }

    @Test("show a merchant nothing of an order that is not accepted", arguments: DatabaseEngine.allCases)
    func merchant(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let (client, merchant) = (try await api.client("checkout"), try await api.client("merchant:airline"))
            let id = try #require(try await client.post("/v1/agreements", Self.draft).json["id"]?.stringValue)
            await api.psp.script("tok_first", .authorize, ScriptedBehaviour(.requireAction(milliseconds: 600_000)))
            let first = try await client.post("/v1/orders", Self.order(under: id), key: "first")
            #expect(first.json["status"] == "requires_action", "\(first)")
            #expect(try await client.get("/v1/agreements/\(id)").json["first_order"] == first.json["id"])
            for path in ["/v1/agreements/\(id)", "/v1/agreements"] {
                let reply = try await merchant.get(path)
                let shown = path.hasSuffix(id) ? reply.json : try #require(reply.json.at("data/0"))
                #expect(shown["first_order"] == .null && shown["method"] == .null, "\(shown)")
                #expect(shown["network_transaction_ids"] == [] && shown["retry"] == nil, "\(shown)")
            }
            let reply = try await merchant.get("/v1/agreements/\(id)")
            #expect(contract.complaints(about: reply, to: "GET /v1/agreements/{id}").isEmpty, "\(reply)")
        }
    }

    @Test("say from when a charge may be tried again, as the gate does")
    func retry() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let id = try #require(try await client.post("/v1/agreements", Self.draft).json["id"]?.stringValue)
            _ = try await client.post("/v1/orders", Self.order(under: id), key: "first")
            let now = api.clock.now()
            try await api.database.write { session in
                let agreement = try #require(AgreementID(id))
                guard var found = try AgreementTable.lock(agreement, of: "travel", in: session) else { return }
                found.tries.declinedAt = Array(repeating: now, count: 15)
                found.updatedAt = now
                try AgreementTable.update(found, in: session)
            }
            let refused = try await client.post("/v1/agreements/\(id)/charges", Self.charge(2_000), key: "charge")
            #expect(refused.json["code"] == "too_many_tries", "\(refused)")
            let retry = try await client.get("/v1/agreements/\(id)").json["retry"]
            let end = now.adding(milliseconds: 30 * 86_400_000)
            #expect(retry == ["allowed": true, "declines_in_a_row": 0, "not_before": .string(end.description)])
        }
    }

    @Test("are with one merchant, and known")
    func contexts() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let id = try #require(try await client.post("/v1/agreements", Self.draft).json["id"]?.stringValue)
            let several = OrderBody.trip.with("contexts/0/agreement", .string(id))
            let refused = try await client.post("/v1/orders", several, key: "several")
            #expect(refused.json["code"] == "agreement_needs_one_context", "\(refused)")
            let unknown = Self.order(under: "agr_00000000000000000000000000")
            let missing = try await client.post("/v1/orders", unknown, key: "unknown")
            #expect(missing.json["code"] == "unknown_agreement", "\(missing)")
            let other = Self.order(under: id).with("contexts/0/external_identifier", "taxi")
                .with("contexts/0/payment/psp_account", "sim-c")
            let wrong = try await client.post("/v1/orders", other, key: "other")
            #expect(wrong.json["code"] == "agreement_of_another_merchant", "\(wrong)")
        }
    }
}
