import AdapterKit
import Domain
import SimulatorAdapter

/// The simulator's dialect at a PSP that makes no token, so that agreements are charged with a network token that is kept here.
struct TokenlessAdapter: PaymentAdapter {
    static let name = "simulator"
    static let capabilities: Capabilities = {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.agreements = AgreementSupport(
            merchantInitiated: [.storedNetworkToken],
            networkTransactionID: [.read, .write]
        )
        return capabilities
    }()

    private let base: SimulatorAdapter

    init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    func next(for call: Call, after exchanges: [Exchange]) -> Step {
        let step = base.next(for: call, after: exchanges)
        guard case .outcome(let outcome) = step, case .succeeded(let told) = outcome else { return step }
        var success = told
        success.stored = nil
        return .outcome(.succeeded(success))
    }
}
