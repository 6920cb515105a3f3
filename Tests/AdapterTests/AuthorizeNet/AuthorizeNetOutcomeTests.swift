import AdapterKit
import AuthorizeNetAdapter
import Domain
import StrictJSON
import Testing

@Suite("Authorize.Net's outcomes")
struct AuthorizeNetOutcomeTests {
    static let payment = AuthorizeNetSample.payment

    static func outcome(_ path: String, of operation: SampleOperation) throws -> Outcome {
        let call =
            operation == .authorize
            ? try Sample.call(.authorize, credential: Sample.credential(.pspToken))
            : try AuthorizeNetSample.call(operation)
        return try AuthorizeNetSample.outcome(of: call, after: [AuthorizeNetSample.reply(path)])
    }

    @Test("of a hold say on which card it is, and keep its last digits for a refund")
    func held() throws {
        let expected = Success(
            reference: Self.payment,
            amount: 10_000,
            network: "Visa",
            last4: "1111",
            state: "1111"
        )
        #expect(try Self.outcome("authorize/succeeded", of: .authorize) == .succeeded(expected))
        #expect(try Self.outcome("inquire-authorize/succeeded-held", of: .inquireAuthorize) == .succeeded(expected))
    }

    @Test("of a sale say what was taken")
    func taken() throws {
        var call = try Sample.call(.authorize)
        call.kind = .authorize(Call.Authorization(credential: .pspToken(Secret("nonce")), capture: true))
        let reply = try AuthorizeNetSample.reply("authorize/succeeded")
        guard case .succeeded(let success) = try AuthorizeNetSample.outcome(of: call, after: [reply]) else {
            Issue.record("no success")
            return
        }
        #expect(success.amount == 10_000 && success.capturedAmount == 10_000)
    }

    @Test("of an approval for less than asked say that amount")
    func partialApproval() throws {
        guard case .succeeded(let success) = try Self.outcome("authorize/succeeded-partial-approval", of: .authorize)
        else {
            Issue.record("no success")
            return
        }
        #expect(success.amount == 6000 && success.capturedAmount == 0)
    }

    @Test("of an authorization captured in part meanwhile keep what was authorized")
    func capturedInPart() throws {
        let path = "inquire-authorize/succeeded-captured-in-part"
        guard case .succeeded(let success) = try Self.outcome(path, of: .inquireAuthorize) else {
            Issue.record("no success")
            return
        }
        #expect(success.amount == 10_000 && success.capturedAmount == 6000)
    }

    @Test("of a capture in doubt where another amount was captured say that ours was not, and how much was")
    func capturedOtherwise() throws {
        let outcome = try Self.outcome("inquire-capture/rejected-already-voided-other-amount", of: .inquireCapture)
        let expected = Rejection(
            .alreadyVoided,
            code: "capturedPendingSettlement",
            message: "Another amount than asked for is captured, and the rest is released.",
            captured: 6000
        )
        #expect(outcome == .rejected(expected))
    }

    @Test(
        "of a capture that is answered as done already say how much was captured, which the transaction tells",
        arguments: [("rejected-already-captured", 10_000), ("rejected-already-captured-in-part", 6000)]
            as [(String, Int64)]
    )
    func capturedAlready(name: String, captured: Int64) throws {
        let replies = try [2, 3].map { try AuthorizeNetSample.reply("capture/\(name).\($0)") }
        let call = try AuthorizeNetSample.call(.capture)
        #expect(try !AuthorizeNetSample.request(call, after: [replies[0]]).canMoveMoney)
        let expected = Rejection(
            .alreadyCaptured,
            code: "311",
            message: "Authorize.Net answered response code 1, reason 311, transaction 60198765432.",
            captured: captured
        )
        #expect(try AuthorizeNetSample.outcome(of: call, after: replies) == .rejected(expected))
    }

    @Test("of later operations name their own transaction, which only a refund has")
    func references() throws {
        let captured = Success(reference: Self.payment, amount: 10_000, capturedAmount: 10_000)
        #expect(try Self.outcome("capture/succeeded", of: .capture) == .succeeded(captured))
        let voided = Success(reference: Self.payment, amount: 10_000)
        #expect(try Self.outcome("void/succeeded", of: .void) == .succeeded(voided))
        let refunded = Success(reference: "60198770001", amount: 10_000)
        #expect(try Self.outcome("refund/succeeded", of: .refund) == .succeeded(refunded))
        #expect(try Self.outcome("inquire-refund/succeeded", of: .inquireRefund) == .succeeded(refunded))
    }

    @Test("of a review name the transaction and keep the card's digits")
    func reviews() throws {
        let progress = Progress(reference: Self.payment, state: "1111")
        #expect(try Self.outcome("authorize/pending-review", of: .authorize) == .pending(progress))
        #expect(try Self.outcome("inquire-authorize/pending-review", of: .inquireAuthorize) == .pending(progress))
    }

    @Test("of a decline keep the reason's code and the transaction, but no free text")
    func declines() throws {
        let expected = Decline(
            code: "2",
            category: .generic,
            message: "Authorize.Net answered response code 2, reason 2, transaction 60198765440."
        )
        #expect(try Self.outcome("authorize/declined-generic", of: .authorize) == .declined(expected))
        guard case .rejected(let rejection) = try Self.outcome("authorize/rejected-configuration-order", of: .authorize)
        else {
            Issue.record("no rejection")
            return
        }
        #expect(rejection.code == "E00003")
        #expect(rejection.message == "Authorize.Net answered E00003.")
    }

    @Test("are the same without the byte order mark that replies begin with")
    func byteOrderMark() throws {
        let reply = try AuthorizeNetSample.reply("authorize/succeeded")
        #expect(reply.body.starts(with: [0xEF, 0xBB, 0xBF]))
        let call = try Sample.call(.authorize, credential: Sample.credential(.pspToken))
        let bare = WireReply(status: 200, headers: reply.headers, body: Array(reply.body.dropFirst(3)))
        let outcome = try AuthorizeNetSample.outcome(of: call, after: [bare])
        #expect(outcome == (try AuthorizeNetSample.outcome(of: call, after: [reply])))
        let twice = WireReply(status: 200, headers: reply.headers, body: [0xEF, 0xBB, 0xBF] + reply.body)
        guard case .unknown = try AuthorizeNetSample.outcome(of: call, after: [twice]) else {
            Issue.record("two marks are read")
            return
        }
    }
}
