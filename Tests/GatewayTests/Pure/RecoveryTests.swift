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
            let recovery = try Self.recovery(kind, .open, capabilities) { $0.leases = 1 }
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

    @Test("an authorization with a key is absent once no instance can be sending it")
    func absentWithKey() throws {
        #expect(try !Self.recovery(at: Self.day).isAbsenceProven)
        #expect(try !Self.recovery(decided: 1000, at: 999 + Self.silence).isAbsenceProven)
        #expect(try Self.recovery(decided: 1000, at: 1000 + Self.silence).isAbsenceProven)
    }

    @Test("an authorization without a key was sent under its first lease or never")
    func absentWithoutKey() throws {
        let state = OperationState.unknown(reason: "lost")
        #expect(try !Self.recovery(.authorize, state, Self.keyless, at: Self.silence - 1).isAbsenceProven)
        #expect(try Self.recovery(.authorize, state, Self.keyless, at: Self.silence).isAbsenceProven)
        #expect(try !Self.recovery(.authorize, state, Self.mute, at: Self.day).isAbsenceProven)
        #expect(try !Self.recovery(.authorize, state, Self.byPSPReference, at: Self.day).isAbsenceProven)
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
            leases: Int64 = 2
        ) throws -> Bool {
            try Self.recovery(kind, .unknown(reason: "lost"), capabilities, decided: decided, at: milliseconds) {
                $0.leases = leases
            }.canOnlyBeUndone
        }
        #expect(try can())
        #expect(try !can(at: 999 + lease))
        #expect(try !can(decided: nil, at: Self.day))
        #expect(try !can(leases: 1))
        #expect(try !can(.capture))
        #expect(try !can(.authorize, Self.mute))
        var asked = undoing
        asked.inquiry = .byReference(visibilityDelayMilliseconds: 0)
        #expect(try !can(.authorize, asked))
    }

    @Test("a capture is absent once its replays are over and the last try is long ago")
    func absentCapture() throws {
        func isProven(_ capabilities: Capabilities, _ milliseconds: Int64, pause: Int64) throws -> Bool {
            let recovery = try Self.recovery(
                .capture,
                .unknown(reason: "lost"),
                capabilities,
                at: milliseconds
            )
            var settings = recovery.settings
            settings.rules.unknownScheduleMilliseconds = [pause]
            return Recovery(
                order: recovery.order,
                attempt: recovery.attempt,
                operation: recovery.operation,
                capabilities: capabilities,
                settings: settings,
                now: recovery.now
            ).isAbsenceProven
        }
        // The longer of the PSP timeout and the visibility delay is 10 s.
        #expect(try isProven(Self.keyless, Self.silence, pause: 10_000))
        #expect(try !isProven(Self.keyless, Self.silence, pause: 9999))
        #expect(try !isProven(Self.keyless, Self.silence - 1, pause: 12_000))
        #expect(try isProven(Self.keyed, Self.day + Self.silence, pause: 12_000))
        #expect(try !isProven(Self.keyed, Self.day + Self.silence - 1, pause: 12_000))
    }
}
