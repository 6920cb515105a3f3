import AdapterKit
import SimulatorAdapter

/// The simulator's dialect at a PSP without idempotency keys, which finds what it did by our reference.
struct KeylessAdapter: PaymentAdapter {
    static let name = "simulator"
    static let capabilities: Capabilities = {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.idempotency = .none
        capabilities.inquiry = .byReference(visibilityDelayMilliseconds: 2000)
        return capabilities
    }()

    private let base: SimulatorAdapter

    init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    func next(for call: Call, after exchanges: [Exchange]) -> Step { base.next(for: call, after: exchanges) }
}

/// The same at a PSP that cannot be asked either.
struct MuteAdapter: PaymentAdapter {
    static let name = "simulator"
    static let capabilities: Capabilities = {
        var capabilities = KeylessAdapter.capabilities
        capabilities.inquiry = .none
        return capabilities
    }()

    private let base: SimulatorAdapter

    init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    func next(for call: Call, after exchanges: [Exchange]) -> Step { base.next(for: call, after: exchanges) }
}
