import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Versions of an order in Wallet", .timeLimit(.minutes(10)))
struct WalletOrderVersionTests {
    @Test(
        "say that they were made in whole seconds, each at least one after the last, whatever the clock shows",
        arguments: DatabaseEngine.allCases
    )
    func updates(engine: DatabaseEngine) async throws {
        var sample = OrderSample()
        let order = try sample.order()
        let first = order.createdAt.wholeSecond
        let type = "order.com.example.travel"
        let passed: [Int64] = [999, 400, 1000, 1999, 2000, 9000, -86_400_000, 9001]
        let times = try await withDatabase(engine, prepare: .travel) { database in
            try await database.write { session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                let placed = first.adding(milliseconds: 999)
                try WalletOrderTable.insert(order, type: type, at: placed, saying: placed, in: session)
                var times = try WalletOrderTable.all(of: order.id, in: session).map(\.updatedAt)
                for milliseconds in passed {
                    let now = first.adding(milliseconds: milliseconds)
                    try WalletOrderTable.raise(order.id, payments: [], at: now, saying: now, in: session)
                    times += try WalletOrderTable.all(of: order.id, in: session).map(\.updatedAt)
                }
                return times
            }
        }
        #expect(times.map { $0.milliseconds(since: first) } == [0, 1000, 2000, 3000, 4000, 5000, 9000, 10_000, 11_000])
    }
}
