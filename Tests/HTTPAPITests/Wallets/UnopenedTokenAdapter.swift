import AdapterKit
import SimulatorAdapter

/// The simulator's dialect at a PSP that opens Apple Pay tokens itself: it takes them where a token of its own stands.
struct UnopenedTokenAdapter: PaymentAdapter {
    static let name = "simulator"
    static let capabilities: Capabilities = {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.credentials.insert(.encryptedApplePay)
        return capabilities
    }()

    private let base: SimulatorAdapter

    init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    func next(for call: Call, after exchanges: [Exchange]) -> Step {
        var call = call
        if case .authorize(var authorization) = call.kind,
            case .encryptedApplePay(let token)? = authorization.credential
        {
            authorization.credential = .pspToken(token.paymentData)
            call.kind = .authorize(authorization)
        }
        return base.next(for: call, after: exchanges)
    }
}
