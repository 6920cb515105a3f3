import AdapterKit
import SimulatorAdapter

/// The simulator's dialect at a PSP that pays a merchant account directly, whatever the route says.
struct DirectChargeAdapter: PaymentAdapter {
    static let name = "simulator"
    static let capabilities: Capabilities = {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.payees = Payees(toMarketplace: .merchant, toMerchant: .merchant)
        return capabilities
    }()

    private let base: SimulatorAdapter

    init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    func next(for call: Call, after exchanges: [Exchange]) -> Step { base.next(for: call, after: exchanges) }
}
