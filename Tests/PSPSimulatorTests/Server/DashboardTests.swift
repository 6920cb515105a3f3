import NIOFileSystem
import PSPSimulator
import StrictJSON
import Testing

@Suite("Dashboard", .timeLimit(.minutes(10)))
struct DashboardTests {
    /// What a deed makes of an authorization: its status, then held, captured, voided, refunded and charged back.
    private static let deeds: [(token: String, deeds: [(String, JSON)], statuses: [Int], end: String)] = [
        ("tok_approve", [("capture", [:])], [200], "captured 0 1000 0 0 0"),
        ("tok_approve", [("capture", ["amount": 400])], [200], "captured 0 400 600 0 0"),
        ("tok_approve", [("capture", ["amount": 400, "final": false])], [200], "authorized 600 400 0 0 0"),
        ("tok_approve+capture_decline_generic", [("capture", [:])], [200], "captured 0 1000 0 0 0"),
        ("tok_approve", [("void", [:])], [200], "voided 0 0 1000 0 0"),
        ("tok_approve", [("lapse", [:])], [200], "expired 0 0 1000 0 0"),
        ("tok_captured", [("refund", ["amount": 250])], [200], "captured 0 1000 0 250 0"),
        ("tok_captured", [("refund", [:]), ("refund", [:])], [200, 400], "captured 0 1000 0 1000 0"),
        ("tok_captured", [("dispute", [:])], [200], "captured 0 1000 0 0 1000"),
        (
            "tok_captured", [("dispute", ["amount": 600]), ("refund", ["amount": 401])], [200, 400],
            "captured 0 1000 0 0 600"
        ),
        (
            "tok_captured", [("refund", ["amount": 600]), ("dispute", ["amount": 401])], [200, 400],
            "captured 0 1000 0 600 0"
        ),
        (
            "tok_captured", [("dispute", [:]), ("win", [:]), ("refund", [:])], [200, 200, 200],
            "captured 0 1000 0 1000 0"
        ),
        (
            "tok_captured", [("dispute", [:]), ("lose", [:]), ("win", [:])], [200, 200, 404], "captured 0 1000 0 0 1000"
        ),
        ("tok_captured", [("refund", [:]), ("fail", [:])], [200, 200], "captured 0 1000 0 0 0"),
        ("tok_approve", [("capture", [:]), ("fail", [:])], [200, 200], "voided 0 0 1000 0 0"),
        ("tok_captured", [("fail", [:])], [200], "voided 0 0 1000 0 0"),
        ("tok_captured", [("dispute", [:]), ("fail", [:])], [200, 404], "captured 0 1000 0 0 1000"),
        ("tok_captured+refund_unsettled", [("void", [:])], [200], "voided 0 0 1000 0 0"),
        ("tok_approve+refund_unsettled", [("capture", [:]), ("void", [:])], [200, 200], "voided 0 0 1000 0 0"),
        (
            "tok_captured", [("dispute", [:]), ("win", ["amount": 1001]), ("win", ["amount": 400])], [200, 400, 200],
            "captured 0 1000 0 0 600"
        ),
        (
            "tok_approve", [("dispute", [:]), ("refund", [:]), ("win", [:])], [409, 409, 404], "authorized 1000 0 0 0 0"
        ),
        ("tok_pending_60000", [("capture", [:]), ("lapse", [:])], [409, 409], "pending 0 0 0 0 0"),
        ("tok_approve", [("explode", [:]), ("capture", ["amount": 0])], [404, 400], "authorized 1000 0 0 0 0"),
    ]

    @Test("does what the merchant or the bank wants, and no more than the books allow", arguments: deeds)
    func acts(row: (token: String, deeds: [(String, JSON)], statuses: [Int], end: String)) async throws {
        try await withSimulator { simulator, client in
            let made = try await client.authorize(row.token, reference: "att_1")
            let id = try #require(made.json?["id"]?.stringValue)
            for ((deed, body), status) in zip(row.deeds, row.statuses) {
                let path = "/dashboard/authorizations/\(id)/\(deed)"
                #expect(try await client.send("POST", path, body: body.text).status == status)
            }
            let now = try #require(await simulator.authorizations(of: "shop").first)
            let amounts = [now.held, now.captured, now.voided, now.refunded, now.chargedBack]
            #expect(([now.status.rawValue] + amounts.map { "\($0)" }).joined(separator: " ") == row.end)
            #expect(try await client.get("/books").json?["violations"] == [])
        }
    }

    @Test("finds an authorization by its reference, in whatever account it is, without a body")
    func reference() async throws {
        try await withSimulator { simulator, client in
            _ = try await client.authorize("tok_captured", reference: "att_1")
            let path = "/dashboard/authorizations/by-reference"
            let reply = try await client.send("POST", "\(path)/att_1/dispute")
            #expect(reply.json?["charged_back"] == 1000)
            #expect(reply.json?["disputes"]?[0]?["status"] == "opened")
            #expect(try await client.send("POST", "\(path)/att_2/dispute").status == 404)
            var other = client
            other.key = "key_other"
            _ = try await other.authorize("tok_captured", reference: "att_1")
            #expect(try await client.send("POST", "\(path)/att_1/refund").status == 409)
        }
    }

    @Test("works in the books on disk as well")
    func durable() async throws {
        try await FileSystem.shared.withTemporaryDirectory { _, directory in
            let path = "\(directory)/books.jsonl"
            let before = try await withSimulator(books: .file(path: path)) { simulator, client in
                let made = try await client.authorize("tok_approve", reference: "att_1")
                let id = try #require(made.json?["id"]?.stringValue)
                let part: JSON = ["reference": "op_1", "amount": 300, "final": false]
                #expect(try await client.post("/v1/authorizations/\(id)/captures", key: "c", part).status == 201)
                var dispute = DashboardAction(.dispute, to: .id(id))
                dispute.amount = 100
                dispute.reason = "general"
                dispute.announcement = .late(milliseconds: 5)
                _ = try await simulator.act(dispute)
                _ = try await simulator.act(DashboardAction(.lose, to: .reference("att_1")))
                _ = try await simulator.act(DashboardAction(.refund, to: .id(id)))
                _ = try await simulator.act(DashboardAction(.fail, to: .id(id)))
                return try #require(try await client.get("/books/shop").json)
            }
            #expect(before["authorizations"]?[0]?["charged_back"] == 100)
            try await withSimulator(books: .file(path: path)) { _, client in
                let after = try await client.get("/books/shop").json
                #expect(after == before)
            }
        }
    }
}
