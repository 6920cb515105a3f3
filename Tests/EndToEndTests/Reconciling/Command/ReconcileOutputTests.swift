import Foundation
import StrictJSON
import Testing
import TributaryTestKit

/// What the program writes, and where.
@Suite("The result of a reconciliation", .timeLimit(.minutes(10)))
struct ReconcileOutputTests {
    private static func writeFaulty(_ place: ReconcilingPlace) throws -> [String] {
        var files = MonthFiles(.stripe, place.books)
        try files.resell("order-0") { $0 + 50 }
        try files.drop("order-1")
        try files.sale(of: "order-11") { $0["net"] = "x" }
        return [try place.write(files.report), try place.write(files.statement)]
    }

    @Test("is the same to the byte each time, on each database, in each format")
    func same() async throws {
        var results: [String: Set<String>] = [:]
        for engine in DatabaseEngine.allCases {
            try await ReconcilingPlace.with(engine) { place in
                let names = try Self.writeFaulty(place)
                for format in ["table", "json", "jsonl", "csv", "json"] {
                    let finished = try await place.reconcile(names + ["--dry-run", "--format", format])
                    #expect(finished.status == 1, "\(finished.err)")
                    results[format, default: []].insert(finished.out)
                }
                let real = try await place.reconcile(names + ["--format", "jsonl"])
                results["jsonl", default: []].insert(real.out)
            }
        }
        #expect(results.mapValues(\.count) == ["table": 1, "json": 1, "jsonl": 1, "csv": 1])
        let json = try JSON.parse(Array(try #require(results["json"]?.first).utf8))
        let ids = json["breaks"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(ids.count == 3)
        let lines = try #require(results["jsonl"]?.first).split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
        #expect(lines.map { $0["is"] } == ["input", "input", "break", "break", "break", "summary"])
        #expect(lines.compactMap { $0["id"]?.stringValue } == ids)
        let rows = try #require(results["csv"]?.first).split(separator: "\n")
        #expect(rows.dropFirst().map { String($0.prefix { $0 != "," }) } == ids)
        for id in ids { #expect(results["table"]?.first?.contains(id) == true) }
    }

    @Test("is written to a file whole or not at all, and a result that is lost is no success")
    func places() async throws {
        try await ReconcilingPlace.with { place in
            let names = try place.writeMonth()
            let dry = ["--dry-run", "--format", "json"]
            let printed = try await place.reconcile(names + dry)
            #expect(printed.status == 0)
            let filed = try await place.reconcile(names + dry + ["--out", "result.json"])
            #expect((filed.status, filed.out) == (0, ""))
            #expect(try place.work.bytes(of: "result.json") == Array(printed.out.utf8))
            try place.work.write("keep", to: "kept.txt")
            try FileManager.default.createDirectory(
                atPath: place.work.path("folder"),
                withIntermediateDirectories: false
            )
            try FileManager.default.moveItem(
                atPath: place.work.path("kept.txt"),
                toPath: place.work.path("folder/kept.txt")
            )
            for path in ["no/such/folder/result.json", "folder", "/proc/result.json"] {
                let lost = try await place.reconcile(names + dry + ["--out", path])
                #expect(lost.status == 2, "\(path): \(lost.err)")
                #expect(lost.err.contains(path), "\(lost.err)")
            }
            for format in ["table", "json", "jsonl", "csv"] {
                let full = try await place.shell(
                    ["reconcile"] + names + ["--dry-run", "--format", format],
                    "> /dev/full"
                )
                #expect(full.status == 2, "\(format): \(full.err)")
                #expect(full.err.contains("No space left on device"), "\(full.err)")
            }
            #expect(place.work.has("folder/kept.txt"))
            #expect(try place.work.files().filter { $0.hasSuffix(".part") } == [])
            // What is no file, as a pipe, is written to and stays what it is.
            let pipe = try await Finished(place.work.start("/usr/bin/mkfifo", ["pipe"]), within: .patience)
            try #require(pipe.status == 0, "\(pipe.err)")
            let reader = try place.work.start("/bin/sh", ["-c", "cat pipe"])
            let piped = try await place.reconcile(names + dry + ["--out", "pipe"])
            #expect((piped.status, piped.out) == (0, ""), "\(piped.err)")
            #expect(try await Finished(reader, within: .patience).out == printed.out)
            let type =
                try FileManager.default.attributesOfItem(atPath: place.work.path("pipe"))[.type] as? FileAttributeType
            #expect(type != .typeRegular)
        }
    }

    @Test("of commands that look at it is no success either, when it is lost")
    func lost() async throws {
        try await ReconcilingPlace.with { place in
            #expect(try await place.reconcile(place.writeMonth()).status == 0)
            let commands = [
                ["orders", "proof", "order-0", "--format", "json"], ["breaks", "list", "--format", "json"],
                ["ledger", "balances", "--accounts"], ["orders", "list"], ["--help"],
            ]
            for command in commands {
                #expect(try await place.work.run(command).status == 0, "\(command)")
                let full = try await place.shell(command, "> /dev/full")
                #expect(full.status == 2, "\(command)")
                #expect(full.err.contains("No space left on device"), "\(command): \(full.err)")
            }
        }
    }

    @Test("fails for the types that --fail-on names, and for no other")
    func failOn() async throws {
        try await ReconcilingPlace.with { place in
            let names = try Self.writeFaulty(place) + ["--dry-run"]
            for (types, status) in [
                ("late", Int32(3)), ("amount_mismatch", 1), ("late,missing_at_psp", 1), ("unparseable_row", 1),
            ] {
                let finished = try await place.reconcile(names + ["--fail-on", types])
                #expect(finished.status == status, "\(types): \(finished.err)")
            }
        }
    }
}
