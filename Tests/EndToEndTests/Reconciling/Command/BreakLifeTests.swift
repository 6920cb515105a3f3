import StrictJSON
import Testing
import TributaryTestKit

/// What becomes of a break, by command, and what the journal says of it.
@Suite("The life of a break by command", .timeLimit(.minutes(10)))
struct BreakLifeTests {
    /// Lends a place with one break: Stripe paid 50 cents more for an order than we sold it for.
    private static func with(
        _ engine: DatabaseEngine,
        _ body: (ReconcilingPlace, _ id: String) async throws -> Void
    ) async throws {
        try await ReconcilingPlace.with(engine) { place in
            var files = MonthFiles(.stripe, place.books)
            try files.resell("order-0") { $0 + 50 }
            let names = [try place.write(files.report), try place.write(files.statement)]
            let (finished, json) = try await place.reconciled(names)
            try #require(finished.status == 1, "\(finished.err)")
            try await body(place, try #require(json["breaks"]?[0]?["id"]?.stringValue))
        }
    }

    private static func clearing(_ place: ReconcilingPlace) async throws -> Int64 {
        try await place.balances()["psp/stripe-main/clearing"] ?? 0
    }

    private static func key(_ scope: String, _ place: ReconcilingPlace) async throws -> String {
        let key = try await place.work.json("keys", "create", "--scope", scope)["key"]?.stringValue
        try place.work.write(try #require(key), to: "\(scope).key")
        return "file:\(place.work.path("\(scope).key"))"
    }

    @Test(
        "ends accepted only with an adjuster's key, and is posted once",
        arguments: DatabaseEngine.allCases,
        [("written_off", "reconciliation_differences"), ("forced", "suspense/stripe-main")]
    )
    func accepted(_ engine: DatabaseEngine, _ way: (word: String, account: String)) async throws {
        try await Self.with(engine) { place, id in
            // The payout is the PSP's sum, so that the clearing account owes the difference.
            #expect(try await Self.clearing(place) == -50)
            let resolve = ["breaks", "resolve", id, "--as", way.word, "--reason", "agreed with Stripe"]
            let before = try await place.stored()
            for reference in [nil, try await Self.key("operator", place), "env:NOWHERE", "tk_abc"] {
                let refused = try await place.work.run(resolve + (reference.map { ["--key", $0] } ?? []))
                #expect(refused.status == 2, "\(reference ?? "no key"): \(refused.err)")
                #expect(!refused.err.contains("tk_"), "\(refused.err)")
            }
            #expect(try await place.stored() == before)
            let adjuster = try await Self.key("adjuster", place)
            let done = try await place.work.run(resolve + ["--key", adjuster])
            #expect(done.status == 0, "\(done.err)")
            #expect(try await Self.clearing(place) == 0)
            let moved = try await place.balances().filter { $0.key.contains(way.account) }
            #expect(moved.values.sorted() == [-50], "\(moved)")
            let twice = try await place.work.run(resolve + ["--key", adjuster])
            #expect(twice.status == 2)
            #expect(twice.err.contains("a break that is \(way.word) does not become \(way.word)"))
            let shown = try await place.work.json("breaks", "show", id)
            #expect(shown["state"]?.stringValue == way.word)
            let action = try #require(shown["actions"]?.arrayValue?.last)
            #expect((action["from"], action["to"]) == ("open", .string(way.word)))
            #expect(action["reason"] == "agreed with Stripe")
            #expect(action["actor"]?.stringValue?.contains(" with key_") == true, "\(action)")
            #expect(try await place.breaks() == [])
            #expect(try await place.work.run("breaks", "list").status == 0)
            #expect(try await place.breaks("--state", way.word).count == 1)
            try await place.expectSound()
        }
    }

    @Test("goes from open to investigating to matched, and no way back", arguments: DatabaseEngine.allCases)
    func investigated(_ engine: DatabaseEngine) async throws {
        try await Self.with(engine) { place, id in
            func resolve(_ word: String, _ reason: String = "asked") async throws -> Finished {
                try await place.work.run("breaks", "resolve", id, "--as", word, "--reason", reason)
            }
            #expect(try await place.work.run("breaks", "list").status == 1)
            #expect(try await resolve("open").status == 2)
            #expect(try await resolve("investigating", "").status == 2)
            #expect(try await resolve("investigating", "two\nlines").status == 2)
            #expect(try await resolve("investigating").status == 0)
            #expect(try await place.breaks().first?["state"] == "investigating")
            #expect(try await place.work.run("breaks", "list").status == 1)
            #expect(try await resolve("matched").status == 0)
            for word in ["investigating", "matched", "corrected"] {
                #expect(try await resolve(word).status == 2, "\(word)")
            }
            let actions = try await place.work.json("breaks", "show", id)["actions"]?.arrayValue ?? []
            #expect(actions.map { $0["to"]?.stringValue } == ["investigating", "matched"])
            // Nothing was posted: the clearing account still owes it.
            #expect(try await Self.clearing(place) == -50)
            try await place.expectSound()
        }
    }

    @Test("that is accepted is posted back when a corrected file mends it", arguments: DatabaseEngine.allCases)
    func mended(_ engine: DatabaseEngine) async throws {
        try await Self.with(engine) { place, id in
            let key = try await Self.key("adjuster", place)
            let accept = ["breaks", "resolve", id, "--as", "written_off", "--reason", "small", "--key", key]
            #expect(try await place.work.run(accept).status == 0)
            let right = MonthFiles(.stripe, place.books)
            try place.work.write(right.report.text, to: "right.csv")
            let mended = try await place.reconcile(["right.csv"])
            #expect([0, 1].contains(mended.status), "\(mended.err)")
            let shown = try await place.work.json("breaks", "show", id)
            #expect(shown["state"] == "corrected")
            #expect(shown["actions"]?.arrayValue?.last?["actor"] == "reconciliation")
            #expect(try await Self.clearing(place) == 0)
            #expect(try await place.balances().filter { $0.key.contains("differences") } == [:])
            try await place.expectSound()
        }
    }

    @Test(
        "that cannot be is refused",
        arguments: [
            (["breaks", "show", "brk_1"], Int32(2), "is no break's id"),
            (["breaks", "show", "brk_00000000000000000000000000"], 1, "there is no break"),
            (["breaks", "list", "--state", "lost"], 2, "there is no state lost"),
            (["breaks", "list", "--type", "rain"], 2, "there is no break type rain"),
            (
                ["breaks", "resolve", "brk_00000000000000000000000000", "--as", "matched", "--reason", "x"], 1,
                "no break"
            ),
        ]
    )
    func mistakes(_ typed: [String], _ status: Int32, _ sentence: String) async throws {
        try await ReconcilingPlace.with { place in
            let finished = try await place.work.run(typed)
            #expect(finished.status == status, "\(finished.err)")
            #expect(finished.err.contains(sentence), "\(finished.err)")
        }
    }
}
