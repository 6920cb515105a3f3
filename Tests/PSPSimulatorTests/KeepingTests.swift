import PSPSimulator
import Testing

@Suite("What a PSP keeps under an idempotency key")
struct KeepingTests {
    private static let day: Int64 = 86_400_000
    private var driver = BooksDriver()

    /// A refund of which the first request acts and is answered 500: what repeating it is answered, how often it acted.
    private static let rows: [(keeping: ResultKeeping, again: Handling, refunded: Int64)] = [
        (.effects, .answer(afterMilliseconds: 0), 300), (ResultKeeping(.answers), .serverError, 300),
        (ResultKeeping(.successes), .serverError, 600),
    ]

    @Test("is what repeating a request finds that was done and answered 500", arguments: rows)
    mutating func errors(row: (keeping: ResultKeeping, again: Handling, refunded: Int64)) throws {
        driver.books = Books(instance: "test", keeping: row.keeping)
        let sale = try driver.authorized("tok_approve+refund_500_after", capture: true)
        for handling in [Handling.serverError, row.again] {
            let verdict = driver.change(.refund, sale, amount: 300, reference: "op_1", key: "k")
            #expect(verdict.handling == handling)
        }
        #expect(try driver.current(sale).refunded == row.refunded)
    }

    @Test(
        "is forgotten after a while, so that the same key acts again",
        arguments: [ResultKeeping.Kind.answers, .successes]
    )
    mutating func retention(kind: ResultKeeping.Kind) throws {
        driver.books = Books(instance: "test", keeping: ResultKeeping(kind, milliseconds: Self.day))
        let sale = try driver.authorized("tok_approve", capture: true)
        for (pause, refunded) in [(0, 300), (Self.day - 1, 300), (1, 600)] as [(Int64, Int64)] {
            driver.now += pause
            _ = driver.change(.refund, sale, amount: 300, reference: "op_1", key: "k")
            #expect(try driver.current(sale).refunded == refunded)
        }
    }

    @Test("is a refusal too where every answer is kept, but for what was not begun")
    mutating func refusals() throws {
        driver.books = Books(instance: "test", keeping: ResultKeeping(.answers))
        let sale = try driver.authorized("tok_approve+refund_unsettled_100", capture: true)
        #expect(driver.change(.refund, sale, amount: 1, reference: "op_1", key: "k").word == "not_settled_yet")
        #expect(driver.change(.refund, sale, target: .id("auth_test_9"), key: "other").word == "not_found")
        driver.now += 100
        let again = driver.change(.refund, sale, amount: 1, reference: "op_1", key: "k")
        #expect(again.isReplay && again.word == "not_settled_yet")
        #expect(driver.change(.refund, sale, amount: 1, reference: "op_1", key: "other").word == "succeeded")
    }

    @Test("is nothing of a request that is answered and leaves no trace")
    mutating func noTrace() throws {
        let token = "tok_approve+capture_pending_50+capture_no_trace"
        let hold = try driver.authorized(token)
        #expect(driver.change(.capture, hold, amount: 700, reference: "op_1", key: "k").word == "pending")
        driver.now += 50
        #expect(try driver.current(hold).captured == 0)
        #expect(driver.books.takeNews().map(\.type) == ["authorization.authorized"])
        #expect(driver.change(.capture, hold, amount: 700, reference: "op_1", key: "k").word == "pending")
        driver.now += 50
        #expect(try driver.current(hold).captured == 700)
    }
}
