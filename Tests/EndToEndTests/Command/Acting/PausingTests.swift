import StrictJSON
import Testing
import TributaryTestKit

@Suite("Pausing", .timeLimit(.minutes(10)))
struct PausingTests {
    @Test("a PSP account keeps new orders from it and lets placed ones go on", arguments: DatabaseEngine.allCases)
    func account(_ engine: DatabaseEngine) async throws {
        try await Counter.with(engine) { counter in
            let place = counter.place
            try await place.whileServing { url in
                try await counter.order("placed", at: url)
                let paused = try await place.json("psp-accounts", "pause", "sim")
                #expect(paused[0]?["status"] == "paused")
                let refused = try await counter.reply("new", at: url)
                #expect(refused.status == 422, "\(refused.json)")
                let errors = refused.json["errors"]?.arrayValue ?? []
                #expect(errors.map { $0["code"]?.stringValue } == ["no_route", "no_route"])
                #expect(errors.allSatisfy { $0["detail"]?.stringValue?.contains("sim: paused") == true }, "\(errors)")
                let taken = try await place.json("orders", "capture", "placed")
                #expect(taken["status"] == "paid")

                let listed = try await place.json("psp-accounts", "list")
                #expect(listed.arrayValue?.map { $0["status"] } == ["paused"])
                #expect(listed[0]?["id"] == "sim")
                let page = try await place.run("psp-accounts", "list")
                #expect(!page.out.contains("key_sim") && !page.out.contains("SIM_KEY"))
                _ = try await place.json("psp-accounts", "resume", "sim")
                try await counter.order("new", at: url)
            }
        }
    }

    @Test("a merchant keeps new orders from it and lets placed ones go on", arguments: DatabaseEngine.allCases)
    func merchant(_ engine: DatabaseEngine) async throws {
        try await Counter.with(engine) { counter in
            let place = counter.place
            try await place.whileServing { url in
                try await counter.order("placed", at: url)
                let paused = try await place.json("merchants", "pause", "hotel-7")
                #expect(paused[0]?["status"] == "paused")
                let refused = try await counter.reply("new", at: url)
                #expect(refused.status == 422)
                #expect(refused.json["errors"]?.arrayValue?.count == 1)
                #expect(refused.json["errors"]?[0]?["code"] == "merchant_paused")
                #expect(refused.json["errors"]?[0]?["pointer"] == "/contexts/1/external_identifier")
                let taken = try await place.json("orders", "capture", "placed")
                #expect(taken["status"] == "paid")
                #expect(try await place.json("orders", "refund", "placed")["status"] == "refunded")
                _ = try await place.json("merchants", "resume", "hotel-7")
                try await counter.order("new", at: url)
            }
        }
    }

    @Test("changes all that is named or nothing", arguments: [["merchants", "hotel-7"], ["psp-accounts", "sim"]])
    func unknown(_ words: [String]) async throws {
        try await Counter.with { counter in
            let ending = try await counter.place.run(words[0], "pause", words[1], "nowhere")
            #expect(ending.status == 1)
            #expect(ending.out.isEmpty)
            #expect(ending.err.contains("nowhere"), "\(ending.err)")
            let listed = try await counter.place.json(words[0], "list").arrayValue ?? []
            #expect(!listed.isEmpty && listed.allSatisfy { $0["status"] == "active" }, "\(listed)")
            let twice = try await counter.place.json(words[0], "pause", words[1], words[1])
            #expect(twice.arrayValue?.count == 1)
        }
    }

    @Test("is told apart from what waits for a person, which ends a listing with exit code 1")
    func attention() async throws {
        try await Counter.with { counter in
            let place = counter.place
            try await place.whileServing { url in
                let refused = "tok_approve+capture_decline_insufficient_funds"
                try await counter.order("kept", at: url)
                #expect(try await place.json("attention", "list") == [])
                let holds = try await place.json("holds", "list")
                #expect(holds.arrayValue?.compactMap { $0["held"]?.integerValue } == [30_000, 18_500])
                #expect(holds[0]?["capture_before"]?.stringValue != nil)
                try await counter.order("short", at: url, airline: refused)
                let short = try await place.json("orders", "capture", "short")
                #expect(short["payments"]?[0]?["status"] == "capture_failed")
                let listed = try await place.run("attention", "list", "--format", "json")
                #expect(listed.status == 1, "\(listed.err)")
                let items = try JSON.parse(Array(listed.out.utf8))
                #expect(items.arrayValue?.count == 1)
                #expect(items[0]?["reference"] == "short")
                #expect(items[0]?["reason"] == "capture_failed")
                #expect(items[0]?["merchant"] == "airline-1")
                #expect(items[0]?["amount_at_risk"] == 30_000)
            }
        }
    }
}
