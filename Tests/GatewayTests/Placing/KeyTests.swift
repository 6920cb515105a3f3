import Domain
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Placing: idempotency keys and references", .timeLimit(.minutes(10)))
struct KeyTests {
    @Test("a hundred identical requests at once make one order", arguments: DatabaseEngine.allCases)
    func concurrent(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let instances = [harness.instance("one"), harness.instance("two")]
            let answers = try await withThrowingTaskGroup(of: Gateway.Answer.self) { group in
                for number in 0..<100 {
                    group.addTask { try await instances[number % 2].place(.trip, key: "same") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let order = try #require(try await LedgerCheck.orders(in: harness.database).first)
            #expect(Set(answers.map(\.order)) == [order.id])
            #expect(Set(answers.map(\.body)) == [.final(Array("\(order.id) paid".utf8))])
            #expect(answers.count { !$0.isReplay } == 1)
            #expect(await harness.psp.calls.count == 6)
            #expect(try await LedgerCheck.orders(in: harness.database).count == 1)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("a repeat gets the stored answer, whatever has become of the order", arguments: DatabaseEngine.allCases)
    func replay(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (first, order) = try await harness.run(.trip, key: "k")
            let calls = await harness.psp.calls.count
            let second = try await harness.instance("two").place(.trip, key: "k")
            #expect(second == Gateway.Answer(order: order.id, body: first.body, isReplay: true))
            #expect(await harness.psp.calls.count == calls)
        }
    }

    @Test("the same key with another body is refused", arguments: DatabaseEngine.allCases)
    func otherBody(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (_, order) = try await harness.run(.trip, key: "k")
            await #expect(throws: PlacementRefusal.keyReused(order.id)) {
                try await harness.instance("two").place(.trip, key: "k", body: "2")
            }
        }
    }

    @Test("a request that cannot be accepted does not use up its key", arguments: DatabaseEngine.allCases)
    func invalid(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let instance = harness.instance("one")
            let unknown = TestCheckout([.init("nobody", 1)])
            await #expect(throws: PlacementRefusal.self) { try await instance.place(unknown, key: "k", body: "2") }
            let answer = try await instance.place(.trip, key: "k")
            #expect(!answer.isReplay)
        }
    }

    @Test("a reference is free again once its order has failed", arguments: DatabaseEngine.allCases)
    func reference(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout.trip
            checkout.reference = "cart-1"
            await harness.psp.script("tok_hotel", .authorize, .decline)
            let (_, failed) = try await harness.run(checkout, key: "first")
            #expect(failed.status == .failed)
            let (_, paid) = try await harness.run(checkout, key: "second")
            #expect(paid.status == .paid)
            await #expect(throws: PlacementRefusal.referenceInUse(paid.id)) {
                try await harness.instance("two").place(checkout, key: "third")
            }
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("of many checkouts with one reference only one is placed", arguments: DatabaseEngine.allCases)
    func manyReferences(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let instance = harness.instance("one")
            var checkout = TestCheckout.trip
            checkout.reference = "cart-1"
            let outcomes = await withTaskGroup(of: Result<OrderID, PlacementRefusal>?.self) { [checkout] group in
                for number in 0..<20 {
                    group.addTask {
                        do {
                            return .success(try await instance.place(checkout, key: "k\(number)").order)
                        } catch let refusal as PlacementRefusal {
                            return .failure(refusal)
                        } catch {
                            Issue.record(error)
                            return nil
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let placed = outcomes.compactMap { try? $0?.get() }
            let id = try #require(placed.first)
            #expect(placed.count == 1)
            #expect(outcomes.count { $0 == .failure(.referenceInUse(id)) } == 19)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("a repeat on another instance waits for the order and hears of it", arguments: DatabaseEngine.allCases)
    func joins(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_taxi", .authorize, .held)
            async let first = harness.instance("one").place(.trip, key: "k")
            let id = try await harness.order(placedUnder: "k")
            async let second = harness.instance("two").place(.trip, key: "k")
            _ = try await harness.order(id) { $0.payments.count { $0.state == .authorized } == 2 }
            await harness.psp.release("tok_taxi", .authorize)
            let answers = try await (first, second)
            #expect(answers.0.body == .final(Array("\(id) paid".utf8)))
            #expect(answers.1 == Gateway.Answer(order: id, body: answers.0.body, isReplay: true))
            #expect(await harness.psp.count(.authorize) == 3)
        }
    }
}
