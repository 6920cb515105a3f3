import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The inbox", .timeLimit(.minutes(10)))
struct WebhookTableTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_123_456)
    private static let account = TestMarketplace.travel.accounts[0]

    private static func entry(
        _ event: String,
        to account: PSPAccount = account,
        _ document: WebhookDocument = WebhookDocument(notices: [Notice(about: .init(payment: "p"), .lapsed)])
    ) -> WebhookEntry {
        var ids = IdentifierSource()
        return WebhookEntry(
            id: ids.make(at: now),
            to: account,
            eventID: event,
            type: "capture.succeeded",
            receivedAt: now,
            bodyHash: "0f",
            document: document,
            dueAt: now.adding(milliseconds: 1000)
        )
    }

    @Test("takes an event of an account once, and tells which were new", arguments: DatabaseEngine.allCases)
    func once(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let (first, second) = (Self.entry("evt_1"), Self.entry("evt_2"))
            let elsewhere = Self.entry("evt_1", to: TestMarketplace.travel.accounts[1])
            let new = try await database.write { try WebhookTable.insert([second, first, first], in: $0) }
            #expect(Set(new) == [first.id, second.id])
            let again = Self.entry("evt_2")
            let more = try await database.write { try WebhookTable.insert([again, elsewhere], in: $0) }
            #expect(more == [elsewhere.id])
            let stored = try await database.read { try WebhookTable.find(second.id, in: $0) }
            #expect(stored == second)
            #expect(try await database.read { try WebhookTable.find(again.id, in: $0) } == nil)
            #expect(try await database.write { try WebhookTable.insert([], in: $0) } == [])
        }
    }

    @Test("keeps where an event stands, and what is due when", arguments: DatabaseEngine.allCases)
    func states(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let (ignored, unreadable) = (
                Self.entry("a", WebhookDocument()), Self.entry("b", WebhookDocument(problem: "no amount"))
            )
            var (parked, applied) = (Self.entry("c"), Self.entry("d"))
            #expect(ignored.state == .ignored && ignored.settledAt == Self.now && ignored.dueAt == nil)
            #expect(unreadable.state == .problem && unreadable.problem == "no amount")
            let all = [ignored, unreadable, parked, applied]
            _ = try await database.write { try WebhookTable.insert(all, in: $0) }
            var ids = IdentifierSource()
            let later = Self.now.adding(milliseconds: 5000)
            parked.wait(.parked, until: later)
            applied.order = ids.make(at: Self.now)
            applied.finish(.applied, at: Self.now)
            let changed = [parked, applied]
            try await database.write { session in for entry in changed { try WebhookTable.update(entry, in: session) } }
            let listed = try await database.read { session in
                try WebhookTable.list(.init(marketplace: "travel"), limit: 10, in: session)
            }
            #expect(Set(listed) == [ignored, unreadable, parked, applied])
            func due(at time: Timestamp) async throws -> [WebhookID] {
                try await database.write { session in
                    let shares = try WorkQueue.shares(at: time, limit: 10, in: session)
                    return try WorkQueue.reserve(shares, dueAt: time, until: time, limit: 10, in: session).webhooks
                }
            }
            #expect(try await due(at: later.adding(milliseconds: -1)) == [])
            #expect(try await due(at: later) == [parked.id])
            let amiss = try await database.read { try WebhookTable.countAmiss(marketplace: nil, in: $0) }
            #expect(amiss == [.parked: 1, .problem: 1])
        }
    }

    @Test("is listed newest first, by state, account and marketplace", arguments: DatabaseEngine.allCases)
    func lists(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let (first, ignored) = (Self.entry("a"), Self.entry("b", WebhookDocument()))
            let last = Self.entry("a", to: TestMarketplace.travel.accounts[1])
            let entries = [first, ignored, last]
            _ = try await database.write { try WebhookTable.insert(entries, in: $0) }
            func list(_ change: (inout WebhookTable.Filter) -> Void, limit: Int = 10) async throws -> [WebhookID] {
                var filter = WebhookTable.Filter(marketplace: nil)
                change(&filter)
                let wanted = filter
                return try await database.read { try WebhookTable.list(wanted, limit: limit, in: $0) }.map(\.id)
            }
            let newest = entries.map(\.id).sorted(by: >)
            #expect(try await list { _ in } == newest)
            #expect(try await list({ _ in }, limit: 1) == [newest[0]])
            #expect(try await list { $0.state = .ignored } == [ignored.id])
            #expect(try await list { $0.account = "sim-b" } == [last.id])
            #expect(try await list { $0.marketplace = "elsewhere" } == [])
        }
    }

    @Test("forgets what is settled for long, never what waits", arguments: DatabaseEngine.allCases)
    func forgetting(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let (waiting, ignored) = (Self.entry("a"), Self.entry("b", WebhookDocument()))
            _ = try await database.write { try WebhookTable.insert([waiting, ignored], in: $0) }
            func left() async throws -> Set<WebhookID> {
                let filter = WebhookTable.Filter(marketplace: nil)
                return Set(try await database.read { try WebhookTable.list(filter, limit: 10, in: $0) }.map(\.id))
            }
            func forget(before moment: Timestamp) async throws -> Int {
                try await database.write { try RetainedTable.webhooks.forget(before: moment, limit: 10, in: $0) }
            }
            #expect(try await forget(before: Self.now) == 0)
            #expect(try await left() == [waiting.id, ignored.id])
            #expect(try await forget(before: Self.now.adding(milliseconds: 1)) == 1)
            #expect(try await left() == [waiting.id])
        }
    }

    @Test("lets an event come again from wherever it stands", arguments: DatabaseEngine.allCases)
    func replay(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let entry = Self.entry("a", WebhookDocument(problem: "no amount"))
            _ = try await database.write { try WebhookTable.insert([entry], in: $0) }
            let later = Self.now.adding(milliseconds: 1)
            #expect(try await database.write { try WebhookTable.replay(entry.id, at: later, in: $0) })
            let stored = try #require(try await database.read { try WebhookTable.find(entry.id, in: $0) })
            #expect(stored.state == .received && stored.dueAt == later && stored.settledAt == nil)
            #expect(stored.problem == nil && stored.attempts == 0)
            let unknown = Self.entry("b").id
            #expect(try await database.write { try WebhookTable.replay(unknown, at: later, in: $0) } == false)
        }
    }
}
