import PSPSimulator
import Testing

@Suite("Several captures of one authorization")
struct SeveralCapturesTests {
    private var driver = BooksDriver()

    private mutating func capture(_ authorization: Authorization, _ amount: Int64, isFinal: Bool) -> String {
        let change = ChangeCommand(
            .capture,
            of: .id(authorization.id),
            reference: "op_\(amount)_\(isFinal)_\(driver.now)",
            amount: amount,
            isFinal: isFinal
        )
        driver.now += 1
        return driver.submit(.change(change), key: "key_\(driver.now)").word
    }

    private func amounts(_ authorization: Authorization) throws -> [Int64] {
        let now = try driver.current(authorization)
        return [now.held, now.captured, now.voided, now.refunded]
    }

    @Test("leave the rest held until a final one")
    mutating func finality() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(capture(authorization, 300, isFinal: false) == "succeeded")
        #expect(try driver.current(authorization).status == .authorized)
        #expect(try amounts(authorization) == [700, 300, 0, 0])
        #expect(capture(authorization, 200, isFinal: false) == "succeeded")
        #expect(capture(authorization, 501, isFinal: true) == "amount_too_large")
        #expect(capture(authorization, 100, isFinal: true) == "succeeded")
        #expect(try amounts(authorization) == [0, 600, 400, 0])
        #expect(capture(authorization, 1, isFinal: true) == "already_captured")
    }

    @Test("end when all is taken")
    mutating func exhaustion() throws {
        let authorization = try driver.authorized("tok_approve")
        for _ in 0..<4 { #expect(capture(authorization, 250, isFinal: false) == "succeeded") }
        #expect(try driver.current(authorization).status == .captured)
        #expect(capture(authorization, 1, isFinal: false) == "already_captured")
        #expect(driver.change(.void, authorization).word == "already_captured")
    }

    @Test("can be refunded before the last, never beyond what is taken")
    mutating func refunds() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(driver.change(.refund, authorization, amount: 1).word == "not_captured")
        #expect(capture(authorization, 300, isFinal: false) == "succeeded")
        #expect(driver.change(.refund, authorization, amount: 301).word == "amount_too_large")
        #expect(driver.change(.refund, authorization, amount: 300).word == "succeeded")
        #expect(capture(authorization, 700, isFinal: true) == "succeeded")
        #expect(driver.change(.refund, authorization, amount: 701).word == "amount_too_large")
        #expect(driver.change(.refund, authorization, amount: 700).word == "succeeded")
        #expect(try amounts(authorization) == [0, 1000, 0, 1000])
    }

    @Test("leave to a void only the rest")
    mutating func void() throws {
        let authorization = try driver.authorized("tok_approve")
        #expect(capture(authorization, 300, isFinal: false) == "succeeded")
        #expect(driver.change(.void, authorization).word == "succeeded")
        #expect(try driver.current(authorization).status == .captured)
        #expect(try amounts(authorization) == [0, 300, 700, 0])
    }

    @Test("keep what was taken when the rest lapses")
    mutating func lapse() throws {
        let authorization = try driver.authorized("tok_lapse_100")
        #expect(capture(authorization, 300, isFinal: false) == "succeeded")
        driver.now += 100
        #expect(try driver.current(authorization).status == .captured)
        #expect(try amounts(authorization) == [0, 300, 700, 0])
    }

    @Test("that fail later give back what they took")
    mutating func failLater() throws {
        let whole = try driver.authorized("tok_approve+capture_fail_later_100")
        #expect(driver.change(.capture, whole, amount: 1000).word == "succeeded")
        #expect(try amounts(whole) == [0, 1000, 0, 0])
        driver.now += 100
        #expect(try amounts(whole) == [0, 0, 1000, 0])
        #expect(try driver.current(whole).status == .voided)
        #expect(try driver.current(whole).operations.last?.status == .failedLater)

        let refunded = try driver.authorized("tok_approve+capture_fail_later_100")
        #expect(driver.change(.capture, refunded, amount: 1000).word == "succeeded")
        #expect(driver.change(.refund, refunded, amount: 1).word == "succeeded")
        driver.now += 100
        #expect(try amounts(refunded) == [0, 1000, 0, 1])
        #expect(driver.books.violations.isEmpty)
    }

    @Test("and refunds that fail later can be asked for again")
    mutating func refundFailsLater() throws {
        let sale = try driver.authorized("tok_approve+refund_fail_later_100", capture: true)
        #expect(driver.change(.refund, sale, amount: 1000).word == "succeeded")
        #expect(driver.change(.refund, sale, amount: 1000).word == "amount_too_large")
        driver.now += 100
        #expect(try amounts(sale) == [0, 1000, 0, 0])
        #expect(driver.change(.refund, sale, amount: 1000).word == "succeeded")
    }
}
