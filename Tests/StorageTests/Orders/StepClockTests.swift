import Domain
import Foundation
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The clock that an order's step follows", .timeLimit(.minutes(10)))
struct StepClockTests {
    private static let moved = MarketplaceClock(aheadMicroseconds: 3_600_000_000)

    /// Places an order that follows a clock, in the marketplace `travel`, and answers it.
    private static func place(_ clock: MarketplaceClock, in database: any Database) async throws -> Order {
        var sample = OrderSample()
        var order = try sample.order()
        order.clock = clock
        try await database.write { [order] session in
            try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
        }
        return order
    }

    private static func move(_ order: Order, _ database: any Database) async throws {
        try await database.write { session in
            try TestClockTable.move(to: moved, of: "travel", at: order.createdAt, in: session)
        }
    }

    private static func clock(of order: Order, _ database: any Database) async throws -> MarketplaceClock? {
        try await database.write { session in
            try OrderReader.lockToStep(order.id, by: "two", at: order.createdAt, in: session)?.clock
        }
    }

    @Test(
        "is its marketplace's in a test marketplace, and the real time in a live one",
        arguments: DatabaseEngine.allCases
    )
    func followed(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let (test, live) = (try await Self.place(.unmoved, in: database), try await Self.place(.live, in: database))
            try await Self.move(test, database)
            #expect(try await Self.clock(of: test, database) == Self.moved)
            #expect(try await Self.clock(of: live, database) == .live)
        }
    }

    @Test("is as it is once the order is locked, though it was moved while the step waited for that")
    func waited() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            let order = try await Self.place(.unmoved, in: database)
            let (begun, announcement) = AsyncStream<Void>.makeStream()
            let mayEnd = DispatchSemaphore(value: 0)
            async let holding: Void = database.write { session in
                _ = try OrderReader.lock(order.id, in: session)
                announcement.yield()
                announcement.finish()
                _ = mayEnd.wait(timeout: .now() + 30)
            }
            defer { mayEnd.signal() }
            for await _ in begun { break }
            async let followed = Self.clock(of: order, database)
            while try await LockWaiters.count(in: database) == 0 { try Task.checkCancellation() }
            try await Self.move(order, database)
            mayEnd.signal()
            try await holding
            #expect(try await followed == Self.moved)
        }
    }
}
