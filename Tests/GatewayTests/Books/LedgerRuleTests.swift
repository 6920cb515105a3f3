import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Verifying the books", .timeLimit(.minutes(10)))
struct LedgerRuleTests {
    /// Breaks off a transaction, so that each wrong is done to the same books.
    private struct Undone: Error {
        let findings: [LedgerFinding]
    }

    private static func findings(_ audit: LedgerAudit, in session: any Session) throws -> [LedgerFinding] {
        var findings: [LedgerFinding] = []
        for part in LedgerAudit.Part.allCases {
            var place: LedgerAudit.Place?
            repeat {
                let page = try audit.page(part, after: place, in: session)
                findings += page.findings
                place = page.next
            } while place != nil
        }
        return findings
    }

    private static let all = LedgerAudit(of: "travel")
    /// What is held of files and breaks, each of which is broken beside their storage.
    private static let rulesOfFiles: Set<LedgerRule> = [.importIsPosted, .breakIsPosted, .reversalFitsEntry]

    @Test("finds nothing in books that are right, and each wrong by its rule", arguments: DatabaseEngine.allCases)
    func rules(_ engine: DatabaseEngine) async throws {
        #expect(Set(BookWrong.all.map(\.rule)).union(Self.rulesOfFiles) == Set(LedgerRule.allCases))
        try await GatewayHarness.with(engine) { harness in
            let books = try await WrittenBooks(harness)
            #expect(try await harness.database.read { try Self.findings(Self.all, in: $0) } == [])
            for wrong in BookWrong.all {
                do {
                    try await harness.database.write { session in
                        try session.letJournalBeChanged()
                        for statement in wrong.statements(books) {
                            let count = try session.change(statement)
                            #expect(count > 0, "\(wrong.name) changes nothing")
                        }
                        throw Undone(findings: try Self.findings(Self.all, in: session))
                    }
                } catch let undone as Undone {
                    let rules = Set(undone.findings.map(\.rule))
                    #expect(rules == wrong.also.union([wrong.rule]), "\(wrong.name): \(undone.findings)")
                    let subjects = Set(undone.findings.filter { $0.rule == wrong.rule }.map(\.subject))
                    let wanted = wrong.subject(books)
                    #expect(subjects.allSatisfy { $0.hasPrefix(wanted) }, "\(wrong.name): \(subjects), not \(wanted)")
                    #expect(undone.findings.allSatisfy { $0.expected != $0.found }, "\(wrong.name)")
                }
            }
            #expect(try await harness.database.read { try Self.findings(Self.all, in: $0) } == [])
        }
    }

    @Test(
        "looks only at what was posted, placed or recorded in a time, if one is given",
        arguments: DatabaseEngine.allCases
    )
    func period(_ engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let books = try await WrittenBooks(harness)
            let placed = books.paid.createdAt
            let later = harness.clock.now().adding(milliseconds: 1)
            let earlier = LedgerAudit(of: "travel", in: Timestamp(microseconds: 0)..<placed)
            let since = LedgerAudit(of: "travel", in: placed..<later)
            let behind = LedgerAudit(of: "travel", in: later..<later.adding(milliseconds: 1))
            let found = try await harness.database.write { session in
                try session.run("UPDATE orders SET payable = payable - 1 WHERE id = \(books.paid.id)")
                return try [earlier, since, behind].map { try Self.findings($0, in: session).map(\.subject) }
            }
            #expect(found == [[], [books.paid.id.text], []])
        }
    }
}
