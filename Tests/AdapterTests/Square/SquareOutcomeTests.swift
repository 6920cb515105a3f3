import AdapterKit
import Domain
import SquareAdapter
import Testing

@Suite("Square's outcomes")
struct SquareOutcomeTests {
    @Test("of a hold say what is held, until when, on which card, and what later operations need")
    func held() throws {
        let expected = Success(
            reference: SquareSample.payment,
            amount: 10_000,
            expiresAt: Timestamp(microseconds: 1_795_852_800_000_000),
            network: "VISA",
            last4: "1111",
            state: #"{"amount":10000,"fee":500,"version":"kSampleVersion1"}"#
        )
        let reply = try SquareSample.sample("authorize/succeeded-held-with-fee")
        #expect(try SquareSample.outcome(SquareSample.call(.authorize), after: [reply]) == .succeeded(expected))
    }

    @Test(
        "of authorizations say what was approved and what is taken",
        arguments: [
            ("authorize/succeeded-captured", SampleOperation.authorize, 10_000, 10_000),
            ("authorize/succeeded-partial-approval", .authorize, 6000, 0),
            ("authorize/succeeded-without-approved-amount", .authorize, 10_000, 0),
            ("inquire-authorize/succeeded-captured-in-part", .inquireAuthorize, 10_000, 6000),
            ("inquire-authorize/succeeded-lowered", .inquireAuthorize, 10_000, 0),
        ]
    )
    func amounts(path: String, operation: SampleOperation, amount: Int64, captured: Int64) throws {
        let reply = try SquareSample.sample(path)
        guard case .succeeded(let success) = try SquareSample.outcome(SquareSample.call(operation), after: [reply])
        else {
            Issue.record("no success")
            return
        }
        #expect(success.amount == amount && success.capturedAmount == captured)
        #expect((success.expiresAt == nil) == (captured > 0))
    }

    @Test("of later operations name their own object")
    func references() throws {
        let voided = try SquareSample.outcome(
            SquareSample.call(.void),
            after: [SquareSample.sample("void/succeeded")]
        )
        #expect(voided == .succeeded(Success(reference: SquareSample.payment, amount: 10_000)))
        let refunded = try SquareSample.outcome(
            SquareSample.call(.refund),
            after: [SquareSample.sample("refund/succeeded")]
        )
        #expect(refunded == .succeeded(Success(reference: SquareSample.refund, amount: 10_000)))
        let pending = try SquareSample.outcome(
            SquareSample.call(.refund),
            after: [SquareSample.sample("refund/pending")]
        )
        #expect(pending == .pending(Progress(reference: SquareSample.refund)))
    }

    @Test(
        "of a void that finds the payment completed say what that took",
        arguments: [("rejected-already-captured", 10_000), ("rejected-already-captured-in-part", 6000)]
            as [(String, Int64)]
    )
    func completed(name: String, captured: Int64) throws {
        let expected = Rejection(
            .alreadyCaptured,
            code: "COMPLETED",
            message: "The payment is completed.",
            captured: captured
        )
        let refused = try [2, 3].map { try SquareSample.sample("void/\(name).\($0)") }
        #expect(try SquareSample.outcome(SquareSample.call(.void), after: refused) == .rejected(expected))
        let shown = try SquareSample.sample("inquire-void/\(name)")
        #expect(try SquareSample.outcome(SquareSample.call(.inquireVoid), after: [shown]) == .rejected(expected))
    }

    @Test("of a refund that was made and came to nothing name it", arguments: ["failed", "rejected"])
    func failedRefunds(word: String) throws {
        let sample = try SquareSample.sample("refund/rejected-unsupported-\(word)")
        guard case .rejected(let rejection) = try SquareSample.outcome(SquareSample.call(.refund), after: [sample])
        else {
            Issue.record("no rejection")
            return
        }
        #expect(rejection.object == SquareSample.refund)
    }

    @Test("of a refusal keep the codes and the field, but no free text")
    func sentences() throws {
        let reply = try SquareSample.sample("authorize/declined-insufficient-funds-gift-card")
        let declined = Decline(
            code: "INSUFFICIENT_FUNDS",
            category: .insufficientFunds,
            message: "Square answered PAYMENT_METHOD_ERROR (HTTP 400: INSUFFICIENT_FUNDS, GIFT_CARD_AVAILABLE_AMOUNT)."
        )
        #expect(try SquareSample.outcome(SquareSample.call(.authorize), after: [reply]) == .declined(declined))
        let parameter = try SquareSample.sample("authorize/rejected-configuration-parameter")
        let rejected = Rejection(
            .configuration,
            code: "MISSING_REQUIRED_PARAMETER",
            message: "Square answered INVALID_REQUEST_ERROR (HTTP 400: MISSING_REQUIRED_PARAMETER for source_id)."
        )
        #expect(try SquareSample.outcome(SquareSample.call(.authorize), after: [parameter]) == .rejected(rejected))
    }

    @Test(
        "read times in every form of RFC 3339",
        arguments: [
            ("2026-11-28T08:00:00Z", 1_795_852_800_000_000), ("2026-11-28T08:00:00.5Z", 1_795_852_800_500_000),
            ("2026-11-28T08:00:00.123456789Z", 1_795_852_800_123_456),
            ("2026-11-28T00:00:00-08:00", 1_795_852_800_000_000), ("2026-11-28T13:30:00+05:30", 1_795_852_800_000_000),
            ("2028-02-29T00:00:00Z", 1_835_395_200_000_000), ("1970-01-01T00:00:00Z", 0),
            ("2026-11-28 08:00:00Z", nil), ("2026-13-28T08:00:00Z", nil), ("2026-11-28T08:00:00", nil),
            ("2026-11-28T08:00:00.Z", nil), ("2026-11-28T24:00:00Z", nil), ("1926-11-28T08:00:00Z", nil),
            ("2026-11-28T08:00:00+8:00", nil), ("2026-11-28T0a:00:00Z", nil), ("", nil), ("tomorrow", nil),
        ] as [(String, Int64?)]
    )
    func times(text: String, microseconds: Int64?) throws {
        let sample = try SquareSample.sample("authorize/succeeded-held")
        let body = String(decoding: sample.body, as: UTF8.self)
            .replacing("2026-11-28T08:00:00.000Z", with: text)
        let reply = WireReply(status: 200, headers: sample.headers, body: Array(body.utf8))
        guard case .succeeded(let success) = try SquareSample.outcome(SquareSample.call(.authorize), after: [reply])
        else {
            Issue.record("no success")
            return
        }
        #expect(success.expiresAt == microseconds.map(Timestamp.init(microseconds:)))
    }
}
