import Domain
import SQL
import StrictJSON
import Testing
import TributaryTestKit

/// Which days are looked at, how exactly, and why.
@Suite("What a reconciliation looks at", .timeLimit(.minutes(10)))
struct ReconcileScopeTests {
    /// A report without the sales of two orders, which were made at 22:30 UTC on 25 and 26 October 2025: between them
    /// clocks in Berlin go from UTC+2 to UTC+1, so that there it was 00:30 on the 26th, and 23:30 on the 26th.
    private static func writeGaps(_ place: ReconcilingPlace) throws -> [String] {
        var files = MonthFiles(.stripe, place.books)
        for order in ["order-9", "order-10"] { try files.drop(order) }
        return [try place.write(files.report), try place.write(files.statement), "--dry-run", "--as-of", "2025-12-31"]
    }

    private struct Days: Sendable, CustomTestStringConvertible {
        let options: [String]
        let missing: [String]
        var testDescription: String { options.joined(separator: " ") }
    }

    private static let days = [
        Days(options: [], missing: ["order-9", "order-10"]),
        Days(options: ["--from", "2025-10-26", "--to", "2025-10-26"], missing: ["order-10"]),
        Days(options: ["--from", "2025-10-25", "--to", "2025-10-25"], missing: ["order-9"]),
        Days(
            options: ["--from", "2025-10-26", "--to", "2025-10-26", "--time-zone", "Europe/Berlin"],
            missing: ["order-9", "order-10"]
        ),
        Days(options: ["--to", "2025-10-25", "--time-zone", "Europe/Berlin"], missing: []),
        Days(options: ["--from", "2025-10-27", "--time-zone", "Europe/Berlin"], missing: []),
        // Half an hour before midnight is of the next day.
        Days(
            options: ["--from", "2025-10-27", "--time-zone", "Europe/Berlin", "--cut-off", "23:30"],
            missing: ["order-10"]
        ),
        Days(
            options: ["--from", "2025-10-27", "--time-zone", "Europe/Berlin", "--cut-off", "23:31"],
            missing: []
        ),
        Days(
            options: ["--to", "2025-10-26", "--time-zone", "Europe/Berlin", "--cut-off", "00:30"],
            missing: []
        ),
    ]

    @Test("is of the days that are asked for, in the zone and with the hour at which they end")
    func days() async throws {
        try await ReconcilingPlace.with { place in
            let command = try Self.writeGaps(place)
            for one in Self.days {
                let (finished, json) = try await place.reconciled(command + one.options)
                let breaks = json["breaks"]?.arrayValue ?? []
                let expected = one.missing.compactMap { place.books.orders[$0]?.id.text }
                #expect(breaks.compactMap { $0["order"]?.stringValue }.sorted() == expected.sorted(), "\(one.options)")
                #expect(breaks.allSatisfy { $0["type"] == "missing_at_psp" }, "\(one.options)")
                #expect(finished.status == (one.missing.isEmpty ? 0 : 1), "\(one.options): \(finished.err)")
            }
        }
    }

    @Test(
        "is not due, late or missing by the day that is asked about",
        arguments: [
            ("2025-10-29", nil), ("2025-10-30", "late"), ("2025-11-02", "late"), ("2025-11-03", "missing_at_psp"),
        ]
    )
    func asOf(_ day: String, _ type: String?) async throws {
        try await ReconcilingPlace.with { place in
            var files = MonthFiles(.stripe, place.books)
            try files.drop("order-10")
            let name = try place.write(files.report)
            let (finished, json) = try await place.reconciled([name, "--as-of", day])
            #expect(finished.status == (type == nil ? 0 : 1), "\(finished.err)")
            #expect(ReconcilingPlace.types(json) == [type].compactMap(\.self))
            #expect(json["as_of"]?.stringValue == day)
        }
    }

    @Test("may differ by --tolerance, and no more")
    func tolerance() async throws {
        try await ReconcilingPlace.with { place in
            var files = MonthFiles(.stripe, place.books)
            try files.resell("order-0") { $0 + 7 }
            let names = [try place.write(files.report), try place.write(files.statement), "--dry-run"]
            for (units, types) in [
                ("0", ["amount_mismatch"]), ("5", ["amount_mismatch"]), ("6", ["rounding_residue"]), ("7", []),
            ] {
                let (finished, json) = try await place.reconciled(names + ["--tolerance", units])
                #expect(ReconcilingPlace.types(json) == types, "\(units)")
                #expect(finished.status == (types.isEmpty ? 0 : 1))
            }
        }
    }

    @Test("is explained by what it is called")
    func explained() async throws {
        try await ReconcilingPlace.with { place in
            var files = MonthFiles(.stripe, place.books)
            try files.resell("order-0") { $0 + 50 }
            let names = [try place.write(files.report), try place.write(files.statement), "--dry-run"]
            let sound = try #require(place.books.orders["order-2"])
            let (_, json) = try await place.reconciled(names + ["--explain", sound.id.text])
            let words = json["explanation"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(words.count == 1 && words.first?.contains("our-attempt") == true, "\(words)")
            let amount = try #require(sound.payments.first { $0.externalIdentifier == "at-stripe" }).amount
            #expect(words.first?.contains(amount.dollars) == true, "\(words)")
            let broken = try #require(place.books.orders["order-0"])
            for name in [broken.id.text, try #require(json["breaks"]?[0]?["id"]?.stringValue)] {
                let (_, json) = try await place.reconciled(names + ["--explain", name])
                let words = json["explanation"]?.arrayValue?.compactMap(\.stringValue) ?? []
                #expect(words.contains { $0.hasPrefix("amount_mismatch: ") }, "\(name): \(words)")
            }
            let batch = try await place.reconciled(names + ["--explain", SettledPSP.stripe.payout])
            let sums = batch.json["explanation"]?.arrayValue?.compactMap(\.stringValue) ?? []
            for rule in ["batch-sum", "bank-reference"] { #expect(sums.contains { $0.contains(rule) }, "\(sums)") }
            let strange = try await place.reconcile(names + ["--explain", "nobody"])
            #expect(strange.out.contains("Nothing of that name was compared."))
        }
    }

    @Test("is worth nothing where our own books are wrong")
    func wrongBooks() async throws {
        try await ReconcilingPlace.with { place in
            #expect(try await place.reconcile([place.write(place.report(.stripe))]).status == 0)
            let changed = try await place.change(
                """
                UPDATE journal_entry SET postings = REPLACE(postings, ']]', '1]]')
                WHERE id = (SELECT MIN(id) FROM journal_entry WHERE import_id IS NOT NULL)
                """,
                ofJournal: true
            )
            #expect(changed > 0)
            let finished = try await place.reconcile([place.write(place.report(.adyen))])
            #expect(finished.status == 4, "\(finished.out)\(finished.err)")
            #expect(finished.err.contains("ledger verify"))
            #expect(finished.out.contains("breaks: none"))
            #expect(try await place.work.run("ledger", "verify").status == 4)
        }
    }
}
