import Domain
import HTTPTransport
import PostgresDatabase
import StrictJSON

/// One gateway beside two on the same database, each in a process of its own.
struct TwoInstances {
    /// How often each of the two is measured, in turn.
    private static let rounds = 2
    /// The longest document that the simulated PSP's books make, in bytes.
    private static let booksLimit = 1 << 30

    /// The first gateway.
    let stage: ServedStage
    /// The database's URL.
    let url: String
    /// How many checkouts wait at the same time in all.
    let callers: Int
    /// How long each of the two is measured in all, in seconds.
    let seconds: Int

    /// What was measured.
    struct Figures {
        /// Orders a second of one gateway.
        let one: Double
        /// Orders a second of two.
        let two: Double
        /// How many operations were claimed or sent more than once, though nothing of them failed.
        let claimedTwice: Int
        /// How many requests to the PSP repeated an earlier one.
        let sentTwice: Int64

        /// Writes the figures into a report.
        func add(to report: inout BenchReport) {
            report.add("one_instance_orders_per_second", one)
            report.add("two_instances_orders_per_second", two)
            report.add(ratio: "two_instances_to_one", two / one, atLeast: 1.3)
            report.add(ratio: "two_instances_operations_claimed_twice", Double(claimedTwice), atMost: 0)
            report.add(ratio: "two_instances_requests_sent_twice", Double(sentTwice), atMost: 0)
        }
    }

    /// Places orders at one gateway and at two in turn, the callers of the latter split evenly.
    ///
    /// - Throws: ``CommandFailure`` if the second cannot be started or an order is not finished, or `SQLError`.
    func measure() async throws -> Figures {
        let database = try PostgresDatabase(url: url, connections: 1)
        let result = await Result {
            let start = Timestamp(microseconds: try await database.now())
            let (one, two) = try await stage.withAnother { other in
                var (one, two) = (0.0, 0.0)
                for _ in 0..<Self.rounds {
                    one += try await perSecond(of: [stage])
                    two += try await perSecond(of: [stage, other])
                }
                return (one, two)
            }
            return Figures(
                one: one / Double(Self.rounds),
                two: two / Double(Self.rounds),
                claimedTwice: try await OperationLeases(database: database).claimedTwice(since: start),
                sentTwice: try await repeatedRequests()
            )
        }
        await database.close()
        return try result.get()
    }

    private func perSecond(of stages: [ServedStage]) async throws -> Double {
        let load = OrderLoad(callers: callers, seconds: max(1, seconds / Self.rounds), perSecond: nil)
        return try await load.run(byCaller: { caller in try await stages[caller % stages.count].place() }).perSecond
    }

    /// How many requests the simulated PSP took beyond one for each idempotency key.
    private func repeatedRequests() async throws -> Int64 {
        var request = HTTPRequest(.get, stage.psp + "/books")
        request.allowPlainHTTPToLoopback = true
        request.replyLimitBytes = Self.booksLimit
        guard case .reply(let reply) = await stage.client.send(request), reply.status == 200,
            let books = try? JSON.parse(reply.body), let requests = books["requests"]?.integerValue,
            let keys = books["idempotency_records"]?.integerValue
        else { throw CommandFailure.finding("the simulated PSP did not show its books") }
        return requests - keys
    }
}
