package import AdapterKit
import Domain
import SimulatorAdapter

/// The simulator's dialect at a PSP that calls the card of every payment by the name that it had the first time.
package struct SameCardAdapter: PaymentAdapter {
    package static let name = "simulator"
    package static let capabilities = SimulatorAdapter.capabilities

    private let base: SimulatorAdapter

    package init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard case .outcome(.succeeded(var success)) = base.next(for: call, after: exchanges) else {
            return base.next(for: call, after: exchanges)
        }
        if let stored = success.stored {
            success.stored = StoredMethod(
                token: Secret("sm_1"),
                customer: stored.customer,
                network: stored.network,
                last4: stored.last4,
                expiryMonth: stored.expiryMonth,
                expiryYear: stored.expiryYear
            )
        }
        return .outcome(.succeeded(success))
    }

    package func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        base.next(forRemoval: removal, after: exchanges)
    }
}
