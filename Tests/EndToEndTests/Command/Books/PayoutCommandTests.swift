import StrictJSON
import Testing
import TributaryTestKit

@Suite("Payouts and statements by command", .timeLimit(.minutes(10)))
struct PayoutCommandTests {
    private static let payout = [
        "payouts", "record", "--merchant", "airline-1", "--amount", "100.00", "--currency", "USD", "--reference", "S-1",
    ]

    @Test("are recorded once, listed, and taken back by a failure", arguments: DatabaseEngine.allCases)
    func life(_ engine: DatabaseEngine) async throws {
        try await Counter.with(engine) { counter in
            let place = counter.place
            try await place.whileServing { url in try await counter.order("paid", at: url, capture: "automatic") }
            let recorded = try await place.json(Self.payout)
            #expect(recorded[0]?["merchant"] == "airline-1")
            #expect((recorded[0]?["amount"], recorded[0]?["state"]) == (10_000, "paid"))
            let again = try await place.run(Self.payout + ["--format", "json"])
            #expect(again.status == 0)
            #expect(try JSON.parse(Array(again.out.utf8)) == recorded)
            #expect(again.err.contains("is recorded already with this reference; nothing was changed"))
            try await Self.expect(place, opening: 0, closing: 17_000)

            let id = try #require(recorded[0]?["id"]?.stringValue)
            let failed = try await place.json("payouts", "fail", id, "--reason", "account closed")
            #expect((failed[0]?["state"], failed[0]?["failure"]) == ("failed", "account closed"))
            let twice = try await place.run("payouts", "fail", id, "--reason", "account closed")
            #expect(twice.status == 0)
            #expect(twice.err.contains("nothing was changed"))
            let late = try await place.run(Self.payout)
            #expect(late.status == 1)
            #expect(late.err.contains("and it failed at"), "\(late.err)")
            #expect(try await place.json("payouts", "list") == failed)
            #expect(try await place.json("payouts", "list", "--merchant", "hotel-7") == [])
            try await Self.expect(place, opening: 0, closing: 27_000)
            let verified = try await place.run("ledger", "verify")
            #expect((verified.status, verified.out) == (0, ""))
            #expect(verified.err == "The books keep every rule.\n")
        }
    }

    private static func expect(_ place: Workplace, opening: Int64, closing: Int64) async throws {
        let statement = try await place.json("ledger", "statement", "airline-1", "--currency", "USD")
        #expect(statement["balance"]?["opening"]?.integerValue == opening)
        #expect(statement["balance"]?["closing"]?.integerValue == closing)
        let amounts = statement["lines"]?.arrayValue?.compactMap { $0["amount"]?.integerValue } ?? []
        #expect(opening + amounts.reduce(0, +) == closing)
        let balances = try await place.json("ledger", "balances")
        let airline = balances.arrayValue?.first { $0["external_identifier"] == "airline-1" }
        #expect(airline?["payable"]?.integerValue == closing)
        #expect(balances.arrayValue?.count == 2)
    }

    @Test("show a statement as a table, JSON and CSV, in any time zone")
    func forms() async throws {
        try await Counter.with { counter in
            let place = counter.place
            try await place.whileServing { url in try await counter.order("paid", at: url, capture: "automatic") }
            #expect(try await place.run(Self.payout + ["--paid-at", "2026-01-02"]).status == 0)
            let statement = ["ledger", "statement", "airline-1", "--currency", "USD"]
            let table = try await place.run(statement)
            #expect(table.status == 0)
            let rows = table.out.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            for row in ["opening 0.00", "gross 300.00", "commission -30.00", "payouts -100.00", "closing 170.00"] {
                #expect(rows.contains(row), "\(table.out)")
            }
            #expect(table.err.contains("psp_fees are those of the settlement files taken in so far"))
            let csv = try await place.run(statement + ["--format", "csv"])
            #expect(csv.out.split(separator: "\n").count == 5)
            #expect(csv.out.contains(",S-1,,2026-01-02,je_"), "\(csv.out)")
            #expect(csv.out.contains(",-100.00,170.00,USD,"), "\(csv.out)")
            let camt = try await place.run(statement + ["--format", "camt053"])
            #expect(camt.out.contains("urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"), "\(camt.err)")
            let page = try await place.run(statement + ["--format", "html"])
            #expect(page.out.hasPrefix("<!DOCTYPE html>") && page.out.contains("170.00"), "\(page.err)")
            #expect(try await place.run(statement + ["--format", "pdf"]).out.hasPrefix("%PDF-"))
            let past = ["--from", "2026-03-01", "--to", "2026-04-01", "--time-zone", "Europe/Berlin"]
            let march = try await place.json(statement + past)
            #expect(march["from"] == "2026-02-28T23:00:00.000Z")
            #expect(march["to"] == "2026-03-31T22:00:00.000Z")
            #expect(march["lines"] == [])
            #expect(march["balance"]?["closing"] == 0)
        }
    }

    private static let mistakes: [(typed: [String], status: Int32, sentence: String)] = [
        (payout.replacing("100.00", with: "100.005"), 2, "has more decimal digits than USD has"),
        (payout.replacing("100.00", with: "0"), 2, "--amount is above zero"),
        (payout.replacing("100.00", with: "-1"), 2, "--amount"),
        (payout.replacing("USD", with: "XXX"), 2, "XXX is no currency of ISO 4217"),
        (payout.replacing("S-1", with: "S-1 "), 2, "--reference: Must consist of printable ASCII"),
        (payout.replacing("airline-1", with: "motel"), 1, "there is no merchant motel"),
        (payout + ["--paid-at", "2026-02-30"], 2, "2026-02-30 is no date"),
        (payout + ["--paid-at", "2999-01-01"], 1, "--paid-at is later than now"),
        (payout + ["--time-zone", "Mars/Olympus"], 2, "there is no time zone Mars/Olympus"),
        (payout.replacing("100.00", with: "100.01"), 1, "which has amount 100.00; nothing was changed"),
        (payout.replacing("airline-1", with: "hotel-7"), 1, "is the reference of po_"),
        (["payouts", "fail", "po_1", "--reason", "x"], 2, "po_1 is no payout's id"),
        (["payouts", "fail", "po_00000000000000000000000000", "--reason", "x"], 1, "there is no payout po_0"),
        (["ledger", "statement", "motel", "--currency", "USD"], 1, "there is no merchant motel"),
        (
            ["ledger", "statement", "airline-1", "--currency", "USD", "--from", "2026-02-02", "--to", "2026-02-01"], 2,
            "--to is later than --from"
        ),
    ]

    @Test("that cannot be are refused with what is wrong, and change nothing")
    func mistakes() async throws {
        try await Counter.with { counter in
            let place = counter.place
            let recorded = try await place.json(Self.payout)
            for (typed, status, sentence) in Self.mistakes {
                let ending = try await place.run(typed)
                #expect(ending.status == status, "\(typed): \(ending.err)")
                #expect(ending.err.contains(sentence), "\(typed): \(ending.err)")
                #expect(ending.out.isEmpty, "\(typed)")
            }
            #expect(try await place.json("payouts", "list") == recorded)
        }
    }
}

extension [String] {
    /// The words with one of them replaced.
    fileprivate func replacing(_ word: String, with other: String) -> [String] { map { $0 == word ? other : $0 } }
}
