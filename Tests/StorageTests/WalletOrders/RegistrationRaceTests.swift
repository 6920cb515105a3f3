import Domain
import Foundation
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Whoever owes devices a push, while one of them stops to follow the order,", .timeLimit(.minutes(10)))
struct RegistrationRaceTests {
    private static let type = "order.com.example.travel"

    /// An order with a package that two devices follow.
    private static func follow(in database: any Database) async throws -> Order {
        var sample = OrderSample()
        let order = try sample.order()
        try await database.write { session in
            try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
            let now = order.createdAt
            try WalletOrderTable.insert(order, type: type, at: now, saying: now, in: session)
            for device in ["goes", "stays"] {
                let registered = try WalletDeviceTable.register(
                    device,
                    pushToken: "aa11",
                    for: order.id.text,
                    of: type,
                    at: now,
                    in: session
                )
                #expect(registered == .added)
            }
        }
        return order
    }

    /// What owes devices a push.
    enum Pushing: String, CaseIterable, CustomTestStringConvertible {
        case step, command

        var testDescription: String { rawValue }

        func write(_ order: Order, in session: any Session) throws(SQLError) {
            let now = order.createdAt
            switch self {
            case .step: try WalletOrderTable.raise(order.id, payments: [], at: now, saying: now, in: session)
            case .command: _ = try WalletPushQueue.push(order.id, at: now, in: session)
            }
        }
    }

    @Test("waits for it, and owes a push to those that stay", arguments: Pushing.allCases)
    func waits(_ pushing: Pushing) async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            let order = try await Self.follow(in: database)
            let (begun, announcement) = AsyncStream<Void>.makeStream()
            let mayEnd = DispatchSemaphore(value: 0)
            async let going: Void = database.write { session in
                try WalletDeviceTable.unregister("goes", from: order.id.text, of: Self.type, in: session)
                _ = try session.rows("SELECT 1 AS sent")
                announcement.yield()
                announcement.finish()
                _ = mayEnd.wait(timeout: .now() + 30)
            }
            defer { mayEnd.signal() }
            for await _ in begun { break }
            async let step: Void = database.write { session in try pushing.write(order, in: session) }
            while try await LockWaiters.count(in: database) == 0 { try Task.checkCancellation() }
            mayEnd.signal()
            try await going
            try await step
            let owed = try await database.read { session in
                try session.rows("SELECT device FROM wallet_push").map { try $0.text("device") }
            }
            #expect(owed == ["stays"])
        }
    }
}
