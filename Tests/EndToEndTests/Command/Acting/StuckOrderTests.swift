import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Serving beside an order that cannot be read", .timeLimit(.minutes(10)))
struct ServingBesideStuckOrderTests {
    private static let spoilings: [SQL] = [
        "UPDATE orders SET policy = 'nonsense' WHERE reference = 'spoilt'",
        """
        UPDATE payment SET attempts = REPLACE(attempts, '"authorize"', '"void"')
        WHERE order_id IN (SELECT id FROM orders WHERE reference = 'spoilt')
        """,
    ]

    @Test(
        "starts, takes new orders, and tells a person what to do",
        arguments: DatabaseEngine.allCases,
        spoilings.indices
    )
    func serving(engine: DatabaseEngine, spoiling: Int) async throws {
        try await Counter.with(engine) { counter in
            let place = counter.place
            try await place.whileServing { url in try await counter.order("spoilt", at: url) }
            let id = try await place.json("orders", "list")[0]?["id"]?.stringValue ?? ""
            let location: DatabaseLocation =
                place.environment["TRIBUTARY_DATABASE_URL"].map { .postgres(url: $0) }
                ?? .sqlite(path: place.path("tributary.sqlite"))
            try await location.withOpen { database in
                try await database.write { session in
                    try session.run(
                        """
                        INSERT INTO work (order_id, marketplace, share, at, in_hand)
                        SELECT id, marketplace, marketplace, 1, 1 FROM orders WHERE reference = 'spoilt'
                        ON CONFLICT (order_id) DO UPDATE SET at = 1, held_until = NULL
                        """
                    )
                    try session.run(Self.spoilings[spoiling])
                }
            }
            let ended = try await place.whileServing { url in
                try await counter.order("new", at: url)
                var rows: [JSON] = []
                for _ in 0..<50 where rows.isEmpty {
                    try await Task.sleep(for: .milliseconds(100))
                    let listed = try await place.run("attention", "list", "--format", "json")
                    rows = try JSON.parse(Array(listed.out.utf8)).arrayValue ?? []
                    #expect(listed.status == (rows.isEmpty ? 0 : 1), "\(listed.err)")
                }
                #expect(rows.count == 1, "\(rows)")
                #expect(rows.first?["order"]?.stringValue == id)
                #expect(rows.first?["reason"] == "order_unreadable")
                #expect(rows.first?["what_to_do"]?.stringValue?.contains("tried again by itself") == true)
                let orders = try await place.run("orders", "list", "--format", "csv")
                #expect(orders.status == 1 && orders.err.contains("left out: \(id)"), "\(orders.err)")
                #expect(orders.out.contains("new") && !orders.out.contains("spoilt"))
                let taken = try await place.json("orders", "capture", "new")
                #expect(taken["status"] == "paid")
            }
            let lines = ended.err.split(separator: "\n").filter { $0.contains("could not be carried on") }
            #expect((1...6).contains(lines.count) && lines.allSatisfy { $0.contains(id) }, "\(ended.err)")
        }
    }
}
