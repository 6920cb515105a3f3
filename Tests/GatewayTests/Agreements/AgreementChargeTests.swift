import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Agreements: payments under them", .timeLimit(.minutes(10)))
struct AgreementChargeTests {
    @Test(
        "made, paid, charged five times, declined, charged again later, ended: nothing of the method is kept",
        arguments: DatabaseEngine.allCases
    )
    func life(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                let active = try await desk.stored(id)
                #expect(active.state == .active)
                #expect(active.method?.last4 == "4242")
                #expect(active.method?.route.pspAccount == "sim-a")
                #expect(active.networkTransactionIDs.map(\.value) == ["SIMsm_1"])
                #expect(try await desk.secrets(of: id) == 1)
                for number in 1...5 {
                    let order = try await desk.charge(id, key: "charge \(number)", on: instance)
                    #expect(order.status == .paid)
                    #expect(order.agreement == AgreementUse(id, type: .recurring, charge: .recurring))
                }
                await harness.psp.script("sm_1", .authorize, .decline)
                let declined = try await desk.charge(id, key: "declined", on: instance)
                #expect(declined.status == .failed)
                let early = try await desk.refusal(of: id, TestCheckout.dollars(2000), .resubmission, on: instance)
                #expect(early?.code == "retry_too_early")
                harness.clock.advance(milliseconds: 86_400_000)
                let again = try await desk.charge(id, 2000, .resubmission, key: "again", on: instance)
                #expect(again.status == .paid)
                _ = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
                try await Self.wait { try await desk.stored(id).state == .ended }
                #expect(try await desk.stored(id).method == nil)
                #expect(try await desk.secrets(of: id) == 0)
                #expect(await harness.psp.count(.forget, "sm_1") == 1)
                #expect(try await desk.told() == ["agreement.active", "agreement.ended"])
            }
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("a charge names what began the agreement, and brings no cryptogram", arguments: DatabaseEngine.allCases)
    func wire(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                _ = try await desk.charge(id, key: "charge", on: instance)
                let bodies = try await harness.psp.calls.filter { $0.kind == .authorize }.map {
                    try JSON.parse($0.body)
                }
                #expect(bodies.count == 2)
                #expect(bodies[0]["store_for"]?.stringValue == id.text)
                #expect(bodies[0]["initiator"] == nil)
                #expect(bodies[1]["initiator"] == "merchant")
                #expect(bodies[1]["stored_method"] == ["id": "sm_1", "owner": .string(id.text)])
                #expect(bodies[1]["network_transaction_id"] == "SIMsm_1")
                #expect(bodies[1]["token"] == nil)
                #expect(bodies[1]["store_for"] == nil)
            }
        }
    }

    @Test("of a first payment that fails nothing is kept, and another may be made", arguments: DatabaseEngine.allCases)
    func failure(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                await harness.psp.script("tok_bad", .authorize, .decline)
                let id = try await desk.make()
                let bad = try AgreementDesk.first(of: id, paidWith: "tok_bad")
                let answer = try await instance.gateway.place(bad, under: TestCheckout.use("bad"))
                #expect(try await harness.orderAtRest(answer.order).status == .failed)
                let pending = try await desk.stored(id)
                #expect(pending.state == .pending)
                #expect(pending.firstOrder == nil)
                #expect(try await desk.secrets(of: id) == 0)
                let good = try AgreementDesk.first(of: id)
                _ = try await instance.gateway.place(good, under: TestCheckout.use("good"))
                #expect(try await desk.stored(id).state == .active)
                await #expect(throws: PlacementRefusal.agreement(.begun)) {
                    try await instance.gateway.place(good, under: TestCheckout.use("second"))
                }
            }
        }
    }

    @Test("a charge that is under way when it ends goes on with the method", arguments: DatabaseEngine.allCases)
    func endedDuringCharge(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                await harness.psp.script("sm_1", .authorize, .held)
                let charge = Task { try await desk.charge(id, key: "charge", on: instance) }
                try await harness.psp.arrival(of: .authorize, "sm_1")
                _ = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
                let kept = try await harness.database.read { try AgreementMethodTable.all(of: id, in: $0) }
                #expect(kept.map(\.removeAt) == [nil])
                #expect(try await desk.stored(id).state == .ending)
                await harness.psp.release("sm_1", .authorize)
                #expect(try await charge.value.status == .paid)
                try await Self.wait { try await desk.stored(id).state == .ended }
                #expect(await harness.psp.count(.forget, "sm_1") == 1)
            }
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("two charges under one key at once are one", arguments: DatabaseEngine.allCases)
    func concurrent(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                let orders = try await withThrowingTaskGroup(of: OrderID.self) { group in
                    for _ in 0..<8 {
                        group.addTask { try await desk.charge(id, key: "same", on: instance).id }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(orders.count == 1)
                #expect(await harness.psp.count(.authorize, "sm_1") == 1)
            }
        }
    }

    @Test(
        "charges at once under several keys are no more tries than one after the other",
        arguments: DatabaseEngine.allCases
    )
    func tries(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                let now = harness.clock.now()
                try await harness.database.write { session in
                    guard var agreement = try AgreementTable.lock(id, of: "travel", in: session) else { return }
                    agreement.tries.declinedAt = Array(repeating: now, count: 14)
                    try AgreementTable.update(agreement, in: session)
                }
                await harness.psp.always("sm_1", .authorize, ScriptedBehaviour(.decline("insufficient_funds"), .held))
                let first = Task { try await desk.charge(id, key: "first", on: instance) }
                try await harness.psp.arrival(of: .authorize, "sm_1")
                let second = try await desk.refusal(of: id, TestCheckout.dollars(2000), on: instance)
                #expect(second?.code == "too_many_tries")
                await harness.psp.release("sm_1", .authorize)
                #expect(try await first.value.status == .failed)
                #expect(try await desk.stored(id).openCharges == [])
                #expect(await harness.psp.count(.authorize, "sm_1") == 1)
            }
        }
    }

    @Test("what the terms, the currency, the end or a suspension forbid is refused", arguments: DatabaseEngine.allCases)
    func gates(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                let amount = try TestCheckout.dollars(2000)
                let euro = try Money(minorUnits: 100, currency: #require(Currency(code: "EUR")))
                #expect(try await desk.refusal(of: id, TestCheckout.dollars(5001), on: instance) == .aboveMaximum(5000))
                #expect(try await desk.refusal(of: id, euro, on: instance) == .otherCurrency(amount.currency))
                let pending = try await desk.make()
                #expect(try await desk.refusal(of: pending, amount, on: instance) == .notActive)
                try await harness.database.write { session in
                    guard var agreement = try AgreementTable.lock(id, of: "travel", in: session) else { return }
                    (agreement.state, agreement.suspension) = (.suspended, .consentRevoked)
                    try AgreementTable.update(agreement, in: session)
                }
                let suspended = try await desk.refusal(of: id, amount, on: instance)
                #expect(suspended == .suspended(.consentRevoked))
                _ = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
                #expect(try await desk.refusal(of: id, amount, on: instance) == .over)
                #expect(await harness.psp.count(.authorize, "sm_1") == 0)
            }
        }
    }

    @Test("a PSP that does not forget is asked again, and the method is kept until it has")
    func removal() async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await instance.driving { try await desk.begun(on: instance) }
            await harness.psp.script("sm_1", .forget, .requestLost, ScriptedBehaviour(.approve, .errorBefore))
            _ = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
            for _ in 1...2 {
                #expect(await instance.gateway.removeMethods() == 1)
                #expect(try await desk.stored(id).state == .ending)
                #expect(try await desk.secrets(of: id) == 1)
                #expect(await instance.gateway.removeMethods() == 0)
                harness.clock.advance(milliseconds: 10_000)
            }
            #expect(try await instance.gateway.agreements.find(id, of: "travel")?.failures.count == 1)
            #expect(await instance.gateway.removeMethods() == 1)
            #expect(try await desk.stored(id).state == .ended)
            #expect(try await desk.secrets(of: id) == 0)
        }
    }

    /// Waits until something is so, not longer than a test's patience.
    private static func wait(until condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .patience
        while try await !condition() {
            guard ContinuousClock.now < end else { throw HarnessFailure.neverAsked("a change") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
