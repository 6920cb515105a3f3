import Domain
import Gateway
import TributaryTestKit

@testable import Gateway

/// The order that a trip makes, placed but not stored.
enum PlacedOrder {
    static func make(
        _ checkout: TestCheckout = .trip,
        at now: Timestamp,
        settings: GatewaySettings = GatewayHarness.settings
    ) throws -> Order {
        var ids = IdentifierSource()
        let plan = try OrderPlan(
            DecryptedDraft(try checkout.draft()),
            in: PlacementContext.travel(at: now, settings: settings),
            ids: &ids
        )
        var machine = OrderMachine(plan.order, at: now, by: "one", rules: settings.rules, ids: ids)
        machine.place()
        return machine.finish().order
    }
}
