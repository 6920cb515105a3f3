import Domain
import SimulatorAdapter
import TributaryTestKit

@testable import Gateway

/// What drafts are checked against, without a database.
extension PlacementContext {
    static func travel(
        _ marketplace: TestMarketplace = .travel,
        at now: Timestamp = Timestamp(microseconds: 1_800_000_000_000_000),
        settings: GatewaySettings = GatewayHarness.settings
    ) -> PlacementContext {
        PlacementContext(
            marketplace: marketplace.id,
            merchants: Dictionary(
                uniqueKeysWithValues: marketplace.merchants.map { ($0.externalIdentifier, $0) }
            ),
            router: Router(
                accounts: Dictionary(uniqueKeysWithValues: marketplace.accounts.map { ($0.id, $0) }),
                capabilities: ["simulator": SimulatorAdapter.capabilities]
            ),
            settings: settings,
            now: now
        )
    }
}
