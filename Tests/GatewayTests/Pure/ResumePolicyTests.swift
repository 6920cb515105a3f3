import AdapterKit
import Domain
import SimulatorAdapter
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("What resumes an operation")
struct ResumePolicyTests {
    private static let created = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let day: Int64 = 86_400_000
    private static let hour: Int64 = 3_600_000
    private static let keyed = SimulatorAdapter.capabilities
    private static let keyless = KeylessAdapter.capabilities
    private static let mute = MuteAdapter.capabilities
    private static let byPSPReference: Capabilities = {
        var capabilities = keyless
        capabilities.inquiry = .byPSPReference
        return capabilities
    }()

    /// An operation as another instance left it.
    private static func policy(
        _ kind: Operation.Kind = .authorize,
        _ state: OperationState = .unknown(reason: "lost"),
        _ capabilities: Capabilities = keyed,
        decided: Int64? = nil,
        captured: Int64? = nil,
        at milliseconds: Int64 = 0,
        change: (inout Operation) -> Void = { _ in }
    ) throws -> ResumePolicy {
        var order = try PlacedOrder.make(at: created)
        if let decided {
            order.decision = Decision(
                state: .refused,
                reason: .deadline,
                at: created.adding(milliseconds: decided),
                countsOn: []
            )
        }
        var attempt = order.payments[0].attempt
        if let captured {
            var ids = IdentifierSource()
            let id: OperationID = ids.make(at: created)
            var capture = Operation(id: id, kind: .capture, amount: captured, origin: .psp, createdAt: created)
            (capture.state, capture.doneAmount) = (.succeeded, captured)
            attempt.operations.append(capture)
        }
        var operation = Operation(
            id: attempt.authorization.id,
            kind: kind,
            amount: 1,
            origin: .gateway,
            createdAt: created
        )
        operation.state = state
        operation.leases = 2
        operation.doubts = 1
        operation.sendings = 1
        operation.sentUnderLease = 1
        operation.sentAt = created
        change(&operation)
        return ResumePolicy(
            order: order,
            attempt: attempt,
            operation: operation,
            capabilities: capabilities,
            settings: GatewayHarness.settings,
            now: created.adding(milliseconds: milliseconds)
        )
    }

    @Test(
        "what nobody ever had in hand is sent",
        arguments: [Operation.Kind.authorize, .capture, .void, .refund, .reverse]
    )
    func first(kind: Operation.Kind) throws {
        for capabilities in [Self.keyed, Self.keyless, Self.mute] {
            let policy = try Self.policy(kind, .open, capabilities) { operation in
                (operation.leases, operation.sentUnderLease) = (1, 1)
            }
            #expect(policy.action(hasCredential: false) == .send)
        }
    }

    @Test("a doubtful authorization is replayed only with its key and credential, while its order is undecided")
    func authorization() throws {
        #expect(try Self.policy().action(hasCredential: true) == .send)
        #expect(try Self.policy().action(hasCredential: false) == .inquire)
        #expect(try Self.policy(decided: 1).action(hasCredential: true) == .inquire)
        #expect(try Self.policy(.authorize, .open, Self.keyless).action(hasCredential: true) == .inquire)
        #expect(try Self.policy(.authorize, .open, Self.mute).action(hasCredential: true) == .wait)
    }

    @Test(
        "no key is relied on in the last hour of its retention",
        arguments: [Operation.Kind.authorize, .capture, .void]
    )
    func retention(kind: Operation.Kind) throws {
        let last = Self.day - Self.hour - 1
        #expect(try Self.policy(kind, at: last).action(hasCredential: true) == .send)
        #expect(try Self.policy(kind, at: last + 1).action(hasCredential: true) == .inquire)
    }

    @Test(
        "what undoes or captures is replayed whatever was decided",
        arguments: [Operation.Kind.capture, .void, .refund]
    )
    func changes(kind: Operation.Kind) throws {
        #expect(try Self.policy(kind, decided: 1).action(hasCredential: false) == .send)
        #expect(try Self.policy(kind, .open, Self.keyless).action(hasCredential: false) == .inquire)
        #expect(try Self.policy(kind, .open, Self.mute).action(hasCredential: false) == .wait)
    }

    @Test(
        "what the PSP works on is only asked after",
        arguments: [
            OperationState.pending, .actionRequired(NextAction(kind: .redirect, url: "https://psp.example")),
        ]
    )
    func pending(state: OperationState) throws {
        for kind in [Operation.Kind.authorize, .capture, .void, .refund] {
            #expect(try Self.policy(kind, state).action(hasCredential: true) == .inquire)
        }
    }

    @Test("a PSP that knows payments only by its own reference is asked once we have it")
    func pspReference() throws {
        let policy = try Self.policy(.authorize, .pending, Self.byPSPReference)
        #expect(policy.action(hasCredential: false) == .wait)
        var attempt = policy.attempt
        attempt.pspReference = "auth_1"
        let known = ResumePolicy(
            order: policy.order,
            attempt: attempt,
            operation: policy.operation,
            capabilities: policy.capabilities,
            settings: policy.settings,
            now: policy.now
        )
        #expect(known.action(hasCredential: false) == .inquire)
    }

    /// A lease of 60 s and a visibility delay of 2 s.
    private static let silence: Int64 = 62_000

    @Test(
        "is absent one call time and the visibility delay after it was last sent, however often it was doubted",
        arguments: [Operation.Kind.authorize, .capture, .void, .refund, .reverse]
    )
    func absent(kind: Operation.Kind) throws {
        let state = OperationState.unknown(reason: "lost")
        for (sentAt, doubts) in [(Int64(0), Int64(0)), (0, 9), (Self.hour, 0), (Self.hour, 9), (3 * Self.day, 1)] {
            for (late, isProven) in [(Self.silence - 1, false), (Self.silence, true)] {
                for capabilities in [Self.keyed, Self.keyless] {
                    let policy = try Self.policy(kind, state, capabilities, decided: 1, at: sentAt + late) {
                        $0.sentAt = Self.created.adding(milliseconds: sentAt)
                        $0.doubts = doubts
                    }
                    #expect(policy.isAbsenceProven == isProven)
                }
            }
        }
        #expect(try !Self.policy(kind, state, Self.mute, at: Self.day).isAbsenceProven)
        #expect(try !Self.policy(kind, state, Self.byPSPReference, at: Self.day).isAbsenceProven)
    }

    /// The keyed PSP with other results kept under its keys.
    private static func keeping(_ results: Capabilities.KeptResults) -> Capabilities {
        var capabilities = keyed
        capabilities.idempotency = .key(retentionMilliseconds: day, keeps: results)
        return capabilities
    }

    @Test(
        "a doubt that came as an answer is asked after before it is sent again, unless its key keeps what became of it",
        arguments: [Operation.Kind.authorize, .capture, .void, .refund],
        [
            (Capabilities.KeptResults.outcomes, ResumePolicy.Action.send), (.all, .inquire), (.successes, .inquire),
        ]
    )
    func answered(kind: Operation.Kind, expected: (keeps: Capabilities.KeptResults, action: ResumePolicy.Action)) throws
    {
        let capabilities = Self.keeping(expected.keeps)
        let silent = try Self.policy(kind, .unknown(reason: "lost"), capabilities)
        let isAskedFirst = [.authorize, .refund].contains(kind) && expected.keeps == .successes
        #expect(silent.action(hasCredential: true) == (isAskedFirst ? .inquire : .send))
        let answered = try Self.policy(kind, .unknown(reason: "500"), capabilities) { $0.isAnsweredInDoubt = true }
        #expect(answered.action(hasCredential: true) == expected.action)
        #expect(answered.needsNewKey == (expected.keeps == .all))
    }

    @Test(
        "what a PSP may do twice is asked after before a key that keeps successes only is used again",
        arguments: [
            (Operation.Kind.authorize, true, ResumePolicy.Action.inquire), (.capture, true, .send),
            (.capture, false, .inquire), (.void, true, .send), (.refund, true, .inquire), (.reverse, true, .inquire),
        ] as [(Operation.Kind, Bool, ResumePolicy.Action)]
    )
    func askedFirst(kind: Operation.Kind, isFinal: Bool, action: ResumePolicy.Action) throws {
        for keeps in [Capabilities.KeptResults.successes, .all, .outcomes] {
            let policy = try Self.policy(kind, .unknown(reason: "lost"), Self.keeping(keeps)) { $0.isFinal = isFinal }
            #expect(policy.action(hasCredential: true) == (keeps == .successes ? action : .send))
            var mute = Self.keeping(keeps)
            mute.inquiry = .none
            let unasked = try Self.policy(kind, .unknown(reason: "lost"), mute) { $0.isFinal = isFinal }
            #expect(unasked.action(hasCredential: true) == .send)
        }
    }

    @Test("a hold that its PSP does not see yet is repeated, while somebody waits for it and its key is kept")
    func hold() throws {
        let (lost, gone) = (OperationState.unknown(reason: "lost"), Self.rejected(.notFound))
        let unseen = ResumePolicy.Finding.outcome(.unknown(reason: "the PSP does not see it yet"))
        let held = try Self.policy(.authorize, lost, Self.keeping(.successes))
        #expect(held.finding(gone, hasCredential: true) == .replay)
        #expect(held.finding(gone) == unseen)
        #expect(try Self.policy(.authorize, lost, Self.keeping(.all)).finding(gone, hasCredential: true) == unseen)
        let late = try Self.policy(.authorize, lost, Self.keeping(.successes), at: Self.silence)
        #expect(late.finding(gone, hasCredential: true) == .outcome(gone))
        let refunded = try Self.policy(.refund, lost, Self.keeping(.successes))
        #expect(refunded.finding(gone, hasCredential: true) == unseen)
        let decided = try Self.policy(.authorize, lost, Self.keeping(.successes), decided: 1)
        #expect(decided.finding(gone, hasCredential: true) == unseen)
        let answered = try Self.policy(.authorize, lost, Self.keeping(.successes)) { $0.isAnsweredInDoubt = true }
        #expect(answered.finding(gone, hasCredential: true) == unseen)
        let worked = try Self.policy(.authorize, .pending, Self.keeping(.successes))
        #expect(worked.finding(gone, hasCredential: true) == unseen)
        let aged = try Self.policy(.authorize, lost, Self.keeping(.successes), at: Self.day - Self.hour) {
            $0.sentAt = Self.created.adding(milliseconds: Self.day - Self.hour)
        }
        #expect(aged.finding(gone, hasCredential: true) == unseen)
        let captured = try Self.policy(.authorize, lost, Self.keeping(.successes), captured: 1)
        #expect(captured.finding(gone, hasCredential: true) == unseen)
    }

    @Test("a sale in one call is money, and asked after first")
    func sale() throws {
        let held = try Self.policy(.authorize, .unknown(reason: "lost"), Self.keeping(.successes))
        var order = held.order
        order.terms.policy = .bestEffort
        order.terms.onDeadline = .continue
        let sold = ResumePolicy(
            order: order,
            attempt: held.attempt,
            operation: held.operation,
            capabilities: held.capabilities,
            settings: held.settings,
            now: held.now
        )
        #expect(order.isSale(with: held.capabilities) && sold.action(hasCredential: true) == .inquire)
        let unseen = sold.finding(Self.rejected(.notFound), hasCredential: true)
        #expect(unseen == .outcome(.unknown(reason: "the PSP does not see it yet")))
    }

    @Test("where nothing can be asked, only a key that repeats its answer is used again after one that told nothing")
    func answeredAndMute() throws {
        for (keeps, action) in [(Capabilities.KeptResults.all, ResumePolicy.Action.send), (.successes, .wait)] {
            var capabilities = Self.keeping(keeps)
            capabilities.inquiry = .none
            let policy = try Self.policy(.capture, .unknown(reason: "500"), capabilities) {
                $0.isAnsweredInDoubt = true
            }
            #expect(policy.action(hasCredential: true) == action)
        }
    }

    @Test("a refusal that an inquiry finds may be of another sending until all of them are visible")
    func hidden() throws {
        let state = OperationState.unknown(reason: "lost")
        func mayHide(_ capabilities: Capabilities, sendings: Int64, at milliseconds: Int64) throws -> Bool {
            try Self.policy(.refund, state, capabilities, at: milliseconds) { $0.sendings = sendings }.mayHideSending
        }
        for capabilities in [Self.keyless, Self.keeping(.successes)] {
            #expect(try mayHide(capabilities, sendings: 2, at: Self.silence - 1))
            #expect(try !mayHide(capabilities, sendings: 2, at: Self.silence))
            #expect(try !mayHide(capabilities, sendings: 1, at: 0))
        }
        #expect(try !mayHide(Self.keeping(.all), sendings: 2, at: 0))
    }

    @Test("a refusal is not believed of what restored books mark before absence is proven, whatever the key keeps")
    func restored() throws {
        func mayHide(_ keeps: Capabilities.KeptResults, at milliseconds: Int64) throws -> Bool {
            try Self.policy(.refund, .unknown(reason: "lost"), Self.keeping(keeps), at: milliseconds) {
                $0.sendings = 2
                $0.isAnsweredInDoubt = true
            }.mayHideSending
        }
        for keeps in [Capabilities.KeptResults.all, .outcomes, .successes] {
            #expect(try mayHide(keeps, at: Self.silence - 1))
            #expect(try !mayHide(keeps, at: Self.silence))
        }
    }

    @Test("an instance that leaves hands over what two may send, and leaves the rest to its lease")
    func handover() throws {
        var order = try PlacedOrder.make(at: Self.created)
        for index in order.payments.indices {
            order.payments[index].attempts[0].operations[0].leasedBy = "one"
            order.payments[index].attempts[0].operations[0].leases = 1
            order.payments[index].attempts[0].operations[0].sentUnderLease = 1
        }
        let ids = order.payments.map(\.attempt.authorization.id)
        #expect(
            ResumePolicy.handover(order, of: "one") { _ in Self.keyed }
                == ids.map { OrderInput.endLease($0, lease: 1, .lost(sentUnderLease: 1)) }
        )
        #expect(ResumePolicy.handover(order, of: "two") { _ in Self.keyed } == [])
        #expect(ResumePolicy.handover(order, of: "one") { _ in Self.keeping(.successes) } == [])
    }

    @Test("only an authorization at a PSP that cannot be asked is undone, once no instance can be sending it")
    func undone() throws {
        let lease: Int64 = 60_000
        var undoing = Self.mute
        undoing.undoByReference = true
        func can(
            _ kind: Operation.Kind = .authorize,
            _ capabilities: Capabilities = undoing,
            decided: Int64? = 1000,
            at milliseconds: Int64 = 1000 + lease,
            sentUnder: Int64 = 1
        ) throws -> Bool {
            try Self.policy(kind, .unknown(reason: "lost"), capabilities, decided: decided, at: milliseconds) {
                $0.sentUnderLease = sentUnder
                $0.sentAt = Self.created.adding(milliseconds: 1000)
            }.canOnlyBeUndone
        }
        #expect(try can())
        #expect(try !can(at: 999 + lease))
        #expect(try !can(decided: nil, at: Self.day))
        #expect(try !can(sentUnder: 2))
        #expect(try !can(.capture))
        #expect(try !can(.authorize, Self.mute))
        var asked = undoing
        asked.inquiry = .byReference(visibilityDelayMilliseconds: 0)
        #expect(try !can(.authorize, asked))
    }

    private static func rejected(_ reason: Rejection.Reason) -> Outcome {
        .rejected(Rejection(reason, code: reason.rawValue, message: "No."))
    }

    @Test("what the PSP has no trace of is in doubt until that is proven; then it is sent again, or came to nothing")
    func findings() throws {
        let state = OperationState.unknown(reason: "lost")
        let gone = Self.rejected(.notFound)
        let early = try Self.policy(.capture, state, at: Self.silence - 1)
        #expect(early.finding(gone) == .outcome(.unknown(reason: "the PSP does not see it yet")))
        #expect(try Self.policy(.capture, state, at: Self.silence).finding(gone) == .sendAgain(underNewKey: false))
        let answered = try Self.policy(.capture, state, Self.keeping(.all), at: Self.silence) {
            $0.isAnsweredInDoubt = true
        }
        #expect(answered.finding(gone) == .sendAgain(underNewKey: true))
        #expect(try Self.policy(.authorize, state, at: Self.silence).finding(gone) == .outcome(gone))
        #expect(try Self.policy(.capture, .pending, at: Self.silence).finding(gone) == .outcome(gone))
    }

    @Test("an inquiry's answer counts, unless a refusal may be of another sending")
    func hiddenFindings() throws {
        let done = Outcome.succeeded(Success(reference: "r", amount: 1))
        let refused = Self.rejected(.configuration)
        for sendings: Int64 in [1, 2] {
            let policy = try Self.policy(.refund, .unknown(reason: "lost"), Self.keyless) { $0.sendings = sendings }
            #expect(policy.finding(done) == .outcome(done))
            let hidden = Outcome.unknown(reason: "another sending may have come through")
            #expect(policy.finding(refused) == .outcome(sendings == 1 ? refused : hidden))
        }
    }

    @Test("a refused replay explains the first sending only if it tells the payment's state, or the key keeps refusals")
    func replays() throws {
        let decline = Outcome.declined(Decline(code: "05", category: .generic, message: "No."))
        for (keeps, isDoubtful) in [(Capabilities.KeptResults.outcomes, false), (.all, false), (.successes, true)] {
            let policy = try Self.policy(.capture, .unknown(reason: "lost"), Self.keeping(keeps))
            #expect((policy.doubt(afterReplay: decline) != nil) == isDoubtful)
            #expect(policy.doubt(afterReplay: decline)?.isAnswered ?? true)
            #expect(policy.doubt(afterReplay: Self.rejected(.alreadyCaptured)) == nil)
            #expect(policy.doubt(afterReplay: Self.rejected(.configuration))?.isAnswered == false)
            #expect(policy.doubt(afterReplay: .succeeded(Success(reference: "r", amount: 1))) == nil)
        }
        let first = try Self.policy(.capture, .open, Self.keeping(.successes)) {
            ($0.leases, $0.sentUnderLease) = (1, 1)
        }
        #expect(first.doubt(afterReplay: Self.rejected(.configuration)) == nil)
    }
}
