import Foundation
import Testing
import TributaryTestKit

/// Runs `tributary simulate`: which hands every task of its process to dice, and so needs a process to itself.
///
/// `TRIBUTARY_SIMULATED_SEEDS` says how many seeds are tried.
@Suite("Simulated seeds", .timeLimit(.minutes(20)))
struct SeedTests {
    /// What the program said, and how it ended.
    private struct Run: Hashable {
        let text: String
        let ending: RunningProgram.Ending
    }

    private static func run(_ arguments: String...) async throws -> Run {
        try await Programs.with { programs in
            let program = try programs.start(.tributary, ["simulate"] + arguments)
            let ending = await program.ended()
            return Run(text: try await program.output.whole(), ending: ending)
        }
    }

    @Test("keep every rule, and come to rest with books that agree")
    func seeds() async throws {
        let count = ProcessInfo.processInfo.environment["TRIBUTARY_SIMULATED_SEEDS"] ?? "60"
        let run = try await Self.run("--seeds", count)
        #expect(run == Run(text: "", ending: .exited(0)))
    }

    @Test("do the same again, line by line", arguments: ["3", "8", "21"])
    func replay(seed: String) async throws {
        let first = try await Self.run("--seed", seed, "--trace")
        let second = try await Self.run("--seed", seed, "--trace")
        #expect(first.text.contains("is born"))
        #expect(first == second)
    }

    @Test(
        "find what is planted, and show the fewest happenings that it takes",
        arguments: ["forgotten-writes", "lost-announcements", "silent-portal"]
    )
    func planted(bug: String) async throws {
        let run = try await Self.run("--plant", bug, "--seeds", "40")
        #expect(run.ending == .exited(1))
        #expect(run.text.contains("the fewest happenings that still make it fail"))
        #expect(run.text.contains("again: tributary simulate --seed "))
    }
}
