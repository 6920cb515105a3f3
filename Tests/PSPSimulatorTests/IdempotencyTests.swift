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
    mutating func struckBefore(trigger: String, handling: Handling) {
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
    mutating func struckAfter(trigger: String, handling: Handling) {
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
