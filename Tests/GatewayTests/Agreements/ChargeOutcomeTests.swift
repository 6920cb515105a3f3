import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Agreements: what the outcome of a charge means", .timeLimit(.minutes(10)))
struct ChargeOutcomeTests {
    @Test("an approval of less than was asked is a decline", arguments: DatabaseEngine.allCases)
    func partial(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                await harness.psp.script("sm_1", .authorize, ScriptedBehaviour(.approvePart(500)))
                #expect(try await desk.charge(id, key: "part", on: instance).status == .failed)
                let tries = try await desk.stored(id).tries
                #expect(tries.declinesInARow == 1 && tries.declinedAt.count == 1 && !tries.isForbidden)
                let early = try await desk.refusal(of: id, TestCheckout.dollars(2000), .resubmission, on: instance)
                #expect(early?.code == "retry_too_early")
            }
        }
    }

    @Test("an approval that comes late lifts nothing of a later decline", arguments: DatabaseEngine.allCases)
    func lateApproval(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                await harness.psp.script("sm_1", .authorize, .held, ScriptedBehaviour(.decline("lost_or_stolen")))
                let late = Task { try await desk.charge(id, key: "late", on: instance) }
                try await harness.psp.arrival(of: .authorize, "sm_1")
                harness.clock.advance(milliseconds: 1000)
                #expect(try await desk.charge(id, key: "declined", on: instance).status == .failed)
                #expect(try await desk.stored(id).tries.isForbidden)
                await harness.psp.release("sm_1", .authorize)
                #expect(try await late.value.status == .paid)
                #expect(try await desk.stored(id).tries.isForbidden)
                let refusal = try await desk.refusal(of: id, TestCheckout.dollars(2000), on: instance)
                #expect(refusal == .tryForbidden)
            }
        }
    }

    @Test("a method that the PSP does not have any more suspends the agreement", arguments: DatabaseEngine.allCases)
    func gone(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                let unknown = ScriptedBehaviour(.refuse("stored_method_not_found"))
                await harness.psp.script("sm_1", .authorize, unknown)
                #expect(try await desk.charge(id, key: "charge", on: instance).status == .failed)
                #expect(try await desk.stored(id).suspension == .methodMissing)
                let refusal = try await desk.refusal(of: id, TestCheckout.dollars(2000), on: instance)
                #expect(refusal == .suspended(.methodMissing))
                #expect(try await desk.told() == ["agreement.active", "agreement.suspended"])
            }
        }
    }
}
