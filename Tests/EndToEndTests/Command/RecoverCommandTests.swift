import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("tributary recover", .timeLimit(.minutes(10)))
struct RecoverCommandTests {
    private static let since = "2020-01-01T00:00:00Z"

    @Test("raises the payment of an order that a restore lost, until a person has seen to it")
    func lost() async throws {
        try await Workplace.withDatabase { place in
            try await place.whileServing(["simulate-psp"]) { psp in
                var file = MarketplaceFile()
                file.baseURL = psp
                try place.write(file.text, to: "travel.yaml")
                _ = try await place.json("apply", "travel.yaml")
                let key = try #require(
                    try await place.json("keys", "create", "--scope", "checkout")["key"]?.stringValue
                )
                // What no checkpoint has moved stands beside the file; nobody writes now.
                let parts = ["", "-wal"].filter { place.has("tributary.sqlite" + $0) }
                let copy = try parts.map { try place.bytes(of: "tributary.sqlite" + $0) }
                try await place.whileServing { url in try await Self.order(at: url, key) }
                for (part, bytes) in zip(parts, copy) { try place.write(bytes, to: "restored.sqlite" + part) }
                var restored = place
                restored.environment["TRIBUTARY_DATABASE_URL"] = "sqlite:restored.sqlite"
                try await Self.check(restored)
            }
        }
    }

    @Test(
        "refuses what it cannot work with",
        arguments: [
            ([], "--since"), (["--since", "yesterday"], "RFC 3339"),
            (["--since", "2999-01-01T00:00:00Z"], "--since is a time to come"),
            (["--since", since, "--psp-account", "nobody"], "there is no PSP account nobody"),
        ] as [([String], String)]
    )
    func refused(options: [String], says: String) async throws {
        try await Workplace.withDatabase { place in
            let ending = try await place.run(["recover"] + options)
            #expect(ending.status == 2)
            #expect(ending.err.contains(says), "\(ending.err)")
        }
    }

    @Test("says of an account that does not answer that it could not be asked")
    func unanswered() async throws {
        try await Workplace.withDatabase { place in
            var file = MarketplaceFile()
            file.baseURL = "http://127.0.0.1:1"
            try place.write(file.text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let ending = try await place.run("recover", "--since", Self.since, "--format", "csv")
            #expect(ending.status == 3, "\(ending.err)")
            #expect(ending.out.contains("cannot be asked: "), "\(ending.out)")
        }
    }

    @Test("migrates nothing: migrate --check says what is to be done")
    func migrateCheck() async throws {
        try await Workplace.with { place in
            let none = try await place.run("migrate", "--check")
            #expect(none.status == 2)
            #expect(none.err.contains("there is no database"))
            try #require(await place.run("migrate").status == 0)
            let current = try await place.run("migrate", "--check", "--format", "csv")
            #expect(current.status == 0, "\(current.err)")
            #expect(current.out.contains("0001-schema,applied"))
            try place.write([], to: "empty.sqlite")
            var empty = place
            empty.environment["TRIBUTARY_DATABASE_URL"] = "sqlite:empty.sqlite"
            let missing = try await empty.run("migrate", "--check", "--format", "csv")
            #expect(missing.status == 1, "\(missing.err)")
            #expect(missing.out.contains("0001-schema,missing"))
            try #require(await empty.run("migrate").status == 0)
            #expect(try await empty.run("migrate", "--check").status == 0)
        }
    }

    private static func check(_ place: Workplace) async throws {
        let (dryStatus, dry) = try await recover(place, "--dry-run")
        #expect(dryStatus == 1)
        #expect(dry["unknown"] == 1)
        #expect(dry["raised"] == 1)
        let (status, first) = try await recover(place)
        #expect(status == 1)
        #expect(first["unknown"] == 1)
        #expect(first["raised"] == 1)
        #expect(first["told"] == 0)
        #expect(first["obstacle"] == JSON.null)
        let (again, second) = try await recover(place)
        #expect(again == 1)
        #expect(second["unknown"] == 1)
        #expect(second["raised"] == 0)
        #expect(try await place.run("attention", "list").status == 1)

        let problems = try await place.json("webhooks", "list", "--state", "problem")
        let id = try #require(problems[0]?["id"]?.stringValue)
        #expect(problems[0]?["problem"]?.stringValue?.contains("300.00 USD captured; the PSP calls it auth_") == true)
        let dismissed = try await place.run(
            ["webhooks", "dismiss", id, "--evidence", "refund 1", "--reason", "given back"]
        )
        #expect(dismissed.status == 0, "\(dismissed.err)")
        let (end, last) = try await recover(place)
        #expect(end == 0)
        #expect(last["unknown"] == 0)
        #expect(last["raised"] == 0)
        #expect(try await place.run("attention", "list").status == 0)
        // Each of the three runs that were not dry, and nothing of the dry one.
        let acts = try await place.json("audit", "list", "--act", "recover").arrayValue ?? []
        #expect(acts.count == 3, "\(acts)")
        #expect(acts.allSatisfy { $0["details"]?["since"]?.stringValue?.hasPrefix("2020-01-01T00:00:00") == true })
        #expect(acts.allSatisfy { $0["details"]?["psp_accounts"] == ["sim"] })
    }

    private static func recover(_ place: Workplace, _ options: String...) async throws -> (status: Int32, row: JSON) {
        let ending = try await place.run(["recover", "--since", since, "--format", "json"] + options)
        let rows = try JSON.parse(Array(ending.out.utf8))
        return (ending.status, try #require(rows[0], "\(ending.err)"))
    }

    private static func order(at url: String, _ key: String) async throws {
        let order: JSON = [
            "currency": "USD", "amount": 30_000, "policy": ["type": "all_or_nothing"],
            "contexts": [
                [
                    "external_identifier": "airline-1", "amount": 30_000,
                    "payment": ["type": "psp_token", "token": "tok_approve", "psp_account": "sim"],
                ]
            ],
        ]
        let reply = try await HTTPCall(.post, url + "/v1/orders", key: key)
            .sending(order, idempotencyKey: "one").reply()
        try #require(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
    }
}
