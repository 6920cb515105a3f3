import Domain
import PSPSimulator
import SQL
import Testing
import TributaryTestKit

/// The books once every order is at rest, held against what checkouts were told and what PSPs did.
struct BooksAtRest {
    private static let lookPause = Duration.milliseconds(200)

    /// Every order.
    let orders: [Order]

    /// Waits until every order is at rest.
    ///
    /// - Throws: if some never are.
    init(in database: any Database) async throws {
        let end = ContinuousClock.now + .patience
        while true {
            let found = try await LedgerCheck.orders(in: database)
            let restless = found.filter { !$0.isAtRest }
            if restless.isEmpty {
                orders = found
                return
            }
            try #require(ContinuousClock.now < end, "\(restless.map { "\($0.id) \($0.status)" })")
            try await Task.sleep(for: Self.lookPause)
        }
    }

    /// Expects that what was acknowledged is there once, as it was told, and that books and PSPs agree.
    ///
    /// - Parameters:
    ///   - receipts: what checkouts were told, by the orders' references.
    ///   - location: where the books are.
    ///   - simulators: the PSPs.
    /// - Throws: if orders never are at rest, or the books cannot be read.
    static func check(
        _ receipts: [String: Crowd.Receipt],
        _ location: DatabaseLocation,
        _ simulators: [RunningSimulator]
    ) async throws {
        try await location.withOpen(connections: 2) { database in
            let orders = try await BooksAtRest(in: database).orders
            let byReference = Dictionary(grouping: orders) { $0.reference ?? "" }
            for (reference, same) in byReference { #expect(same.count == 1, "\(reference)") }
            for (key, receipt) in receipts {
                let order = byReference[key]?.first
                #expect(order?.id.text == receipt.id, "\(key) was acknowledged")
                guard let told = receipt.decision else { continue }
                #expect(order?.decision.state.rawValue == told, "\(key) was answered")
            }
            #expect(Set(byReference.keys) == Set(receipts.keys))
            #expect(try await LedgerCheck.complaints(about: database, rules: OrderTimings()) == [])
            let books = await PSPBooks.read(simulators)
            #expect(books.differences(from: orders) == [])
        }
    }
}
