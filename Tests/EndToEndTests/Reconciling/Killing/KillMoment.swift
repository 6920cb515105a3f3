import Foundation
import SQL
import SeededRandom
import Storage
import TributaryTestKit

/// When a running reconciliation is killed.
enum KillMoment: Sendable, CustomStringConvertible {
    /// Some time after it was started.
    case after(Duration)
    /// As soon as so many of its lines are stored.
    case lines(Int64)
    /// As soon as some of its matches are stored, or its lines are those that count.
    case matches

    var description: String {
        switch self {
        case .after(let time): "after \(time)"
        case .lines(let count): "at \(count) lines"
        case .matches: "at the first matches"
        }
    }

    /// Waits for it while a program runs.
    func come(of program: RunningProgram, in database: any Database) async throws {
        if case .after(let time) = self { return try await Task.sleep(for: time) }
        while program.isRunning {
            let hasCome = try await database.read { session in
                let count: SQL =
                    switch self {
                    case .after: "SELECT 1 AS count"
                    case .lines(let limit): "SELECT COUNT(*) - \(limit) + 1 AS count FROM settlement_line"
                    case .matches: "SELECT COUNT(*) AS count FROM line_match"
                    }
                return try session.rows(count).first?.integer("count") ?? 0 > 0
            }
            if hasCome { return }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Chosen ones, and so many that a seed says, within the time that an undisturbed run takes.
    static func all(_ count: Int, seed: UInt64, within time: Duration) -> [KillMoment] {
        var numbers = SeededRandom(seed: seed)
        let random = (0..<count).map { _ in KillMoment.after(time * Double.random(in: 0..<1, using: &numbers)) }
        return [.lines(1), .lines(12_000), .matches] + random
    }
}
