import StrictJSON
import Testing
import TributaryTestKit

/// What a PSP did and never told, entered by command, is in the books like anything else.
@Suite("Entering by hand what a PSP did", .timeLimit(.minutes(10)))
struct RecordingTests {
    private static let dispute = ["--payment", "airline-1", "--amount", "100.00", "--psp-reference", "dp_1"]
    private static let witness = ["--evidence", "portal", "--reason", "no webhook"]

    /// Enters something of the order `sold` and answers the order.
    private static func enter(_ place: Workplace, _ command: String, _ typed: [String]) async throws -> JSON {
        try await place.json(["orders", command, "sold"] + typed + witness + ["--wait", "0"])
    }

    private static func verify(_ place: Workplace) async throws {
        let ending = try await place.run("ledger", "verify")
        #expect(ending.status == 0, "\(ending.out)\(ending.err)")
    }

    @Test("puts the books right: a dispute with its fee, a refund, and each once", arguments: DatabaseEngine.allCases)
    func books(_ engine: DatabaseEngine) async throws {
        try await Counter.with(engine) { counter in
            let place = counter.place
            var file = MarketplaceFile()
            file.baseURL = counter.psp
            try place.write(
                file.text.replacing(
                    "commission: { basis_points: 1000 }",
                    with: "commission: { basis_points: 1000 }\n    dispute_liability: pro_rata"
                ),
                to: "travel.yaml"
            )
            let applied = try await place.run("apply", "travel.yaml")
            #expect(applied.status == 0 && applied.out.contains("dispute_liability"), "\(applied.out)\(applied.err)")
            try await place.whileServing { url in try await counter.order("sold", at: url, capture: "automatic") }
            for _ in 0..<2 {
                let typed = Self.dispute + ["--state", "opened", "--fee", "15.00"]
                let opened = try await Self.enter(place, "record-dispute", typed)
                #expect(opened["charged_back_amount"] == 10_000)
                #expect(opened["payments"]?[0]?["disputes"]?[0]?["fee"] == 1500)
            }
            let back = ["--payment", "hotel-7", "--amount", "5.00", "--psp-reference", "re_1"]
            for _ in 0..<2 {
                let refunded = try await Self.enter(place, "record-refund", back)
                #expect(refunded["refunded_amount"] == 500)
            }
            // 30,000 less a tenth; of the dispute and its fee nine tenths are the merchant's.
            let statement = try await place.json("ledger", "statement", "airline-1", "--currency", "USD")
            #expect(statement["balance"]?["closing"] == 16_650, "\(statement)")
            try await Self.verify(place)
            let proof = try await place.run("orders", "proof", "sold")
            #expect(proof.out.contains("chargeback"), "\(proof.out)")
            let won = try await Self.enter(place, "record-dispute", Self.dispute + ["--state", "won"])
            #expect(won["charged_back_amount"] == 0)
            try await Self.verify(place)
            let after = try await place.json("ledger", "statement", "airline-1", "--currency", "USD")
            #expect(after["balance"]?["closing"] == 25_650, "\(after)")
            let events = try await place.json("orders", "events", "sold").arrayValue ?? []
            let entered = events.filter { $0["type"] == "payment.recorded" }
            #expect(entered.count == 3)
            #expect(entered.allSatisfy { $0["details"]?["by"]?.stringValue?.isEmpty == false })
            #expect(entered.allSatisfy { $0["details"]?["evidence"] == "portal" })
        }
    }

    @Test("refuses with the code in a sentence, exits 1 and changes nothing") func refuses() async throws {
        try await Counter.with { counter in
            let place = counter.place
            try await place.whileServing { url in
                try await counter.order("sold", at: url, capture: "automatic")
                try await counter.order("held", at: url)
            }
            let dispute = ["--state", "opened"]
            let rows: [([String], Int32, String)] = [
                (
                    ["record-refund", "sold", "--payment", "hotel-7", "--amount", "185.01"], 1,
                    "refund_exceeds_captured"
                ),
                (
                    ["record-dispute", "sold", "--payment", "hotel-7", "--amount", "185.01"] + dispute, 1,
                    "dispute_exceeds_captured"
                ),
                (["record-refund", "held", "--payment", "hotel-7", "--amount", "0.01"], 1, "refund_exceeds_captured"),
                (["record-void", "sold", "--payment", "hotel-7"], 1, "nothing_held"),
                (
                    ["record-capture", "held", "--payment", "hotel-7", "--amount", "185.01"], 1,
                    "capture_exceeds_authorized"
                ), (["release", "sold"], 1, "not_releasable"),
            ]
            for (typed, status, code) in rows {
                let witness = typed[0] == "release" ? [] : Self.witness
                let ending = try await place.run(["orders"] + typed + witness + ["--wait", "0"])
                #expect(ending.status == status, "\(typed): \(ending.err)")
                #expect(ending.err.hasPrefix("Error: \(code): "), "\(typed): \(ending.err)")
            }
            for typed in [
                ["record-refund", "sold", "--amount", "0.01"],
                ["record-refund", "sold", "--payment", "motel", "--amount", "0.01"],
            ] {
                let ending = try await place.run(["orders"] + typed + Self.witness)
                #expect(ending.status == 2, "\(typed): \(ending.err)")
            }
        }
    }

    @Test("lets go of what is left behind a capture", arguments: DatabaseEngine.allCases)
    func releases(_ engine: DatabaseEngine) async throws {
        try await Counter.with(engine) { counter in
            let place = counter.place
            try await place.whileServing { url in
                try await counter.order("kept", at: url)
                _ = try await place.json("orders", "capture", "kept", "--payment", "hotel-7=5.00", "--keep-rest")
                #expect(try await counter.booked() == (48_000, 500, 0))
                _ = try await place.json("orders", "release", "kept", "--payment", "hotel-7")
                #expect(try await counter.booked() == (30_000, 500, 0))
                _ = try await place.json("orders", "release", "kept")
                #expect(try await counter.booked() == (0, 500, 0))
                let again = try await place.run("orders", "release", "kept")
                #expect(again.status == 1 && again.err.hasPrefix("Error: nothing_held: "), "\(again.err)")
            }
            try await Self.verify(place)
        }
    }
}
