import Domain
import Foundation
import Testing
import TributaryTestKit

/// Runs `tributary simulate`: which hands every task of its process to dice, and so needs a process to itself.
///
/// `TRIBUTARY_SIMULATED_SEEDS` says how many seeds are tried, `TRIBUTARY_PLANTED_SEEDS` that each mistake that can be planted is
/// looked for, and in how many seeds at the most.
@Suite("Simulated seeds", .timeLimit(.minutes(20)))
struct SeedTests {
    /// What the program said, and how it ended.
    private struct Run: Hashable {
        let text: String
        let ending: RunningProgram.Ending
    }

    private static func run(_ arguments: String...) async throws -> Run { try await run(arguments) }

    private static func run(_ arguments: [String]) async throws -> Run {
        try await Programs.with { programs in
            let program = try programs.start(.tributary, ["simulate"] + arguments)
            let ending = await program.ended()
            return Run(text: try await program.output.whole(), ending: ending)
        }
    }

    @Test("keep every rule, and come to rest with books that agree")
    func seeds() async throws {
        let count = ProcessInfo.processInfo.environment["TRIBUTARY_SIMULATED_SEEDS"] ?? "150"
        let run = try await Self.run("--seeds", count)
        #expect(run == Run(text: "", ending: .exited(0)))
    }

    @Test("do the same again, line by line", arguments: ["3", "8", "12"])
    func replay(seed: String) async throws {
        let first = try await Self.run("--seed", seed, "--trace")
        let second = try await Self.run("--seed", seed, "--trace")
        #expect(first.text.contains("is born"))
        #expect(first == second)
    }

    @Test("do the same again where books are restored")
    func restoredReplay() async throws {
        let first = try await Self.run("--seeds", "20", "--trace")
        let second = try await Self.run("--seeds", "20", "--trace")
        #expect(first.text.contains("the books are those of"))
        #expect(first == second)
    }

    @Test("have as much happen as is asked for, and say how to have one that fails again")
    func happenings() async throws {
        let found = try await Self.run("--plant", "event-number-reused", "--happenings", "30", "--seeds", "20")
        #expect(found.ending == .exited(1))
        let again = try #require(found.text.split(separator: "\n").last { $0.contains("again: ") })
        let words = again.split(separator: " ").drop { $0 != "simulate" }.dropFirst().map(String.init)
        #expect(words.suffix(3) == ["--happenings", "30", "--trace"])
        let trace = try await Self.run(words)
        #expect(try await Self.run(words) == trace)
        #expect(try await Self.run("--seed", words[1], "--trace") != trace)
        let few = try await Self.run("--happenings", "3")
        #expect(few.ending == .exited(2))
    }

    @Test("tell orders what PSPs, buyers and instances tell them every day, wherever most orders come to stand")
    func transitions() async throws {
        let run = try await Self.run("--seeds", "150", "--transitions")
        let taken = run.text.split(separator: "\n").filter { !$0.contains(": 0 taken") }.compactMap {
            $0.split(separator: ":").first?.split(separator: " ")
        }
        let inputs = Set(taken.compactMap { $0.last.flatMap { OrderInput.Kind(rawValue: String($0)) } })
        let missing = Self.everyday.subtracting(inputs)
        #expect(missing.isEmpty, "never told: \(missing.map(\.rawValue).sorted())")
        let statuses = Set(
            taken.compactMap { $0.first?.split(separator: "/").last.flatMap { OrderStatus(rawValue: String($0)) } }
        )
        let common: Set<OrderStatus> = [
            .processing, .compensating, .failed, .authorized, .partiallyCaptured, .paid, .partiallyRefunded,
        ]
        #expect(common.subtracting(statuses).isEmpty, "no order stood where: \(common.subtracting(statuses))")
    }

    /// What some order of 150 runs is told however dice fall; what is rarer is in the tests of `OrderMachine` alone.
    private static let everyday: Set<OrderInput.Kind> = [
        .placement, .succeeded, .declined, .rejected, .pending, .unknown, .notSent, .toldAuthorization, .toldCapture,
        .toldVoid, .toldRefund, .refund, .claim, .sending, .tick,
    ]

    @Test(
        "find every mistake that can be planted",
        .enabled(if: ProcessInfo.processInfo.environment["TRIBUTARY_PLANTED_SEEDS"] != nil)
    )
    func everyMistake() async throws {
        let count = try #require(ProcessInfo.processInfo.environment["TRIBUTARY_PLANTED_SEEDS"])
        let run = try await Self.run("--plants", "--seeds", count)
        #expect(run.ending == .exited(0), "\(run.text)")
        #expect(run.text.split(separator: "\n").count == PlantedBug.allCases.count)
    }

    @Test("find what is planted, and show the fewest happenings that it takes")
    func planted() async throws {
        let run = try await Self.run("--plant", "credential-kept", "--seeds", "40")
        #expect(run.ending == .exited(1))
        #expect(run.text.contains("the fewest happenings that still make it fail"))
        #expect(run.text.contains("again: tributary simulate --seed "))
    }

    @Test("find mistakes of every kind: in money, in writing, in time, in what is told")
    func someMistakes() async throws {
        let bugs: [PlantedBug] = [
            .residueLost, .holdKeptUnwanted, .compensationForgotten, .eventNumberReused, .credentialKept,
            .keyForAnyBody,
        ]
        let run = try await Self.run(bugs.flatMap { ["--plant", $0.rawValue] } + ["--seeds", "150"])
        #expect(run.ending == .exited(0), "\(run.text)")
        #expect(run.text.split(separator: "\n").count == bugs.count)
    }
}
