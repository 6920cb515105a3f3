import AdapterKit
import Domain
import PSPSimulator
import SimulatorAdapter
import StrictJSON
import Testing

@Suite("Adapter and simulator together", .timeLimit(.minutes(10)))
struct AdapterContractTests {
    @Test(
        "agree on an authorization",
        arguments: [
            ("tok_approve", "succeeded 1000/0"), ("tok_partial", "succeeded 500/0"),
            ("tok_captured", "succeeded 1000/1000"),
            ("tok_pending_60000", "pending"), ("tok_pending_fail_60000", "pending"), ("tok_action", "action"),
            ("tok_decline_lost_or_stolen", "declined lost_or_stolen"),
            ("tok_reject_configuration", "rejected configuration"),
            ("tok_reject_unsupported", "rejected unsupported"), ("tok_500_before", "unknown"),
            ("tok_500_after", "unknown"),
            ("tok_malformed", "unknown"), ("tok_nonsense", "rejected configuration"),
            ("tok_amount", "succeeded 1000/0"),
        ]
    )
    func authorize(token: String, word: String) async throws {
        try await withSimulator { simulator, client in
            let caller = try Caller(simulator, client)
            #expect(try await caller.perform(caller.authorize(token)).word == word)
        }
    }

    @Test("agree on network tokens")
    func networkToken() async throws {
        try await withSimulator { simulator, client in
            let caller = try Caller(simulator, client)
            for (number, word) in [
                ("4111111111111111", "succeeded 1000/0"), ("9999990000000002", "declined expired_card"),
            ] {
                let token = NetworkToken(
                    number: Secret(number),
                    expiryMonth: 12,
                    expiryYear: 2030,
                    cryptogram: Secret("AAAA"),
                    eci: "07",
                    source: .applePay
                )
                #expect(try await caller.perform(caller.authorize(.networkToken(token))).word == word)
            }
        }
    }

    @Test("agree on captures, voids and refunds, with and without the PSP's reference", arguments: [true, false])
    func changes(knowsReference: Bool) async throws {
        try await withSimulator { simulator, client in
            let caller = try Caller(simulator, client)
            func check(_ token: String, _ kinds: [(Call.Kind, String, String)]) async throws {
                var call = try caller.authorize(token)
                let outcome = try await caller.perform(call)
                guard case .succeeded(let success) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                for (kind, word, found) in kinds {
                    call.operation = caller.newOperation()
                    call.kind = kind
                    call.purpose = .perform
                    call.pspReference = knowsReference ? success.reference : nil
                    #expect(try await caller.perform(call).word == word, "\(token)")
                    call.purpose = .inquire
                    #expect(try await caller.perform(call).word == found, "\(token) inquiry")
                }
            }
            let capture = Call.Kind.capture(applicationFee: 10)
            let refund = Call.Kind.refund(applicationFee: nil)
            try await check(
                "tok_approve",
                [
                    (capture, "succeeded 1000/0", "succeeded 1000/0"),
                    (capture, "rejected already_captured", "rejected not_found"),
                    (.void, "rejected already_captured", "rejected not_found"),
                    (refund, "succeeded 1000/0", "succeeded 1000/0"),
                    (refund, "rejected amount_too_large", "rejected not_found"),
                ]
            )
            try await check(
                "tok_approve",
                [
                    (.void, "succeeded 1000/0", "succeeded 1000/0"),
                    (.void, "rejected already_voided", "rejected not_found"),
                ]
            )
            try await check("tok_approve+capture_decline_generic", [(capture, "declined generic", "declined generic")])
            try await check(
                "tok_approve+capture_pending_60000",
                [(capture, "pending", "pending"), (.void, "unknown", "rejected not_found")]
            )
            try await check("tok_approve+capture_500_after", [(capture, "unknown", "succeeded 1000/0")])
            try await check("tok_approve+capture_500_before", [(capture, "unknown", "rejected not_found")])
            try await check(
                "tok_captured+refund_unsettled",
                [
                    (refund, "rejected not_settled_yet", "rejected not_found"),
                    (.void, "succeeded 1000/0", "succeeded 1000/0"),
                ]
            )
            let part = Call.Kind.capture(applicationFee: nil, isFinal: false)
            try await check(
                "tok_approve",
                [
                    (part, "succeeded 1000/0", "succeeded 1000/0"),
                    (.void, "rejected already_captured", "rejected not_found"),
                ]
            )
            let failed = "rejected unsupported"
            try await check("tok_approve+capture_fail_later_0", [(capture, failed, failed)])
            try await check("tok_captured+refund_fail_later_0", [(refund, failed, failed)])
            try await check("tok_captured+refund_pending_fail_0", [(refund, "declined generic", "declined generic")])
        }
    }

    @Test(
        "agree on how much was captured of what is over",
        arguments: [
            (Call.Kind.capture(applicationFee: nil), Int64?.some(400)), (.void, 400),
            (.refund(applicationFee: nil), nil),
        ]
    )
    func toldCaptured(kind: Call.Kind, captured: Int64?) async throws {
        try await withSimulator { simulator, client in
            let caller = try Caller(simulator, client)
            var call = try caller.authorize("tok_approve")
            guard case .succeeded(let success) = try await caller.perform(call) else {
                Issue.record("tok_approve was not approved")
                return
            }
            var capture = DashboardAction(.capture, to: .reference(call.attempt.text))
            capture.amount = 400
            _ = try await simulator.act(capture)
            call.operation = caller.newOperation()
            call.kind = kind
            call.pspReference = success.reference
            let outcome = try await caller.perform(call)
            guard case .rejected(let rejection) = outcome else {
                Issue.record("\(outcome) is no refusal")
                return
            }
            #expect(rejection.captured == captured)
        }
    }

    @Test(
        "agree on inquiries",
        arguments: [
            ("tok_approve", "succeeded 1000/0"), ("tok_timeout_before", "rejected not_found"),
            ("tok_close_after", "succeeded 1000/0"),
            ("tok_close_before", "rejected not_found"), ("tok_malformed", "succeeded 1000/0"),
            ("tok_timeout_after", "succeeded 1000/0"),
            ("tok_captured", "succeeded 1000/1000"), ("tok_decline_generic", "declined generic"),
            ("tok_pending_0", "succeeded 1000/0"),
            ("tok_pending_fail_0", "declined generic"), ("tok_action_0", "declined action_expired"),
            ("tok_action", "action"),
            ("tok_lapse_0", "rejected expired"), ("tok_approve+inquire_hidden_60000", "rejected not_found"),
            ("tok_approve+inquire_500_before", "unknown"), ("tok_approve+inquire_malformed", "unknown"),
        ]
    )
    func inquire(token: String, word: String) async throws {
        try await withSimulator { simulator, client in
            let caller = try Caller(simulator, client)
            var call = try caller.authorize(token)
            _ = try await caller.perform(call)
            call.purpose = .inquire
            #expect(try await caller.perform(call).word == word)
        }
    }
}
