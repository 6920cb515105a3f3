import Foundation
import StrictJSON
import Testing
import TributaryTestKit

/// What a power failure does to a reconciliation: nothing that running it again would not mend.
///
/// `TRIBUTARY_RECONCILE_KILLS` says how many random kills there are besides the chosen ones, `TRIBUTARY_RECONCILE_SEED`
/// which.
@Suite("A reconciliation that is killed", .timeLimit(.minutes(20)), .serialized)
struct KilledReconcilerTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["TRIBUTARY_RECONCILE_KILLS"].flatMap { Int($0) } ?? 1
    private static let seed = environment["TRIBUTARY_RECONCILE_SEED"].flatMap { UInt64($0) } ?? 20_251_031

    /// What a run and its aftermath came to.
    private struct Outcome: Equatable {
        let result: [UInt8]?
        let breaks: [JSON]
        let balances: [String: Int64]
    }

    /// What a run that is left alone comes to, on whichever database, and how long it takes.
    private static let calm = Task {
        let clock = ContinuousClock()
        var calm: (outcome: Outcome, time: Duration)?
        try await ReconcilingPlace.with { place in
            let command = try command(in: place)
            let begin = clock.now
            let finished = try await place.reconcile(command)
            let time = clock.now - begin
            #expect(finished.status == 1, "\(finished.err)")
            calm = (try await outcome(of: place), time)
        }
        return try #require(calm)
    }

    @Test("ends as one that was left alone, when it is run again", arguments: DatabaseEngine.allCases)
    func killed(_ engine: DatabaseEngine) async throws {
        let (expected, time) = try await Self.calm.value
        #expect(expected.breaks.count == LongReport.strangers)
        try await ReconcilingPlace.with(engine) { place in
            let command = try Self.command(in: place)
            try await place.location.withOpen { database in
                for moment in KillMoment.all(Self.kills, seed: Self.seed, within: time) {
                    let program = try place.work.start(["reconcile"] + command)
                    try await moment.come(of: program, in: database)
                    await program.kill()
                    // A result is there whole or not at all, and not before it counts.
                    if place.work.has("result.json") {
                        #expect(try place.work.bytes(of: "result.json") == expected.result, "\(moment), \(Self.seed)")
                        return
                    }
                }
            }
            let hasResult = try await Self.finish(place, command)
            let outcome = try await Self.outcome(of: place)
            #expect(outcome.breaks == expected.breaks, "seed \(Self.seed)")
            #expect(outcome.balances == expected.balances, "seed \(Self.seed)")
            #expect(outcome.result == (hasResult ? expected.result : nil), "seed \(Self.seed)")
        }
    }

    /// Runs it to its end.
    ///
    /// What was killed between its last transaction and its result counts, and says where the result is to be found.
    ///
    /// - Returns: whether there is a result.
    private static func finish(_ place: ReconcilingPlace, _ command: [String]) async throws -> Bool {
        guard !place.work.has("result.json") else { return true }
        let finished = try await place.reconcile(command)
        #expect(finished.out.isEmpty)
        if finished.status == 2, finished.err.contains("was taken in") {
            #expect(finished.err.contains("`tributary breaks list` has what it differs by"), "\(finished.err)")
            return false
        }
        #expect(finished.status == 1, "\(finished.err), seed \(seed)")
        return true
    }

    private static func command(in place: ReconcilingPlace) throws -> [String] {
        let report = LongReport(place.books).report
        #expect(report.rows.count > 20_000)
        let names = [try place.write(report), try place.write(BankStatement(paying: [report]))]
        return names + ["--format", "json", "--out", "result.json"]
    }

    private static func outcome(of place: ReconcilingPlace) async throws -> Outcome {
        try await place.expectSound()
        #expect(!place.work.has("result.json.part"))
        return Outcome(
            result: place.work.has("result.json") ? try place.work.bytes(of: "result.json") : nil,
            breaks: try await place.breaks(),
            balances: try await place.balances()
        )
    }
}
