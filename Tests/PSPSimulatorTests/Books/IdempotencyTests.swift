import PSPSimulator
import Testing

@Suite("Idempotency keys")
struct IdempotencyTests {
    private var driver = BooksDriver()

    @Test("replay the first result, as it was then")
    mutating func replay() throws {
        let first = driver.authorize("tok_pending_50", reference: "att_a", key: "k")
        driver.now += 50
        let second = driver.authorize("tok_pending_50", reference: "att_a", key: "k")
        #expect(second.isReplay)
        #expect(second.reply == first.reply)
        let authorizations = driver.books.authorizations(of: "shop", at: driver.now)
        #expect(authorizations.map(\.status) == [.authorized])
        #expect(authorizations.map(\.requests) == [2])
    }

    @Test("replay a decline too")
    mutating func decline() {
        let first = driver.authorize("tok_decline_expired_card", reference: "att_a", key: "k")
        let second = driver.authorize("tok_decline_expired_card", reference: "att_a", key: "k")
        #expect(first.word == "declined")
        #expect(second.reply == first.reply)
        #expect(driver.books.keptResults == 1)
    }

    @Test("refuse another body")
    mutating func mismatch() throws {
        _ = driver.authorize("tok_approve", amount: 1000, reference: "att_a", key: "k")
        #expect(
            driver.authorize("tok_approve", amount: 999, reference: "att_a", key: "k").word == "idempotency_mismatch"
        )
        let authorization = try driver.authorized("tok_approve")
        #expect(driver.change(.void, authorization, key: "k").word == "idempotency_mismatch")
        #expect(driver.books.authorizations(of: "shop", at: driver.now).count == 2)
    }

    @Test("are each account's own")
    mutating func accounts() {
        #expect(driver.authorize("tok_approve", reference: "att_a", key: "k", account: "one").isReplay == false)
        #expect(driver.authorize("tok_approve", reference: "att_a", key: "k", account: "two").isReplay == false)
        #expect(driver.books.accounts == ["one", "two"])
    }

    @Test("keep no refusal, so that the request can be sent again")
    mutating func refusals() throws {
        let authorization = try driver.authorized("tok_approve+refund_unsettled_100", capture: true)
        #expect(driver.change(.refund, authorization, amount: 1, key: "k").word == "not_settled_yet")
        driver.now += 100
        #expect(driver.change(.refund, authorization, amount: 1, key: "k").word == "succeeded")
    }

    @Test("make a repeat wait for a slow first")
    mutating func slow() {
        let first = driver.authorize("tok_slow_300", reference: "att_a", key: "k")
        #expect(first.handling == .answer(afterMilliseconds: 300))
        driver.now += 100
        let second = driver.authorize("tok_slow_300", reference: "att_a", key: "k")
        #expect(second.handling == .answer(afterMilliseconds: 200))
        driver.now += 1000
        let third = driver.authorize("tok_slow_300", reference: "att_a", key: "k")
        #expect(third.handling == .answer(afterMilliseconds: 0))
    }

    @Test(
        "process the repeat of a request that was struck before it acted",
        arguments: [
            ("timeout_before", Handling.stall), ("500_before", .serverError), ("close_before", .close),
        ]
    )
    mutating func faultBefore(trigger: String, handling: Handling) {
        let first = driver.authorize("tok_\(trigger)", reference: "att_a", key: "k")
        #expect(first.reply == nil)
        #expect(first.handling == handling)
        #expect(driver.books.authorizations(of: "shop", at: driver.now).isEmpty)
        let second = driver.authorize("tok_\(trigger)", reference: "att_a", key: "k")
        #expect(second.word == "authorized")
        #expect(second.handling == .answer(afterMilliseconds: 0))
        #expect(second.isReplay == false)
        #expect(driver.authorize("tok_\(trigger)", reference: "att_b", key: "l").handling == handling)
    }

    @Test(
        "replay the result of a request that was struck after it acted",
        arguments: [
            ("timeout_after", Handling.stall), ("500_after", .serverError), ("close_after", .close),
            ("malformed", .truncate), ("duplicate", .twice),
        ]
    )
    mutating func faultAfter(trigger: String, handling: Handling) {
        let first = driver.authorize("tok_\(trigger)", reference: "att_a", key: "k")
        #expect(first.word == "authorized")
        #expect(first.handling == handling)
        let second = driver.authorize("tok_\(trigger)", reference: "att_a", key: "k")
        #expect(second.reply == first.reply)
        #expect(second.handling == .answer(afterMilliseconds: 0))
        #expect(second.isReplay)
        #expect(driver.books.authorizations(of: "shop", at: driver.now).count == 1)
    }

    @Test("never act on a token that never answers")
    mutating func never() {
        for _ in 1...3 {
            #expect(driver.authorize("tok_never", reference: "att_a", key: "k").handling == .stall)
        }
        #expect(driver.books.authorizations(of: "shop", at: driver.now).isEmpty)
        #expect(driver.books.requests == 3)
    }
}

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

    @Test("is nothing of what was answered 500, where successes alone are kept, also if no token asked for that")
    mutating func meantErrors() throws {
        driver.books = Books(instance: "test", keeping: ResultKeeping(.successes))
        let sale = try driver.authorized("tok_approve", capture: true)
        for delivery in [Delivery.errorAfter, .prompt, .prompt] {
            _ = driver.change(.refund, sale, amount: 300, reference: "op_1", key: "k", as: delivery)
        }
        #expect(try driver.current(sale).refunded == 600)
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
        #expect(driver.books.takeEvents().map(\.type) == ["authorization.authorized"])
        #expect(driver.change(.capture, hold, amount: 700, reference: "op_1", key: "k").word == "pending")
        driver.now += 50
        #expect(try driver.current(hold).captured == 700)
    }

    @Test("is nothing of such a request but the name that its answer gave, which nothing else is given")
    mutating func names() throws {
        var told: [String] = []
        for _ in 0..<2 {
            let answer = driver.authorize("tok_approve+authorize_no_trace", reference: "att_1", key: "k")
            guard case .authorization(let hold) = answer.reply else { throw UnexpectedReply(reply: answer.reply) }
            told.append(hold.id)
        }
        let sale = try driver.authorized("tok_approve+refund_no_trace", capture: true)
        let answer = driver.change(.refund, sale, amount: 300)
        guard case .operation(let refund, of: _) = answer.reply else { throw UnexpectedReply(reply: answer.reply) }
        var action = DashboardAction(.refund, to: .id(sale.id))
        action.amount = 100
        let after = try driver.books.receive(action)
        told += [sale.id, refund.id] + after.operations.dropFirst().map(\.id)
        #expect(told == ["auth_test_1", "auth_test_2", "auth_test_3", "ref_test_3_1", "ref_test_3_2"])
    }
}
