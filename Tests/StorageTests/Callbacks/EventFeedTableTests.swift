import Domain
import Foundation
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The end of the feed of events", .timeLimit(.minutes(10)))
struct EventFeedTableTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    /// How far before now the feed ends, in microseconds.
    private static func lag(_ database: any Database) async throws -> Int64 {
        let horizon = try await database.read { session in try EventFeedTable.horizon(at: now, in: session) }
        return now.microseconds - horizon.microseconds
    }

    @Test("stops before a transaction that has written something and still runs")
    func running() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { database in
            let (begun, announcement) = AsyncStream<Void>.makeStream()
            let isSeen = DispatchSemaphore(value: 0)
            async let writing: Void = database.write { session in
                _ = try session.change("INSERT INTO retention_turn (task) VALUES ('feed')")
                announcement.yield()
                announcement.finish()
                _ = isSeen.wait(timeout: .now() + 30)
            }
            defer { isSeen.signal() }
            for await _ in begun { break }
            try await Task.sleep(for: .milliseconds(500))
            #expect(try await Self.lag(database) >= 1_400_000)
            isSeen.signal()
            try await writing
            #expect(try await Self.lag(database) >= 1_000_000)
        }
    }

    @Test("is a second before now where there is one writer at a time")
    func single() async throws {
        try await withDatabase(.sqlite, prepare: .migrated) { database in
            let lag = try await Self.lag(database)
            #expect(lag == 1_000_000)
        }
    }

    @Test("an order's parts say which step made them", arguments: [0, 1, 7, 260_000])
    func parts(_ step: Int64) {
        var ids = IdentifierSource()
        let order = OrderID.make(from: &ids, at: Self.now)
        var parts = IdentifierSource(of: order, step: step)
        let part: CallbackID = parts.make(at: Self.now)
        #expect(part.step == step)
        #expect(CallbackID(of: order, step: step, number: part.number) == part)
        #expect(OrderID(of: part) == order)
    }
}
