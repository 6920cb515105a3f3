package import AdapterKit
import SimulatorAdapter

/// The simulator's dialect at a PSP that keeps successes only under its keys.
package struct ForgetfulAdapter: WebhookListener {
    package static let name = "simulator"
    package static let capabilities: Capabilities = {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.idempotency = .key(retentionMilliseconds: 24 * 3_600_000, keeps: .successes)
        return capabilities
    }()

    private let base: SimulatorAdapter

    package init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    package func next(for call: Call, after exchanges: [Exchange]) -> Step { base.next(for: call, after: exchanges) }

    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading { base.webhook(incoming) }
}

/// The same at a PSP that keeps every answer, its own errors included.
package struct UnforgivingAdapter: PaymentAdapter {
    package static let name = "simulator"
    package static let capabilities: Capabilities = {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.idempotency = .key(retentionMilliseconds: 24 * 3_600_000, keeps: .all)
        return capabilities
    }()

    private let base: SimulatorAdapter

    package init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    package func next(for call: Call, after exchanges: [Exchange]) -> Step { base.next(for: call, after: exchanges) }
}

/// The same at a PSP without keys whose inquiries are half an hour late.
package struct LateAdapter: PaymentAdapter {
    package static let name = "simulator"
    /// How long what it does is hidden from inquiries.
    package static let visibilityMilliseconds: Int64 = 1_800_000
    package static let capabilities: Capabilities = {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.idempotency = .none
        capabilities.inquiry = .byReference(visibilityDelayMilliseconds: visibilityMilliseconds)
        capabilities.pendingPollMilliseconds = 900_000
        return capabilities
    }()

    private let base: SimulatorAdapter

    package init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    package func next(for call: Call, after exchanges: [Exchange]) -> Step { base.next(for: call, after: exchanges) }
}
