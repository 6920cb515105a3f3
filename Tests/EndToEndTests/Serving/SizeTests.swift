import Domain
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Orders of every size", .serialized, .timeLimit(.minutes(10)))
struct SizeTests {
    private static let sizes = [1, 2, 10]
    private static let currencies = ["USD", "EUR", "JPY", "KWD"]
    private static let policies = ["all_or_nothing", "best_effort", "required", "minimum"]
    private static let ordersAtOnce = 4

    /// An order and what must come of it.
    private struct Case: Sendable {
        let basket: Basket
        let key: String
        /// The sum of the parts that are approved.
        let approved: Int64
        let hasDeclines: Bool

        /// An order in which each part that the policy can do without is declined, if any.
        init(_ size: Int, _ policy: String, _ capture: String, _ currency: String) {
            let spare =
                switch policy {
                case "all_or_nothing": Set<Int>()
                default: Set((0..<size).filter { $0 % 3 == 1 })
                }
            var basket = Basket(
                tokens: (0..<size).map {
                    spare.contains($0) ? "tok_decline_insufficient_funds" : "tok_approve"
                }
            )
            basket.currency = currency
            basket.capture = capture
            approved = basket.items.reduce(0) { $0 + (spare.contains($1.shop) ? 0 : $1.amount) }
            basket.policy =
                switch policy {
                case "required":
                    [
                        "type": "required",
                        "external_identifiers": .strings(
                            (0..<size).filter { !spare.contains($0) }.map { "shop-\($0)" }
                        ),
                    ]
                case "minimum": ["type": "minimum", "amount": .integer(approved)]
                default: ["type": .string(policy)]
                }
            self.basket = basket
            key = "\(size)-\(policy)-\(capture)-\(currency)"
            hasDeclines = !spare.isEmpty
        }

        var status: String {
            if basket.capture == "manual" { return "authorized" }
            return hasDeclines ? "partially_paid" : "paid"
        }
    }

    @Test(
        "come to what policy and capture mode promise, in every currency, and the books agree",
        arguments: currencies,
        DatabaseEngine.allCases
    )
    func table(_ currency: String, _ engine: DatabaseEngine) async throws {
        // The largest orders take most of the time: each policy has them in one currency.
        let policies = zip(Self.currencies, Self.policies).first { $0.0 == currency }.map { [$0.1] } ?? Self.policies
        let kinds = Self.sizes.flatMap { size in Self.policies.map { (size, $0) } } + policies.map { (50, $0) }
        let cases = kinds.flatMap { size, policy in
            ["automatic", "manual"].map { Case(size, policy, $0, currency) }
        }
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await DatabaseLocation.with(engine, prepare: bazaar.template()) { location in
                try await Fleet.with(1, of: bazaar, on: location) { fleet in
                    try await CheckoutClient.with { client in
                        let turnstile = Turnstile(places: Self.ordersAtOnce)
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for row in cases {
                                group.addTask {
                                    try await turnstile.pass {
                                        try await Self.check(row, bazaar, fleet.url(0), client)
                                    }
                                }
                            }
                            try await group.waitForAll()
                        }
                    }
                }
                try await Self.checkBooks(location, simulators, count: cases.count)
            }
        }
    }

    private static func check(
        _ row: Case,
        _ bazaar: Bazaar,
        _ url: String,
        _ client: CheckoutClient
    )
        async throws
    {
        let body = row.basket.body(in: bazaar, reference: row.key)
        let reply = try await client.place(body, key: row.key, at: url)
        // A busy machine may take longer than the checkout waits, over the largest.
        let isLate = reply.status == 202 && row.basket.items.count > 10
        #expect(reply.status == 201 || isLate, "\(row.key): \(reply.json.text.prefix(500))")
        let order = try await client.order(try #require(reply.id), at: url) { $0["status"]?.stringValue == row.status }
        #expect(order["decision"] == "accepted", "\(row.key)")
        #expect(order["status"]?.stringValue == row.status, "\(row.key)")
        #expect(order["payable_amount"]?.integerValue == row.basket.amount, "\(row.key)")
        #expect(order["authorized_amount"]?.integerValue == row.approved, "\(row.key)")
        let captured = row.basket.capture == "automatic" ? row.approved : 0
        #expect(order["captured_amount"]?.integerValue == captured, "\(row.key)")
        let repeated = try await client.place(body, key: row.key, at: url)
        #expect(repeated.isReplay && repeated.id == reply.id, "\(row.key)")
        #expect(reply.status == 202 || repeated.json == reply.json, "\(row.key)")
    }

    private static func checkBooks(
        _ location: DatabaseLocation,
        _ simulators: [RunningSimulator],
        count: Int
    ) async throws {
        let (orders, complaints) = try await location.withOpen(connections: 1) { database in
            (
                try await LedgerCheck.orders(in: database),
                try await LedgerCheck.complaints(about: database, rules: OrderTimings())
            )
        }
        #expect(orders.count == count)
        #expect(orders.count { $0.isAtRest } == count)
        #expect(complaints == [])
        let books = await PSPBooks.read(simulators)
        #expect(books.differences(from: orders) == [])
    }
}
