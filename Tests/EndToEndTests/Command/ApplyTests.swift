import StrictJSON
import Testing

@Suite("Applying a declaration", .timeLimit(.minutes(10)))
struct ApplyTests {
    /// A change to the file, the options, and what has to happen to what.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var options: [String] = []
        var change: @Sendable (inout MarketplaceFile) -> Void
        var created: [String] = []
        var changed: [String] = []
        var paused: [String] = []
        var leftAlone: [String]
    }

    @Test("twice changes nothing the second time")
    func twice() async throws {
        try await Workplace.withDatabase { place in
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            let first = try await place.json("apply", "travel.yaml")
            #expect(Self.names(first, "created") == ["travel", "sim", "airline-1", "hotel-7"])
            let second = try await place.json("apply", "travel.yaml")
            #expect(Self.names(second, "left_alone") == ["travel", "sim", "airline-1", "hotel-7"])
            for action in ["created", "changed", "paused"] { #expect(Self.names(second, action) == []) }
            let table = try await place.run("apply", "travel.yaml")
            #expect(table.out == "created 0, changed 0, paused 0, left alone 4\n")
        }
    }

    @Test(
        "changes what the file changed and nothing else",
        arguments: [
            Case(
                testDescription: "the marketplace's name",
                change: { $0.name = "Travel Soon" },
                changed: ["travel: name"],
                leftAlone: ["sim", "airline-1", "hotel-7"]
            ),
            Case(
                testDescription: "the PSP's address and key",
                change: {
                    $0.baseURL = "http://127.0.0.1:9902"
                    $0.credential = "file:key.txt"
                },
                changed: ["sim: base_url, credentials"],
                leftAlone: ["travel", "airline-1", "hotel-7"]
            ),
            Case(
                testDescription: "a merchant's name and another's commission",
                change: {
                    $0.hotelName = "Grander Hotel"
                    $0.commission = 900
                },
                changed: ["airline-1: commission", "hotel-7: name"],
                leftAlone: ["travel", "sim"]
            ),
            Case(
                testDescription: "a merchant that is no longer declared",
                change: { $0.hasHotel = false },
                leftAlone: ["travel", "sim", "airline-1", "hotel-7"]
            ),
            Case(
                testDescription: "a merchant that is no longer declared, pruned",
                options: ["--prune"],
                change: { $0.hasHotel = false },
                paused: ["hotel-7"],
                leftAlone: ["travel", "sim", "airline-1"]
            ),
            Case(
                testDescription: "a new merchant",
                change: {
                    $0.extra = "  - { external_identifier: taxi-3, name: Taxi, routes: [{ psp_account: sim }] }"
                },
                created: ["taxi-3"],
                leftAlone: ["travel", "sim", "airline-1", "hotel-7"]
            ),
        ]
    )
    func difference(_ row: Case) async throws {
        try await Workplace.withDatabase { place in
            var file = MarketplaceFile()
            try place.write(file.text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            row.change(&file)
            try place.write(file.text, to: "travel.yaml")
            let apply = ["apply", "travel.yaml"] + row.options
            // A dry run says the same and does nothing, so the real one still has it to do.
            for isDryRun in [true, false] {
                let plan = try await place.json(apply + (isDryRun ? ["--dry-run"] : []))
                #expect(plan["dry_run"] == .bool(isDryRun))
                #expect(Self.names(plan, "created") == row.created)
                #expect(Self.names(plan, "changed") == row.changed)
                #expect(Self.names(plan, "paused") == row.paused)
                #expect(Self.names(plan, "left_alone") == row.leftAlone)
            }
            let again = try await place.json(apply)
            for action in ["created", "changed", "paused"] { #expect(Self.names(again, action) == []) }
        }
    }

    @Test("leaves what is paused paused until it is told to resume it")
    func resuming() async throws {
        try await Workplace.withDatabase { place in
            var file = MarketplaceFile()
            try place.write(file.text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            file.hasHotel = false
            try place.write(file.text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml", "--prune")
            #expect(try await place.json("merchants", "show", "hotel-7")["status"] == "paused")
            file.hasHotel = true
            try place.write(file.text, to: "travel.yaml")
            let applied = try await place.json("apply", "travel.yaml")
            #expect(Self.names(applied, "changed") == [])
            #expect(applied["left_alone"]?[3]?["status"] == "paused")
            let resumed = try await place.json("apply", "travel.yaml", "--resume")
            #expect(Self.names(resumed, "changed") == ["hotel-7: status"])
            #expect(try await place.json("merchants", "show", "hotel-7")["status"] == "active")
        }
    }

    @Test("warns of a secret that is not at hand here, and applies all the same")
    func missingSecret() async throws {
        try await Workplace.withDatabase { place in
            var place = place
            place.environment["SIM_KEY"] = nil
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            let ending = try await place.run("apply", "travel.yaml")
            #expect(ending.status == 0)
            #expect(ending.err.contains("warning: psp_account sim: api_key: "), "\(ending.err)")
            #expect(ending.err.contains("SIM_KEY is not set"))
            let check = try await place.run("check-config", "travel.yaml")
            #expect(check.status == 1)
            #expect(check.out.contains("SIM_KEY is not set"))
        }
    }

    private static let psps = "adyen, authorize-net, braintree, checkout, simulator, square, stripe, worldpay"

    @Test(
        "refuses an account that no adapter takes",
        arguments: [
            ("paypal", "env:SIM_KEY", "there is no adapter for paypal; this build has \(Self.psps)"),
            ("stripe", "env:SIM_KEY", "the credential secret_key is missing or empty"),
        ]
    )
    func unusableAccount(psp: String, credential: String, sentence: String) async throws {
        try await Workplace.withDatabase { place in
            var file = MarketplaceFile()
            file.psp = psp
            file.credential = credential
            try place.write(file.text, to: "travel.yaml")
            let ending = try await place.run("apply", "travel.yaml")
            #expect(ending.status == 2)
            #expect(ending.err.contains("psp_account sim: \(sentence)"), "\(ending.err)")
            #expect(try await place.json("keys", "list") == [])
            #expect(try await place.run("merchants", "list").err.contains("there is no marketplace yet"))
        }
    }

    @Test("refuses to hand an account with a history to another PSP")
    func otherPSP() async throws {
        try await Workplace.withDatabase { place in
            var file = MarketplaceFile()
            try place.write(file.text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            file.psp = "stripe"
            try place.write(
                file.text.replacing("api_key", with: "secret_key"),
                to: "travel.yaml"
            )
            let ending = try await place.run("apply", "travel.yaml")
            #expect(ending.status == 2)
            #expect(ending.err.contains("psp_account sim is an account at simulator"), "\(ending.err)")
        }
    }

    @Test("the shipped example passes, but for the secrets that nobody has set")
    func example() async throws {
        try await Workplace.withDatabase { place in
            let example = try #require(Workplace.repositoryFile("Config/marketplace.example.yaml"))
            let plan = try await place.json("apply", example, "--dry-run")
            #expect(
                Self.names(plan, "created") == [
                    "travel", "stripe-main", "sim-a", "airline-1", "hotel-7", "travel", "travel", "airline-1",
                ]
            )
        }
    }

    /// The names under an action, with the fields behind them if there are any.
    private static func names(_ plan: JSON, _ action: String) -> [String]? {
        plan[action]?.arrayValue?.map { step in
            let fields = (step["fields"]?.arrayValue ?? []).compactMap(\.stringValue)
            let name = step["id"]?.stringValue ?? ""
            return fields.isEmpty ? name : "\(name): \(fields.joined(separator: ", "))"
        }
    }
}
