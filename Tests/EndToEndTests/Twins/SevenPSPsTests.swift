import Domain
import Simulation
import Testing
import TributaryTestKit

/// One order at seven PSPs, each in its own wire format: whatever one of them does, the order ends as its policy says
/// and every PSP's books agree with ours.
@Suite("An order at seven PSPs", .timeLimit(.minutes(20)), .serialized)
struct SevenPSPsTests {
    /// An order of which one payment goes wrong.
    struct Case: CustomStringConvertible, Sendable {
        let fault: TwinFault
        let place: Int
        let policy: Policy
        var description: String { "\(fault) at \(PSPTwin.all[place]), \(policy.name)" }
    }

    /// The cases; a PSP is not struck several times in a row.
    static var cases: [Case] {
        var cases: [Case] = []
        for turn in 0..<(TwinStage.isExhaustive ? 3 : 1) {
            for (number, fault) in TwinFault.all.enumerated() {
                let able = fault.needsLaterCaptures ? PSPTwin.capturingLater : Array(PSPTwin.all.indices)
                let places = fault.isPlayedEverywhere ? able : TwinStage.places(ofFault: number, among: able)
                for place in places {
                    let others = Set(PSPTwin.all.indices.filter { $0 != place }.map { "\(PSPTwin.all[$0])" })
                    let policies = [Policy.allOrNothing, .bestEffort, .required(others)]
                    cases.append(Case(fault: fault, place: place, policy: policies[(number + place + turn) % 3]))
                }
            }
        }
        return cases
    }

    @Test("is paid at all of them when all approve", arguments: DatabaseEngine.allCases)
    func paid(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine) { stage in
            let (orders, complaints) = try await stage.settle([[:]], policies: [.allOrNothing])
            let order = try #require(orders.first)
            #expect(order.status == .paid, "\(HarnessFailure.text(order))")
            #expect(order.attention.isEmpty)
            #expect(complaints == [])
        }
    }

    @Test("is paid though each of them tells what it did before it answers", arguments: DatabaseEngine.allCases)
    func toldFirst(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine) { stage in
            let codes = Dictionary(uniqueKeysWithValues: stage.twins.indices.map { ($0, 121) })
            let policies = [Policy.bestEffort, .allOrNothing]
            let (orders, complaints) = try await stage.settle([codes, codes], policies: policies)
            for order in orders {
                #expect(order.status == .paid && order.attention.isEmpty, "\(HarnessFailure.text(order))")
            }
            #expect(complaints == [])
        }
    }

    @Test(
        "ends as its policy says, whatever one of them does, in all books alike",
        arguments: DatabaseEngine.allCases
    )
    func ends(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine) { stage in
            let cases = Self.cases
            let codes = cases.map { [$0.place: $0.fault.code] }
            let (orders, complaints) = try await stage.settle(codes, policies: cases.map(\.policy))
            for (one, order) in zip(cases, orders) {
                guard let complaint = Self.complaint(one, order) else { continue }
                Issue.record(
                    "\(one): \(complaint); \(HarnessFailure.text(order))\n\(try await stage.history(of: order))"
                )
            }
            #expect(complaints == [])
        }
    }

    /// What is wrong with how an order ended; nil if nothing is.
    private static func complaint(_ one: Case, _ order: Order) -> String? {
        let hit = order.payments[one.place]
        let others = order.payments.enumerated().filter { $0.offset != one.place }.map(\.element)
        let all = TwinStage.part * Int64(order.payments.count)
        if order.payments.contains(where: { $0.held > 0 && $0.state != .captureFailed }) { return "something is held" }
        let isOthers = others.allSatisfy { $0.net == TwinStage.part }
        switch (one.fault.fate, one.policy) {
        case (.captured, _): return order.status == .paid && order.captured == all ? nil : "is not paid"
        case (.either, .allOrNothing):
            return order.status == .paid || isUndone(order) ? nil : "is neither paid nor undone"
        case (.refused, .allOrNothing): return isUndone(order) ? nil : "is not undone"
        case (.captureRefused, .allOrNothing):
            // Once the order is accepted, a capture that fails is for a person.
            return isUndone(order) || order.attention.contains { $0.payment == hit.id } ? nil : "is not undone"
        case (.either, _): return isOthers ? nil : "the others are not paid"
        case (.refused, _):
            return isOthers && hit.net == 0 && order.status == .partiallyPaid ? nil : "one is not left out"
        case (.captureRefused, _):
            // A sale in one call has no capture of its own that could be refused.
            let wasSold = hit.attempt.operations.contains { $0.kind == .capture && $0.origin == .psp }
            return isOthers && hit.net == (wasSold ? TwinStage.part : 0) ? nil : "is not paid but for one"
        }
    }

    /// Whether nothing was kept of it.
    private static func isUndone(_ order: Order) -> Bool {
        order.decision.state == .refused && order.payments.allSatisfy { $0.net == 0 }
    }
}
