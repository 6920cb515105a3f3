import Domain
import Gateway
import PSPSimulator
import SQL
import Simulation
import Storage
import Testing
import TributaryTestKit

/// What merchants do in seven PSPs' portals, and banks by themselves, without asking Tributary.
@Suite("Seven PSPs' portals", .timeLimit(.minutes(10)), .serialized)
struct PortalTests {
    /// What is done to every payment of an order.
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let capture: OrderTerms.Capture
        let deed: DashboardAction.Kind
        var amount: Int64?
        /// PSPs that have no word for it.
        var untold: Set<DialectName> = []

        static let all = [
            Case(description: "captures all", capture: .manual, deed: .capture),
            Case(description: "captures a part", capture: .manual, deed: .capture, amount: 4000),
            Case(description: "voids", capture: .manual, deed: .void),
            Case(description: "refunds all", capture: .automatic, deed: .refund),
            Case(description: "refunds a part", capture: .automatic, deed: .refund, amount: 1500),
            Case(
                description: "disputes a part",
                capture: .automatic,
                deed: .dispute,
                amount: 2500,
                untold: [.authorizeNet]
            ),
        ]
    }

    @Test(
        "are heard, however often they tell: their books equal ours, and so do the ledger's rules",
        arguments: DatabaseEngine.allCases
    )
    func heard(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine) { stage in
            var done: [(one: Case, order: OrderID)] = []
            for (number, one) in Case.all.enumerated() {
                let id = try await stage.place([:], policy: .allOrNothing, key: "\(number)", capture: one.capture)
                _ = try await stage.atRest([id])
                try await act(one, on: id, twice: number.isMultiple(of: 2), stage)
                done.append((one, id))
            }
            let (orders, complaints) = try await stage.settled(done.map(\.order))
            #expect(complaints == [])
            for (one, order) in zip(done.map(\.one), orders) where one.deed == .dispute {
                let telling = zip(stage.twins, order.payments.indices).filter { !one.untold.contains($0.0.dialect) }
                let told = try await stage.told(order.id) { order in
                    telling.allSatisfy { order.payments[$0.1].chargedBack == one.amount }
                }
                for (twin, index) in telling {
                    #expect(told.payments[index].chargedBack == one.amount, "\(twin) \(one)")
                }
            }
            let findings = try await stage.database.read { session in
                try MarketplaceTable.all(in: session).flatMap { try LedgerAudit(of: $0.id).findings(in: session) }
            }
            #expect(findings.map { "\($0.rule.rawValue) \($0.subject): \($0.found)" } == [])
        }
    }

    private func act(_ one: Case, on id: OrderID, twice: Bool, _ stage: TwinStage) async throws {
        let order = try #require(try await stage.load([id]).first)
        // Braintree has no notification of what is done in its portal: its settlement report tells.
        for (twin, server) in zip(stage.twins, stage.servers)
        where twin.dialect != .braintree || one.deed == .dispute {
            let payment = try #require(order.payments.first { $0.externalIdentifier == "\(twin)" })
            let booked = await server.authorizations(of: twin.ledger).first {
                twin.attempt($0.command.reference) == payment.attempt.id.text
            }
            var action = DashboardAction(one.deed, to: .id(try #require(booked).id))
            action.amount = one.amount
            // That what is not taken was let go of, a PSP that takes several captures does not say.
            action.isFinal = !twin.takesSeveralCaptures
            action.announcement = twice ? .twice : .prompt
            _ = try await server.act(action)
        }
    }
}
