import Domain
import Foundation
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A database that is restored from a backup", .timeLimit(.minutes(10)))
struct RestoreTests {
    /// Whether the backup is made beside a server, which counts as one that serves until its last heartbeat is 12 s old; with
    /// `TRIBUTARY_TEST_OPERATIONS=all` that is tried, too.
    private static let besides = Operations.areAllTried ? [false, true] : [false]

    @Test(
        "hears of the money that moved since, and has a person look at what it cannot know",
        arguments: DatabaseEngine.allCases,
        besides
    )
    func restore(_ engine: DatabaseEngine, besideServer: Bool) async throws {
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await DatabaseLocation.with(engine, prepare: bazaar.template()) { location in
                let since = ISO8601DateFormatter().string(from: .now)
                try await Fleet.with(1, of: bazaar, on: location) { fleet in
                    try await CheckoutClient.with { client in
                        let shop = Shop(bazaar: bazaar, fleet: fleet, client: client)
                        let kept = [try await shop.place("held", "manual"), try await shop.place("paid", "automatic")]
                        if !besideServer { _ = try await fleet.stop(0) }
                        try await Backup.with(of: location) { backup in
                            if !besideServer { try await fleet.restart(0) }
                            try await shop.move(kept)
                            let lost = try await shop.place("lost", "automatic")
                            await fleet.kill(0)
                            try await backup.restored { copy in
                                try await Self.check(copy, since, kept, lost, bazaar, simulators)
                            }
                        }
                    }
                }
            }
        }
    }

    /// A checkout and an operator of the bazaar.
    private struct Shop {
        let bazaar: Bazaar
        let fleet: Fleet
        let client: CheckoutClient

        /// Places an order of two parts and answers its id.
        func place(_ reference: String, _ capture: String) async throws -> String {
            var basket = Basket("tok_approve", "tok_approve")
            basket.capture = capture
            let reply = try await client.place(
                basket.body(in: bazaar, reference: reference),
                key: reference,
                at: fleet.url(0)
            )
            try #require(reply.status == 201, "\(reply.json.text)")
            return try #require(reply.id)
        }

        /// Captures the first order, and gives the second one's money back.
        func move(_ orders: [String]) async throws {
            let headers = [
                ("Authorization", "Bearer " + Bazaar.apiKey), ("Content-Type", "application/json"),
                ("Idempotency-Key", "moved"),
            ].map { (name: $0.0, value: $0.1) }
            let captured = await client.post(
                "/v1/orders/\(orders[0])/capture",
                headers,
                Array("{}".utf8),
                at: fleet.url(0)
            )
            #expect(captured == 200)
            let amount = Basket("tok_approve", "tok_approve").amount
            let refund: JSON = ["amount": .integer(amount), "allocate": "proportional"]
            let refunded = await client.post("/v1/orders/\(orders[1])/refunds", headers, refund.bytes, at: fleet.url(0))
            #expect(refunded == 201)
        }
    }

    /// Goes the way of the page on backups, and holds the books against the PSPs' in the end.
    private static func check(
        _ copy: DatabaseLocation,
        _ since: String,
        _ kept: [String],
        _ lost: String,
        _ bazaar: Bazaar,
        _ simulators: [RunningSimulator]
    ) async throws {
        func command(_ arguments: String...) async throws -> Finished {
            try await Programs.with { programs in
                let environment = bazaar.environment.merging(["TRIBUTARY_DATABASE_URL": copy.text]) { $1 }
                return try await Finished(
                    try programs.start(.tributary, arguments, environment: environment),
                    within: .patience
                )
            }
        }
        func recover() async throws -> (status: Int32, told: Int64, raised: Int64) {
            let end = ContinuousClock.now + .patience
            while true {
                let ending = try await command("recover", "--since", since, "--format", "json")
                if ending.status == 2, ending.err.contains("within the last 12 s"), ContinuousClock.now < end {
                    try await Task.sleep(for: .seconds(1))
                    continue
                }
                let rows = try #require(try? JSON.parse(Array(ending.out.utf8)).arrayValue, "\(ending.err)")
                func sum(_ name: String) -> Int64 { rows.reduce(0) { $0 + ($1[name]?.integerValue ?? 0) } }
                #expect(rows.allSatisfy { $0["obstacle"] == .null }, "\(rows)")
                return (ending.status, sum("told"), sum("raised"))
            }
        }
        #expect(try await command("migrate", "--check").status == 0)
        #expect(try await command("ledger", "verify").status == 0)
        let first = try await recover()
        // A capture and a refund at each PSP, and a part of what was lost.
        #expect(first.status == 1 && first.told >= 4 && first.raised == 2, "\(first)")
        let second = try await recover()
        #expect(second == (1, 0, 0), "\(second)")
        #expect(try await command("attention", "list").status == 1)
        let problems = try await command("webhooks", "list", "--state", "problem", "--format", "json")
        #expect(try JSON.parse(Array(problems.out.utf8)).arrayValue?.count == 2, "\(problems.out)")

        try await Fleet.with(1, of: bazaar, on: copy) { _ in
            try await copy.withOpen(connections: 2) { database in
                let orders = try await BooksAtRest(in: database).orders
                #expect(Set(orders.map(\.id.text)) == Set(kept) && !kept.contains(lost))
                let (held, paid) = (orders.first { $0.reference == "held" }, orders.first { $0.reference == "paid" })
                #expect(held?.payments.allSatisfy { $0.captured == $0.amount && $0.refunded == 0 } == true)
                #expect(paid?.payments.allSatisfy { $0.refunded == $0.amount } == true)
                #expect(try await LedgerCheck.complaints(about: database, rules: OrderTimings()) == [])
                let differences = await PSPBooks.read(simulators).differences(from: orders)
                #expect(differences.count == 2 && differences.allSatisfy { $0.hasSuffix("is for no order of ours") })
            }
        }
    }
}
