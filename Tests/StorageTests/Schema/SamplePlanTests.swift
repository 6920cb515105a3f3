import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The sample for whoever is on call", .timeLimit(.minutes(10)))
struct SamplePlanTests {
    /// Tables that grow with history, by their own names and by those that queries give them.
    private static let growing = ["orders", "o", "recon_break", "b", "psp_webhook", "payment", "order_step"]

    /// Explains what is asked of another session, and asks it.
    private final class Explainer: Session {
        private let base: any Session
        private(set) var lines: [String] = []

        init(_ base: any Session) { self.base = base }

        var dialect: Dialect { base.dialect }

        func rows(_ statement: SQL) throws(SQLError) -> [Row] {
            let isEmbedded = dialect == .sqlite
            let plan = try base.rows(isEmbedded ? "EXPLAIN QUERY PLAN \(statement)" : "EXPLAIN \(statement)")
            for row in plan { lines.append(try row.text(isEmbedded ? "detail" : "QUERY PLAN")) }
            return try base.rows(statement)
        }

        func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] {
            var answers: [[Row]] = []
            for statement in statements { answers.append(try rows(statement)) }
            return answers
        }

        func run(_ statement: SQL) throws(SQLError) { try base.run(statement) }

        func change(_ statement: SQL) throws(SQLError) -> Int { try base.change(statement) }
    }

    @Test("reads no table of history from one end to the other", arguments: DatabaseEngine.allCases)
    func plans(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            let now = Timestamp(microseconds: 1_800_000_000_000_000)
            let lines = try await database.write { session in
                // An empty table is no reason to read it whole.
                if session.dialect == .postgres { try session.run("SET LOCAL enable_seqscan = off") }
                let explainer = Explainer(session)
                let sample = try OperationalSample.read(at: now, in: explainer)
                #expect(sample.openOrders == 0 && sample.attention.isEmpty && sample.breaks.isEmpty)
                return explainer.lines
            }
            #expect(lines.count > 20)
            for line in lines {
                for table in Self.growing {
                    let isWhole = line.hasSuffix("SCAN \(table)") || line.contains("Seq Scan on \(table) ")
                    #expect(!isWhole, "\(line)")
                }
            }
        }
    }
}
