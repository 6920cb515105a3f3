import StrictJSON
import Testing
import TributaryTestKit

@Suite("Endpoints over HTTP", .timeLimit(.minutes(10)))
struct EndpointActTests {
    @Test(
        "are tested, replayed to, rotated and enabled by operators, and by the merchant whose they are",
        arguments: DatabaseEngine.allCases,
        ["operator", "merchant:airline"]
    )
    func acts(_ engine: DatabaseEngine, _ scope: String) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let client = try await api.client(scope)
            let path = "/v1/callback-endpoints/\(stage.endpoint)"
            func act(_ name: String, _ body: JSON = .object([])) async throws -> JSON {
                let reply = try await client.post("\(path)/\(name)", body)
                let operation = "POST /v1/callback-endpoints/{id}/\(name)"
                #expect(reply.status == 200, "\(operation): \(reply)")
                #expect(contract.complaints(about: reply, to: operation).isEmpty, "\(operation): \(reply)")
                return reply.json
            }
            #expect(try await act("test")["taken"] == true)
            #expect(try await act("rotate", ["overlap_seconds": 60])["secret"] == "whsec_made")
            #expect(try await act("replay")["replayed"] == 0)
            let told = try await client.get("/v1/callbacks?endpoint=\(stage.endpoint)").json["data"]?.arrayValue ?? []
            let count = try await act("replay", ["from": "2001-01-01T00:00:00Z"])["replayed"]
            #expect(count == .integer(Int64(told.count)))
            #expect(try await act("replay", ["type": "payout.paid"])["replayed"] == 1)
            #expect(try await act("enable")["status"] == "enabled")
            let one = try await client.post("/v1/callbacks/\(stage.callback)/replay", .object([]))
            #expect((one.status, one.json["status"]) == (200, "waiting"), "\(one)")
            let shown = try await client.get("/v1/callbacks/\(stage.callback)")
            #expect(shown.json["body"]?["type"] == shown.json["type"])
        }
    }

    @Test("move to another address, if it is one that may be sent to", arguments: DatabaseEngine.allCases)
    func move(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let client = try await api.client("operator")
            let path = "/v1/callback-endpoints/\(stage.endpoint)"
            let moved = try await client.post(path, ["url": "https://hooks.example/new"])
            #expect((moved.status, moved.json["url"]) == (200, "https://hooks.example/new"), "\(moved)")
            let refused = try await client.post(path, ["url": "http://hooks.example/new"])
            #expect(refused.errors == ["/url address_refused"])
            let own = try await api.client("merchant:airline")
            #expect(try await own.post(path, ["url": "https://hooks.example/mine"]).status == 403)
        }
    }

    @Test("what a PSP told is told to its order again", arguments: DatabaseEngine.allCases)
    func webhook(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let reply = try await api.client("operator").post("/v1/psp-webhooks/\(stage.webhook)/replay", .object([]))
            #expect(reply.status == 200, "\(reply)")
            #expect(["received", "applied"].contains(reply.json["status"]?.stringValue ?? ""))
        }
    }

    @Test(
        "a declaration is applied by an admin, and a dry run says what it would come to",
        arguments: DatabaseEngine.allCases
    )
    func apply(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            let client = try await api.client("admin")
            let body: JSON = ["marketplace": ["id": "travel", "name": "Travel Now"]]
            for isDryRun in [true, false] {
                let reply = try await client.post("/v1/apply?dry_run=\(isDryRun)", body)
                #expect(reply.status == 200, "\(reply)")
                #expect(contract.complaints(about: reply, to: "POST /v1/apply").isEmpty, "\(reply)")
                #expect(reply.json["changed"]?.arrayValue?.map { $0["kind"] } == ["marketplace"], "\(reply)")
            }
            #expect(try await client.post("/v1/apply", body).json["changed"] == [])
            let other: JSON = ["marketplace": ["id": "other", "name": "Other"]]
            #expect(try await client.post("/v1/apply", other).errors == ["/marketplace/id other_marketplace"])
            #expect(try await client.post("/v1/apply", ["a": 1]).errors == [" invalid_declaration"])
            #expect(try await client.post("/v1/apply?prune=maybe", body).errors == ["?prune invalid_parameter"])
        }
    }
}
