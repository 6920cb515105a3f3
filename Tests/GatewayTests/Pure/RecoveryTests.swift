import AdapterKit
import Domain
import SimulatorAdapter
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Recovery")
struct RecoveryTests {
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
    private static func recovery(
        _ kind: Operation.Kind = .authorize,
        _ state: OperationState = .unknown(reason: "lost"),
        _ capabilities: Capabilities = keyed,
        decided: Int64? = nil,
        at milliseconds: Int64 = 0,
        change: (inout Operation) -> Void = { _ in }
    ) throws -> Recovery {
        var order = try PlacedOrder.make(at: created)
        if let decided {
            order.decision = Decision(
                state: .refused,
                reason: .deadline,
                at: created.adding(milliseconds: decided),
                countsOn: []
            )
        }
        let attempt = order.payments[0].attempt
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
        return Recovery(
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
            let recovery = try Self.recovery(kind, .open, capabilities) { operation in
                (operation.leases, operation.sentUnderLease) = (1, 1)
            }
            #expect(recovery.way(hasCredential: false) == .perform)
        }
    }

    @Test("a doubtful authorization is replayed only with its key and credential, while its order is undecided")
    func authorization() throws {
        #expect(try Self.recovery().way(hasCredential: true) == .perform)
        #expect(try Self.recovery().way(hasCredential: false) == .inquire)
        #expect(try Self.recovery(decided: 1).way(hasCredential: true) == .inquire)
        #expect(try Self.recovery(.authorize, .open, Self.keyless).way(hasCredential: true) == .inquire)
        #expect(try Self.recovery(.authorize, .open, Self.mute).way(hasCredential: true) == .wait)
    }

    @Test(
        "no key is relied on in the last hour of its retention",
        arguments: [Operation.Kind.authorize, .capture, .void]
    )
    func retention(kind: Operation.Kind) throws {
        let last = Self.day - Self.hour - 1
        #expect(try Self.recovery(kind, at: last).way(hasCredential: true) == .perform)
        #expect(try Self.recovery(kind, at: last + 1).way(hasCredential: true) == .inquire)
    }

    @Test(
        "what undoes or captures is replayed whatever was decided",
        arguments: [Operation.Kind.capture, .void, .refund]
    )
    func changes(kind: Operation.Kind) throws {
        #expect(try Self.recovery(kind, decided: 1).way(hasCredential: false) == .perform)
        #expect(try Self.recovery(kind, .open, Self.keyless).way(hasCredential: false) == .inquire)
        #expect(try Self.recovery(kind, .open, Self.mute).way(hasCredential: false) == .wait)
    }

    @Test(
        "what the PSP works on is only asked after",
        arguments: [
            OperationState.pending, .actionRequired(NextAction(kind: .redirect, url: "https://psp.example")),
        ]
    )
    func pending(state: OperationState) throws {
        for kind in [Operation.Kind.authorize, .capture, .void, .refund] {
            #expect(try Self.recovery(kind, state).way(hasCredential: true) == .inquire)
        }
    }

    @Test("a PSP that knows payments only by its own reference is asked once we have it")
    func pspReference() throws {
        let recovery = try Self.recovery(.authorize, .pending, Self.byPSPReference)
        #expect(recovery.way(hasCredential: false) == .wait)
        var attempt = recovery.attempt
        attempt.pspReference = "auth_1"
        let known = Recovery(
            order: recovery.order,
            attempt: attempt,
            operation: recovery.operation,
            capabilities: recovery.capabilities,
            settings: recovery.settings,
            now: recovery.now
        )
        #expect(known.way(hasCredential: false) == .inquire)
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
                    let recovery = try Self.recovery(kind, state, capabilities, decided: 1, at: sentAt + late) {
                        $0.sentAt = Self.created.adding(milliseconds: sentAt)
                        $0.doubts = doubts
                    }
                    #expect(recovery.isAbsenceProven == isProven)
                }
            }
        }
        #expect(try !Self.recovery(kind, state, Self.mute, at: Self.day).isAbsenceProven)
        #expect(try !Self.recovery(kind, state, Self.byPSPReference, at: Self.day).isAbsenceProven)
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
            (Capabilities.KeptResults.outcomes, Recovery.Way.perform), (.all, .inquire), (.successes, .inquire),
        ]
    )
    func answered(kind: Operation.Kind, expected: (keeps: Capabilities.KeptResults, way: Recovery.Way)) throws {
        let capabilities = Self.keeping(expected.keeps)
        let silent = try Self.recovery(kind, .unknown(reason: "lost"), capabilities)
        #expect(silent.way(hasCredential: true) == .perform)
        let answered = try Self.recovery(kind, .unknown(reason: "500"), capabilities) { $0.isAnsweredInDoubt = true }
        #expect(answered.way(hasCredential: true) == expected.way)
        #expect(answered.needsNewKey == (expected.keeps == .all))
    }

    @Test("where nothing can be asked, only a key that repeats its answer is used again after one that told nothing")
    func answeredAndMute() throws {
        for (keeps, way) in [(Capabilities.KeptResults.all, Recovery.Way.perform), (.successes, .wait)] {
            var capabilities = Self.keeping(keeps)
            capabilities.inquiry = .none
            let recovery = try Self.recovery(.capture, .unknown(reason: "500"), capabilities) {
                $0.isAnsweredInDoubt = true
            }
            #expect(recovery.way(hasCredential: true) == way)
        }
    }

    @Test("a refusal that an inquiry finds may be of another sending until all of them are visible")
    func hidden() throws {
        let state = OperationState.unknown(reason: "lost")
        func mayHide(_ capabilities: Capabilities, sendings: Int64, at milliseconds: Int64) throws -> Bool {
            try Self.recovery(.refund, state, capabilities, at: milliseconds) { $0.sendings = sendings }.mayHideSending
        }
        for capabilities in [Self.keyless, Self.keeping(.successes)] {
            #expect(try mayHide(capabilities, sendings: 2, at: Self.silence - 1))
            #expect(try !mayHide(capabilities, sendings: 2, at: Self.silence))
            #expect(try !mayHide(capabilities, sendings: 1, at: 0))
        }
        #expect(try !mayHide(Self.keeping(.all), sendings: 2, at: 0))
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
            try Self.recovery(kind, .unknown(reason: "lost"), capabilities, decided: decided, at: milliseconds) {
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
}
