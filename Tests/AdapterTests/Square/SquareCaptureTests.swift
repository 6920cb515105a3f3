import AdapterKit
import Domain
import SquareAdapter
import StrictJSON
import Testing

@Suite("A capture at Square")
struct SquareCaptureTests {
    static let one = "https://psp.example/v2/payments/\(SquareSample.payment)"
    static let withFee = #"{"amount":10000,"fee":500,"version":"kSampleVersion1"}"#
    static let stale = SquareSample.refusal(409, "INVALID_REQUEST_ERROR", "VERSION_MISMATCH")
    static let refused = SquareSample.refusal(400, "INVALID_REQUEST_ERROR", "BAD_REQUEST")

    static func capture(_ amount: Int64, fee: Int64? = nil, state: String? = SquareSample.state) throws -> Call {
        try SquareSample.call(.capture, amount: amount, location: SquareSample.branch, fee: fee, state: state)
    }

    @Test("of all that is held completes the version that the attempt knows")
    func whole() throws {
        let request = try SquareSample.request(Self.capture(10_000))
        #expect(request.method == .post && request.url == Self.one + "/complete")
        #expect(try SquareSample.body(request) == ["version_token": "kSampleVersion1"])
    }

    @Test("of a part lowers the amount first, under a key of its own, and then completes that version")
    func part() throws {
        let call = try Self.capture(6000)
        let update = try SquareSample.request(call)
        #expect(update.method == .put && update.url == Self.one && update.canMoveMoney)
        #expect(
            try SquareSample.body(update) == [
                "idempotency_key": "op_01ka524mnpzx45hy43kwjrp1xp.0",
                "payment": ["amount_money": ["amount": 6000, "currency": "USD"]],
            ]
        )
        let lowered = SquareSample.shown("APPROVED", amount: 6000, version: "kSampleVersion2")
        let complete = try SquareSample.request(call, after: [lowered])
        #expect(complete.url == Self.one + "/complete")
        #expect(try SquareSample.body(complete) == ["version_token": "kSampleVersion2"])
        let success = Success(
            reference: SquareSample.payment,
            amount: 6000,
            capturedAmount: 6000,
            state: #"{"amount":6000,"fee":0,"version":"kSampleVersion3"}"#
        )
        let completed = SquareSample.shown("COMPLETED", amount: 6000, version: "kSampleVersion3")
        #expect(try SquareSample.outcome(call, after: [lowered, completed]) == .succeeded(success))
    }

    @Test(
        "states the fee anew if it is another one",
        arguments: [
            (6000, 300, withFee, 300), (6000, 0, withFee, 0), (10_000, 300, withFee, 300),
            (6000, 500, withFee, 500), (6000, 0, SquareSample.state, nil), (6000, nil, withFee, nil),
        ] as [(Int64, Int64?, String, Int64?)]
    )
    func fees(amount: Int64, fee: Int64?, state: String, expected: Int64?) throws {
        let request = try SquareSample.request(Self.capture(amount, fee: fee, state: state))
        #expect(request.method == .put)
        let payment = try SquareSample.body(request)["payment"]
        #expect(payment?["amount_money"]?["amount"] == .integer(amount))
        #expect(payment?["app_fee_money"]?["amount"]?.integerValue == expected)
    }

    @Test("goes on only with the amount and the fee that were asked for")
    func believesNoOtherUpdate() throws {
        let call = try Self.capture(6000, fee: 300, state: Self.withFee)
        let replies = [
            SquareSample.shown("APPROVED", amount: 6000, fee: 500), SquareSample.shown("APPROVED", amount: 6000),
            SquareSample.shown("APPROVED", amount: 6001, fee: 300),
            SquareSample.shown("PENDING", amount: 6000, fee: 300),
            SquareSample.shown("APPROVED", amount: 6000, fee: 300, currency: "CAD"),
        ]
        for reply in replies { #expect(Expectation(try SquareSample.outcome(call, after: [reply])) == .unknown) }
        let good = SquareSample.shown("APPROVED", amount: 6000, fee: 300)
        #expect(try SquareSample.request(call, after: [good]).url == Self.one + "/complete")
    }

    @Test("whose completion was lost is done again: a replayed update, a refusal, and the payment says the rest")
    func lostCompletion() throws {
        let call = try Self.capture(6000)
        let first = try SquareSample.request(call)
        // The same attempt knows the same, so the second try begins with the same bytes.
        #expect(try SquareSample.request(call) == first)
        let replay = SquareSample.shown("APPROVED", amount: 6000, version: "kSampleVersion2")
        let look = try SquareSample.request(call, after: [replay, Self.refused])
        #expect(look.method == .get && look.url == Self.one && !look.canMoveMoney)
        let taken = SquareSample.shown("COMPLETED", amount: 6000)
        let outcome = try SquareSample.outcome(call, after: [replay, Self.refused, taken])
        guard case .succeeded(let success) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(success.amount == 6000 && success.capturedAmount == 6000)
        // Or Square has forgotten the key, and refuses the update of what is completed.
        #expect(try SquareSample.outcome(call, after: [Self.refused, taken]) == outcome)
    }

    @Test("says what was taken, even if that is not what was asked for")
    func takenOtherwise() throws {
        let all = SquareSample.shown("COMPLETED", amount: 10_000)
        guard case .succeeded(let success) = try SquareSample.outcome(Self.capture(6000), after: [Self.refused, all])
        else {
            Issue.record("no success")
            return
        }
        #expect(success.amount == 10_000)
    }

    @Test("of a payment that somebody changed is done once more, from what it is, under the next key")
    func changedBySomebody() throws {
        let call = try Self.capture(10_000)
        let changed = SquareSample.shown("APPROVED", amount: 12_000, version: "kSampleVersion2")
        let update = try SquareSample.request(call, after: [Self.stale, changed])
        #expect(update.method == .put)
        #expect(try SquareSample.body(update)["idempotency_key"] == "op_01ka524mnpzx45hy43kwjrp1xp.1")
        let restored = SquareSample.shown("APPROVED", amount: 10_000, version: "kSampleVersion3")
        let complete = try SquareSample.request(call, after: [Self.stale, changed, restored])
        #expect(try SquareSample.body(complete) == ["version_token": "kSampleVersion3"])
        let again = [Self.stale, changed, restored, Self.stale, restored]
        #expect(Expectation(try SquareSample.outcome(call, after: again)) == .unknown)
    }

    @Test("that knows nothing of the payment looks at it first", arguments: [nil, "", "[]", #"{"amount":"10000"}"#])
    func withoutState(state: String?) throws {
        let call = try Self.capture(6000, state: state)
        let look = try SquareSample.request(call)
        #expect(look.method == .get && !look.canMoveMoney)
        let update = try SquareSample.request(call, after: [SquareSample.shown("APPROVED")])
        #expect(update.method == .put)
        #expect(try SquareSample.body(update)["idempotency_key"] == "op_01ka524mnpzx45hy43kwjrp1xp.0")
        let whole = try Self.capture(10_000, state: state)
        #expect(try SquareSample.request(whole, after: [SquareSample.shown("APPROVED")]).url == Self.one + "/complete")
    }

    @Test("begun with a refused token is not looked into", arguments: [401, 403])
    func refusedToken(status: Int) throws {
        let unauthorized = SquareSample.refusal(status, "AUTHENTICATION_ERROR", "UNAUTHORIZED")
        for amount in [Int64(6000), 10_000] {
            let outcome = try SquareSample.outcome(Self.capture(amount), after: [unauthorized])
            #expect(Expectation(outcome) == .rejected(.configuration))
        }
    }
}
