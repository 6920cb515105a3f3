import PSPSimulator
import Testing

@Suite("Effects of triggers")
struct EffectTests {
    private var driver = BooksDriver()

    @Test("declines hold nothing and say why", arguments: DeclineCode.triggerable)
    mutating func declines(code: DeclineCode) throws {
        let authorization = try driver.authorized("tok_decline_\(code.rawValue)")
        #expect(authorization.status == .declined)
        #expect(authorization.decline == code)
        #expect(authorization.authorized == 0)
        #expect(driver.change(.void, authorization).word == "already_voided")
        #expect(driver.change(.capture, authorization, amount: 1).word == "not_authorized")
    }

    @Test("a declined capture or refund leaves the amounts alone", arguments: DeclineCode.triggerable)
    mutating func declinedChanges(code: DeclineCode) throws {
        let held = try driver.authorized("tok_approve+capture_decline_\(code.rawValue)")
        #expect(driver.change(.capture, held, amount: 1000).word == "failed")
        #expect(try driver.current(held).held == 1000)
        #expect(try driver.current(held).operations.last?.decline == code)
        let taken = try driver.authorized("tok_approve+refund_decline_\(code.rawValue)", capture: true)
        #expect(driver.change(.refund, taken, amount: 1000).word == "failed")
        #expect(try driver.current(taken).refunded == 0)
    }

    @Test(
        "rejected requests leave no trace",
        arguments: [("reject_configuration", "configuration_error"), ("reject_unsupported", "unsupported")]
    )
    mutating func rejections(trigger: String, code: String) throws {
        #expect(driver.authorize("tok_\(trigger)").word == code)
        #expect(driver.books.authorizations(of: "shop", at: driver.now).isEmpty)
        let authorization = try driver.authorized("tok_approve+void_\(trigger)")
        #expect(driver.change(.void, authorization).word == code)
        #expect(try driver.current(authorization).operations.count == 1)
    }

    @Test("a partial approval holds half", arguments: [(1000, 500), (7, 3), (2, 1), (1, 1)])
    mutating func partial(amount: Int64, approved: Int64) throws {
        let authorization = try driver.authorized("tok_partial", amount: amount)
        #expect(authorization.authorized == approved)
        #expect(authorization.held == approved)
    }

    @Test("a PSP that captures on its own refuses the void")
    mutating func captured() throws {
        let authorization = try driver.authorized("tok_captured")
        #expect(authorization.status == .captured)
        #expect(driver.change(.void, authorization).word == "already_captured")
        #expect(driver.change(.capture, authorization, amount: 1000).word == "already_captured")
        #expect(driver.change(.refund, authorization, amount: 1000).word == "succeeded")
    }

    @Test("a pending authorization is approved when it is due, not before")
    mutating func pendingAuthorization() throws {
        let authorization = try driver.authorized("tok_pending_250")
        driver.now += 249
        #expect(try driver.current(authorization).status == .pending)
        #expect(driver.change(.capture, authorization, amount: 1).word == "not_authorized")
        driver.now += 1
        #expect(try driver.current(authorization).status == .authorized)
        #expect(try driver.current(authorization).held == 1000)
    }

    @Test("a pending sale is captured when it is due")
    mutating func pendingSale() throws {
        let sale = try driver.authorized("tok_pending_250", capture: true)
        #expect(sale.captured == 0)
        driver.now += 250
        #expect(try driver.current(sale).captured == 1000)
    }

    @Test("a pending authorization that fails is declined")
    mutating func failingAuthorization() throws {
        let authorization = try driver.authorized("tok_pending_fail_250")
        driver.now += 250
        #expect(try driver.current(authorization).status == .declined)
        #expect(try driver.current(authorization).decline == .generic)
    }

    @Test("a pending authorization can be canceled and stays so")
    mutating func canceledAuthorization() throws {
        let authorization = try driver.authorized("tok_pending_250")
        #expect(driver.change(.void, authorization).word == "succeeded")
        driver.now += 250
        #expect(try driver.current(authorization).status == .canceled)
        #expect(try driver.current(authorization).authorized == 0)
    }

    @Test("a pending capture keeps everything else waiting and then takes the amount")
    mutating func pendingCapture() throws {
        let authorization = try driver.authorized("tok_approve+capture_pending_250")
        #expect(driver.change(.capture, authorization, amount: 700).word == "pending")
        #expect(driver.change(.capture, authorization, amount: 700).word == "operation_in_progress")
        #expect(driver.change(.void, authorization).word == "operation_in_progress")
        #expect(try driver.current(authorization).captured == 0)
        driver.now += 250
        #expect(try driver.current(authorization).captured == 700)
        #expect(try driver.current(authorization).operations.map(\.status) == [.succeeded, .succeeded])
    }

    @Test("a pending capture that fails leaves the hold")
    mutating func failingCapture() throws {
        let authorization = try driver.authorized("tok_approve+capture_pending_fail_250")
        #expect(driver.change(.capture, authorization, amount: 700).word == "pending")
        driver.now += 250
        #expect(try driver.current(authorization).held == 1000)
        #expect(try driver.current(authorization).operations.last?.status == .failed)
        #expect(driver.change(.void, authorization).word == "succeeded")
    }

    @Test("a pending void releases when it is due, a failing one does not")
    mutating func pendingVoid() throws {
        let released = try driver.authorized("tok_approve+void_pending_250")
        let kept = try driver.authorized("tok_approve+void_pending_fail_250")
        #expect(driver.change(.void, released).word == "pending")
        #expect(driver.change(.void, kept).word == "pending")
        driver.now += 250
        #expect(try driver.current(released).status == .voided)
        #expect(try driver.current(kept).held == 1000)
    }

    @Test("a pending refund that fails gives nothing back")
    mutating func failingRefund() throws {
        let authorization = try driver.authorized("tok_approve+refund_pending_fail_250", capture: true)
        #expect(driver.change(.refund, authorization, amount: 1000).word == "pending")
        driver.now += 250
        #expect(try driver.current(authorization).refunded == 0)
        #expect(try driver.current(authorization).operations.last?.status == .failed)
    }

    @Test("an unsettled capture is not refunded but undone by a void")
    mutating func unsettled() throws {
        let authorization = try driver.authorized("tok_approve+refund_unsettled_100")
        #expect(driver.change(.capture, authorization, amount: 1000).word == "succeeded")
        #expect(driver.change(.refund, authorization, amount: 1000).word == "not_settled_yet")
        #expect(driver.change(.void, authorization).word == "succeeded")
        let undone = try driver.current(authorization)
        #expect(undone.status == .voided)
        #expect([undone.captured, undone.voided] == [0, 1000])
        #expect(undone.operations.map(\.status) == [.succeeded, .reversed, .succeeded])
    }

    @Test("a settled capture is refunded and not voided")
    mutating func settled() throws {
        let authorization = try driver.authorized("tok_approve+refund_unsettled_100", capture: true)
        driver.now += 100
        #expect(driver.change(.void, authorization).word == "already_captured")
        #expect(driver.change(.refund, authorization, amount: 1000).word == "succeeded")
    }

    @Test("what is held lapses", arguments: [("tok_lapse_500", 500), ("tok_approve", Authorization.lifeMilliseconds)])
    mutating func lapse(token: String, life: Int64) throws {
        let authorization = try driver.authorized(token)
        driver.now += life - 1
        #expect(try driver.current(authorization).status == .authorized)
        driver.now += 1
        #expect(try driver.current(authorization).status == .expired)
        #expect(try driver.current(authorization).held == 0)
        #expect(driver.change(.capture, authorization, amount: 1000).word == "authorization_expired")
        #expect(driver.change(.void, authorization).word == "authorization_expired")
    }

    @Test("the buyer's step approves or declines", arguments: [true, false])
    mutating func action(approves: Bool) throws {
        let authorization = try driver.authorized("tok_action_1000")
        #expect(authorization.status == .requiresAction)
        let answer = ActionAnswer(at: driver.now, authorization: authorization.id, approves: approves)
        let result = driver.books.receive(answer)
        let answered = try #require(result)
        #expect(answered.status == (approves ? .authorized : .declined))
        #expect(answered.held == (approves ? 1000 : 0))
        #expect(answered.decline == (approves ? nil : .authenticationFailed))
        #expect(driver.books.receive(answer) == nil)
    }

    @Test("a step that is not finished in time declines")
    mutating func actionExpires() throws {
        let authorization = try driver.authorized("tok_action_1000")
        driver.now += 1000
        #expect(try driver.current(authorization).decline == .actionExpired)
        let late = ActionAnswer(at: driver.now, authorization: authorization.id, approves: true)
        #expect(driver.books.receive(late) == nil)
    }

    @Test("a step that is still open can be canceled")
    mutating func actionCanceled() throws {
        let authorization = try driver.authorized("tok_action")
        #expect(driver.change(.void, authorization).word == "succeeded")
        #expect(try driver.current(authorization).status == .canceled)
    }
}
