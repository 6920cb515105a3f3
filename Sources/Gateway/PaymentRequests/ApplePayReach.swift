import AdapterKit
import Domain

/// Which merchants' routes could take an Apple Pay token, before there is one.
struct ApplePayReach {
    /// The marketplace's accounts by name.
    let accounts: [String: PSPAccount]
    /// What each PSP can do, by its name.
    let capabilities: [String: Capabilities]

    /// Why none of a merchant's routes could; nil if one could.
    func obstacle(to merchant: Merchant, in currency: Currency) -> String? {
        guard !merchant.routes.isEmpty else { return "it has no routes" }
        var reasons: [String] = []
        for route in merchant.routes {
            guard let reason = obstacle(on: route, currency) else { return nil }
            reasons.append("\(route.pspAccount) \(reason)")
        }
        return reasons.joined(separator: "; ")
    }

    private func obstacle(on route: Merchant.Route, _ currency: Currency) -> String? {
        guard let account = accounts[route.pspAccount], let can = capabilities[account.psp] else {
            return "is no PSP account"
        }
        if account.status == .paused { return "is paused" }
        let needed: CredentialKind = route.applePay == .passThrough ? .encryptedApplePay : .networkToken
        if !can.credentials.contains(needed) { return "takes no \(needed.rawValue)" }
        if !route.currencies.isEmpty, !route.currencies.contains(currency.code) {
            return "does not serve \(currency.code)"
        }
        if let exponent = can.exponents[currency.code], exponent == nil { return "does not take \(currency.code)" }
        if !route.wallets.isEmpty, !route.wallets.contains("apple_pay") { return "does not serve apple_pay" }
        return nil
    }
}
