import AdapterKit
import Domain
import Testing
import WorldpayAdapter

@Suite("Worldpay's outcomes")
struct WorldpayOutcomeTests {
    static func authorize(capture: Bool = false, inquire: Bool = false) throws -> Call {
        var call = try Sample.call(.authorize, reference: inquire ? WorldpaySample.payment : nil)
        let credential = inquire ? nil : Credential.networkToken(Sample.networkToken())
        call.kind = .authorize(Call.Authorization(credential: credential, capture: capture))
        call.purpose = inquire ? .inquire : .perform
        return call
    }

    static func success(_ path: String, of call: Call) throws -> Success? {
        let outcome = try WorldpaySample.outcome(call, after: [try WorldpaySample.reply(path)])
        guard case .succeeded(let success) = outcome else {
            Issue.record("\(outcome)")
            return nil
        }
        return success
    }

    @Test("of a hold say the payment, the card and the amount")
    func held() throws {
        let success = try Self.success("authorize/succeeded-held", of: try Self.authorize())
        #expect(success?.reference == WorldpaySample.payment)
        #expect(success?.amount == 10_000 && success?.capturedAmount == 0)
        #expect(success?.network == "visa" && success?.last4 == "4242" && success?.expiresAt == nil)
    }

    @Test("of a sale say that all is taken, also if nobody asked for one", arguments: [true, false])
    func sale(capture: Bool) throws {
        let success = try Self.success("authorize/succeeded-captured", of: try Self.authorize(capture: capture))
        #expect(success?.amount == 10_000 && success?.capturedAmount == 10_000)
    }

    @Test("of an approval for less than asked say that amount")
    func partialApproval() throws {
        #expect(try Self.success("authorize/succeeded-partial-approval", of: try Self.authorize())?.amount == 6000)
    }

    @Test("of an inquiry after a sale wait until the settlement shows")
    func saleInquiry() throws {
        let call = try Self.authorize(capture: true, inquire: true)
        let held = try WorldpaySample.outcome(
            call,
            after: [try WorldpaySample.reply("inquire-authorize/succeeded-held")]
        )
        guard case .pending(let progress) = held else {
            Issue.record("\(held)")
            return
        }
        #expect(progress.reference == WorldpaySample.payment)
        let settled = try Self.success("inquire-authorize/succeeded-captured-later", of: call)
        #expect(settled?.amount == 10_000 && settled?.capturedAmount == 10_000)
        let manual = try Self.authorize(inquire: true)
        #expect(try Self.success("inquire-authorize/succeeded-captured-later", of: manual)?.capturedAmount == 0)
    }

    @Test(
        "of an inquiry after a hold tell of what was captured by none of our captures",
        arguments: [
            ("", 10_000), ("-in-part", 4000), ("-failed", 0), ("-sale", 10_000),
        ] as [(String, Int64)]
    )
    func unaskedCapture(sample: String, captured: Int64) throws {
        let path = "inquire-authorize/succeeded-captured-unasked" + sample
        let success = try Self.success(path, of: try Self.authorize(inquire: true))
        #expect(success?.amount == 10_000 && success?.capturedAmount == captured)
    }

    @Test(
        "of a void, and of what is refused for one or for a capture, say what was captured ever, by whomever",
        arguments: [
            (.inquireVoid, "rejected-already-captured", 10_000),
            (.inquireVoid, "rejected-already-captured-twice", 6500),
            (.inquireVoid, "rejected-already-captured-sale", 10_000),
            (.inquireVoid, "rejected-already-captured-then-reversed", 10_000),
            (.inquireVoid, "rejected-already-captured-behind-a-failure", 10_000),
            (.inquireCapture, "rejected-already-voided-behind-a-part", 6000),
            (.inquireCapture, "rejected-already-voided", 0),
            (.void, "rejected-already-captured-by-search", 10_000),
            (.void, "rejected-already-voided-behind-a-part", 6000), (.void, "rejected-already-voided-by-search", 0),
            (.capture, "rejected-already-captured-by-search", 10_000),
            (.capture, "rejected-already-voided-behind-a-part", 6000),
        ] as [(SampleOperation, String, Int64)]
    )
    func capturedEver(operation: SampleOperation, sample: String, captured: Int64) throws {
        let path = "\(operation.rawValue)/\(sample)"
        let isSearched = operation == .void || operation == .capture
        let replies =
            try isSearched ? [1, 2].map { try WorldpaySample.reply("\(path).\($0)") } : [WorldpaySample.reply(path)]
        let call = try Sample.call(operation, reference: isSearched ? nil : WorldpaySample.payment)
        guard case .rejected(let rejection) = try WorldpaySample.outcome(call, after: replies) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.captured == captured)
    }

    @Test("of a void behind a part that somebody settled say what that took, once it is known")
    func voidBehindPart() throws {
        let call = try Sample.call(.inquireVoid, reference: WorldpaySample.payment)
        let state =
            #"{"refund":"/payments/settlements/refunds/partials/eyJrIjoic2FtcGxlIn0","captures":1}"#
        let voided = Success(
            reference: WorldpaySample.payment,
            amount: 10_000,
            capturedAmount: 6000,
            state: state
        )
        let reply = try WorldpaySample.reply("inquire-void/succeeded-behind-a-part")
        #expect(try WorldpaySample.outcome(call, after: [reply]) == .succeeded(voided))
        let early = try WorldpaySample.reply("inquire-void/pending-settlement-without-answer")
        let pending = Outcome.pending(Progress(reference: WorldpaySample.payment, state: state))
        #expect(try WorldpaySample.outcome(call, after: [early]) == pending)
        let whole = try WorldpaySample.outcome(call, after: [WorldpaySample.reply("inquire-void/succeeded")])
        guard case .succeeded(let success) = whole else {
            Issue.record("\(whole)")
            return
        }
        #expect(success.capturedAmount == 0)
    }

    @Test("of an operation without a link do not wait for a reply that cannot come")
    func withoutLink() throws {
        let call = try Sample.call(.refund)
        let replies = try (1...2).map { try WorldpaySample.reply("refund/not-sent-no-link.\($0)") }
        let expected = Outcome.notSent(reason: "Worldpay offers no such action for the payment now.")
        #expect(try WorldpaySample.outcome(call, after: replies) == expected)
    }

    @Test(
        "of an amount that Worldpay cannot express are refused before anything is sent",
        arguments: [(0, false), (1, true), (Int64(Int32.max), true), (Int64(Int32.max) + 1, false), (Int64.max, false)]
            as [(Int64, Bool)]
    )
    func amounts(amount: Int64, isSent: Bool) throws {
        let credential = Credential.networkToken(Sample.networkToken())
        let step = try WorldpaySample.step(try Sample.call(.authorize, credential: credential, amount: amount))
        let message = "Worldpay cannot express this amount."
        let refused = Step.outcome(.rejected(Rejection(.unsupported, code: "amount", message: message)))
        #expect((step == refused) != isSent)
    }

    @Test("keep the code and the field of a refused request, and nothing of its sentence")
    func refusals() throws {
        let reply = try WorldpaySample.reply("authorize/rejected-configuration-body")
        let outcome = try WorldpaySample.outcome(try Self.authorize(), after: [reply])
        let message =
            "Worldpay refused the request (HTTP 400, fieldIsNotAllowed at $.instruction.paymentInstrument.narrative)."
        #expect(outcome == .rejected(Rejection(.configuration, code: "fieldIsNotAllowed", message: message)))
    }

    @Test(
        "of a payment that failed follow the error's name",
        arguments: [
            ("internalErrorOccurred", .declined(.temporary)), ("cardNumberIsNotRecognized", .declined(.invalidCard)),
            ("underlyingPaymentInstrumentHasExpired", .declined(.expiredCard)),
            ("channelIsNotSupported", .rejected(.unsupported)), ("currencyIsNotSupported", .rejected(.unsupported)),
            ("paymentInstrumentIsNotSupported", .rejected(.unsupported)),
            ("entityIsNotConfigured", .rejected(.configuration)), ("fieldIsEmpty", .rejected(.configuration)),
            ("fieldHasInvalidValue", .rejected(.configuration)), ("transactionReferenceIsADuplicate", .unknown),
            ("transactionHasAlreadyBeenProcessed", .unknown), ("ofNextYear", nil),
        ] as [(String, Expectation?)]
    )
    func failures(name: String, expectation: Expectation?) {
        #expect(WorldpayFailures.outcome(of: name).map(Expectation.init) == expectation)
    }

    @Test(
        "need settings that Worldpay would take",
        arguments: [("entity", "no_entity"), ("entity", ""), ("narrative", "–"), ("username", ""), ("password", "")]
    )
    func settings(name: String, value: String) {
        var settings = WorldpaySample.settings
        settings.credentials[name] = Secret(value)
        #expect(throws: SettingsError.missingCredential(name)) { try WorldpayAdapter(settings: settings) }
    }
}
