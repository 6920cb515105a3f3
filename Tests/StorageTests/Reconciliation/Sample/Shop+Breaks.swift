import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

/// What differs.
extension Shop {
    /// Records breaks as found by the run of a file.
    mutating func record(_ found: [Break], in file: ImportedFile) async throws -> BreakTable.Recorded {
        now = now.adding(milliseconds: 1000)
        let (now, ids, run) = (now, ids, BreakRun(id: file.id.text, asOf: "2027-01-15"))
        return try await database.write { session in
            var ids = ids
            return try BreakTable.record(found, run, of: "travel", at: now, ids: &ids, in: session)
        }
    }

    /// The break with a key.
    func stored(_ key: String) async throws -> StoredBreak {
        try #require(try await database.read { try BreakTable.find(keys: [key], of: "travel", in: $0).first })
    }

    func actions(of id: BreakID) async throws -> [BreakAction] {
        try #require(try await database.read { try BreakTable.show(id, of: "travel", in: $0)?.actions })
    }

    /// Lets Ann decide about a break, as she sees it.
    mutating func act(_ state: BreakState, on found: StoredBreak) async throws -> StoredBreak {
        now = now.adding(milliseconds: 1000)
        let (now, ids) = (now, ids)
        let decision = try BreakDecision(state, by: "ann", because: "as the PSP wrote")
        return try await database.write { session in
            var ids = ids
            return try BreakTable.act(
                decision,
                on: found.id,
                seenAs: found.state,
                of: "travel",
                at: now,
                ids: &ids,
                in: session
            )
        }
    }

    /// Lets Ann decide about a break, for a test in which she may not.
    func tryAct(_ state: BreakState, on found: StoredBreak) async throws {
        var shop = self
        _ = try await shop.act(state, on: found)
    }
}
