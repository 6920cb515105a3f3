import Foundation
import StrictJSON
import Testing
import TributaryTestKit

/// Files that are handed in again, packed, corrected, or only tried.
@Suite("Files that come again", .timeLimit(.minutes(10)))
struct RepeatedInputTests {
    @Test(
        "count once: the second time is a mistake, or with --again changes nothing",
        arguments: DatabaseEngine.allCases
    )
    func again(_ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            var files = MonthFiles(.stripe, place.books)
            try files.resell("order-0") { $0 + 50 }
            let names = [try place.write(files.report), try place.write(files.statement)]
            #expect(try await place.reconcile([names[0], names[0]]).status == 2)
            #expect(try await place.reconcile(names).status == 1)
            let (stored, breaks) = (try await place.stored(), try await place.breaks())
            let twice = try await place.reconcile(names)
            #expect(twice.status == 2)
            #expect(twice.err.contains("was taken in on"), "\(twice.err)")
            let (again, json) = try await place.reconciled(names + ["--again"])
            #expect([0, 1].contains(again.status), "\(again.err)")
            #expect(json["inputs"]?[0]?["taken_in_before"] == true)
            #expect(try await place.stored() == stored)
            #expect(try await place.breaks() == breaks)
            try await place.expectSound()
        }
    }

    @Test("take the place of what they correct, and mend it", arguments: DatabaseEngine.allCases)
    func corrected(_ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            let right = MonthFiles(.stripe, place.books)
            var wrong = right
            try wrong.sale(of: "order-0") { $0["fee"] = "0.01" }
            try wrong.sale(of: "order-2") { $0["gross"] = "x" }
            let first = try place.write(wrong.report)
            #expect(try await place.reconcile([first]).status == 1)
            let found = try await place.breaks()
            #expect(!found.isEmpty)
            try place.work.write(right.report.text, to: "right.csv")
            let bank = try place.write(right.statement)
            let mended = try await place.reconcile(["right.csv", bank])
            #expect(mended.status == 0, "\(mended.out)\(mended.err)")
            #expect(try await place.breaks() == [])
            let closed = try await place.breaks("--state", "all")
            #expect(Set(closed.map { $0["id"]?.stringValue }) == Set(found.map { $0["id"]?.stringValue }))
            #expect(closed.allSatisfy { ["corrected", "matched"].contains($0["state"]?.stringValue) })
            let balances = try await place.balances()
            #expect(balances["psp/stripe-main/clearing"] == nil && balances["suspense/stripe-main"] == nil)
            let refused = try await place.reconcile([first])
            #expect(refused.status == 2 && refused.err.contains("--reinstate"), "\(refused.err)")
            #expect(try await place.reconcile([first, "--reinstate", "--again"]).status == 2)
            let reinstated = try await place.reconcile([first, "--reinstate"])
            #expect(reinstated.status == 1)
            #expect(reinstated.err.contains("took the place of right.csv"), "\(reinstated.err)")
            #expect(try await place.breaks().count == found.count)
            try await place.expectSound()
        }
    }

    @Test("may be packed, one by one or together")
    func packed() async throws {
        try await ReconcilingPlace.with { place in
            let names = try place.writeMonth(.camt053)
            let plain = try await place.reconciled(names + ["--dry-run"])
            #expect(plain.finished.status == 0, "\(plain.finished.out)\(plain.finished.err)")
            for name in names {
                let bytes = try place.work.bytes(of: name)
                try place.work.write(PackedFile.gzip(bytes), to: name + ".gz")
                try place.work.write(PackedFile.zip([(name, bytes)]), to: name + ".zip")
            }
            let zipped = try await place.reconciled(names.map { $0 + ".zip" } + ["--dry-run"])
            #expect(zipped.finished.status == 0, "\(zipped.finished.err)")
            #expect(zipped.json["summary"] == plain.json["summary"])
            let gzipped = try await place.reconciled(names.map { $0 + ".gz" })
            #expect(gzipped.finished.status == 0, "\(gzipped.finished.err)")
            #expect(gzipped.json["summary"] == plain.json["summary"])
            try await place.expectSound()
        }
    }

    @Test("may be tried: the same is said, and nothing is stored", arguments: DatabaseEngine.allCases)
    func dryRun(_ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            var files = MonthFiles(.stripe, place.books)
            try files.resell("order-0") { $0 + 50 }
            try files.drop("order-1")
            let names = [try place.write(files.report), try place.write(files.statement)]
            let before = try await place.stored()
            let tried = try await place.reconcile(names + ["--dry-run", "--format", "json"])
            #expect(tried.status == 1, "\(tried.err)")
            #expect(tried.err.contains("nothing was stored"))
            #expect(try await place.stored() == before)
            let real = try await place.reconcile(names + ["--format", "json"])
            #expect(real.out == tried.out)
            #expect(real.status == tried.status)
            try await place.expectSound()
        }
    }
}
