import Domain
import HTTPAPI
import Settings

extension ServerSettings {
    /// Whether keys come over a network as they are: beyond this machine, without TLS here or, as far as is known, in front.
    var sendsKeysInTheClear: Bool {
        let isLoopback = host == "localhost" || NetworkAddress(host)?.isLoopback == true
        return !isLoopback && tls == nil && proxies.trusted.isEmpty
    }
}

extension TrustedProxies {
    /// The proxies that the settings name.
    init(_ settings: ProxySettings) {
        let field: TrustedProxies.Field =
            switch settings.field {
            case .xForwardedFor: .xForwardedFor
            case .forwarded: .forwarded
            }
        self.init(settings.trusted, field: field)
    }
}

extension RateLimits {
    /// This instance's share of the limits that the settings have.
    init(_ settings: RateLimitSettings) {
        func limit(_ perSecond: Int, _ burst: Int) -> Limit? {
            perSecond == 0 ? nil : Limit(perSecond: perSecond, burst: burst, instances: settings.instances)
        }
        self.init(
            key: limit(settings.keyPerSecond, settings.keyBurst),
            address: limit(settings.addressPerSecond, settings.addressBurst)
        )
    }
}
