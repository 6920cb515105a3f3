import PSPSimulator
import Testing

@Suite("Books")
struct BooksTests {
    private var driver = BooksDriver()

    @Test("hold what is approved and take what is captured")
    mutating func capture() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(authorization.status == .authorized)
        #expect(authorization.held == 1000)
        #expect(driver.change(.capture, authorization, amount: 1000).word == "succeeded")
        let captured = try driver.current(authorization)
        #expect(captured.status == .captured)
        #expect([captured.held, captured.captured, captured.voided] == [0, 1000, 0])
    }

    @Test("release the rest of a partial capture")
    mutating func partialCapture() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(driver.change(.capture, authorization, amount: 400).word == "succeeded")
        let captured = try driver.current(authorization)
        #expect([captured.authorized, captured.captured, captured.voided] == [1000, 400, 600])
        #expect(driver.change(.capture, authorization, amount: 100).word == "already_captured")
    }

    @Test("capture a sale in one call")
    mutating func sale() throws {
        let sale = try driver.authorized("tok_approve", capture: true)
        #expect(sale.status == .captured)
        #expect(sale.captured == 1000)
        #expect(driver.change(.refund, sale, amount: 1000).word == "succeeded")
        #expect(try driver.current(sale).refunded == 1000)
    }

    @Test("refuse a capture of more than is held")
    mutating func tooLarge() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(driver.change(.capture, authorization, amount: 1001).word == "amount_too_large")
        #expect(try driver.current(authorization).captured == 0)
    }

    @Test("refund a capture in parts, never beyond it, pending refunds included")
    mutating func refunds() throws {
        let authorization = try driver.authorized("tok_approve+refund_pending_100", capture: true)
        #expect(driver.change(.refund, authorization, amount: 600).word == "pending")
        #expect(driver.change(.refund, authorization, amount: 401).word == "amount_too_large")
        #expect(driver.change(.refund, authorization, amount: 400).word == "pending")
        #expect(try driver.current(authorization).refunded == 0)
        driver.now += 100
        #expect(try driver.current(authorization).refunded == 1000)
        #expect(driver.change(.refund, authorization, amount: 1).word == "amount_too_large")
    }

    @Test("release what is voided, once")
    mutating func voids() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(driver.change(.void, authorization).word == "succeeded")
        let voided = try driver.current(authorization)
        #expect(voided.status == .voided)
        #expect([voided.held, voided.voided] == [0, 1000])
        #expect(driver.change(.void, authorization).word == "already_voided")
        #expect(driver.change(.capture, authorization, amount: 1).word == "already_voided")
        #expect(driver.change(.refund, authorization, amount: 1).word == "already_voided")
    }

    @Test("refuse a refund of what is only held")
    mutating func refundOfHold() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(driver.change(.refund, authorization, amount: 1).word == "not_captured")
    }

    @Test("show nothing of one account to another")
    mutating func accounts() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(driver.change(.void, authorization, account: "other").word == "not_found")
        #expect(driver.books.authorization(authorization.id, of: "other", at: driver.now) == nil)
        let reference = authorization.command.reference
        #expect(driver.books.authorizations(reference: reference, of: "other", at: driver.now).isEmpty)
        #expect(driver.books.authorizations(reference: reference, of: "shop", at: driver.now) == [authorization])
    }

    @Test("find operations by the caller's reference")
    mutating func operations() throws {
        let authorization = try driver.authorized("tok_approve")
        guard case .operation(let capture, of: _) = driver.change(.capture, authorization, amount: 300).reply else {
            Issue.record("the capture was not answered with an operation")
            return
        }
        let found = driver.books.operations(reference: capture.reference, of: "shop", at: driver.now)
        #expect(found.map(\.operation) == [capture])
        #expect(found.map(\.authorization.id) == [authorization.id])
    }

    @Test("change an authorization by the caller's reference, the same request as by identifier")
    mutating func byReference() throws {
        let authorization = try driver.authorized("tok_approve")
        let target = ChangeCommand.Target.reference(authorization.command.reference)
        let first = driver.change(.void, authorization, target: target, reference: "op_void", key: "k")
        #expect(first.word == "succeeded")
        let second = driver.change(.void, authorization, reference: "op_void", key: "k")
        #expect(second.isReplay)
        #expect(driver.change(.void, authorization, target: .reference("att_none")).word == "not_found")
        #expect(driver.change(.void, authorization, target: target, account: "other").word == "not_found")
    }

    @Test("refuse to choose among authorizations of one reference")
    mutating func ambiguousReference() throws {
        let authorization = try driver.authorized("tok_approve")
        let reference = authorization.command.reference
        _ = driver.authorize("tok_decline_generic", reference: reference)
        #expect(driver.change(.void, authorization, target: .reference(reference)).word == "ambiguous_reference")
        #expect(try driver.current(authorization).held == 1000)
    }

    @Test("report a reference that holds money twice, and nothing else here")
    mutating func violations() {
        _ = driver.authorize("tok_decline_generic", reference: "att_x")
        _ = driver.authorize("tok_approve", reference: "att_x")
        #expect(driver.books.violations.isEmpty)
        _ = driver.authorize("tok_approve", reference: "att_x")
        _ = driver.authorize("tok_approve", reference: "att_x")
        #expect(driver.books.violations == ["shop: reference att_x holds or took money more than once"])
    }

    @Test("are the same after the same requests")
    mutating func determinism() throws {
        var other = BooksDriver()
        for token in ["tok_approve", "tok_pending_5", "tok_timeout_before", "tok_partial", "tok_nonsense"] {
            #expect(driver.authorize(token) == other.authorize(token))
        }
        #expect(driver.books == other.books)
    }
}
