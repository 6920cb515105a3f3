import AdapterKit
import Domain
import Gateway
import Settings
import Wiring

/// Checks PSP accounts by making their adapters.
struct AccountCheck {
    /// What makes an account unusable, in sentences.
    private(set) var problems: [String] = []
    /// What cannot be had in this shell, though the server will need it, in sentences.
    private(set) var absences: [String] = []

    /// Makes every account's adapter.
    ///
    /// A secret that cannot be had here may be there where the server runs, so it is no problem yet.
    init(_ accounts: [PSPAccount], surroundings: Surroundings) {
        for account in accounts { check(account, surroundings) }
    }

    private mutating func check(_ account: PSPAccount, _ surroundings: Surroundings) {
        guard let psp = AdapterCatalog.psps[account.psp] else {
            let known = AdapterCatalog.psps.keys.sorted().joined(separator: ", ")
            return add(account, "there is no adapter for \(account.psp); this build has \(known)")
        }
        var credentials: [String: Secret] = [:]
        for (name, reference) in account.credentials.sorted(by: { $0.key < $1.key }) {
            do {
                guard let reference = SecretReference(reference) else { throw SecretRefusal.unsetVariable(reference) }
                credentials[name] = try reference.resolve(in: surroundings)
            } catch {
                credentials[name] = Secret("not at hand")
                absences.append("psp_account \(account.id): \(name): \(error) The server will need it.")
            }
        }
        do {
            let settings = AdapterSettings(account: account.id, baseURL: account.baseURL, credentials: credentials)
            _ = try psp.make(settings)
        } catch {
            add(account, Self.sentence(error))
        }
    }

    /// Finds the routes that would pass tokens on unopened to a PSP that takes none.
    mutating func checkTokens(
        _ routes: [(merchant: String, account: String, handling: Merchant.Route.TokenHandling)],
        of accounts: [PSPAccount]
    ) {
        for route in routes where route.handling == .passThrough {
            guard let account = accounts.first(where: { $0.id == route.account }),
                let psp = AdapterCatalog.psps[account.psp],
                !psp.capabilities.credentials.contains(.encryptedApplePay)
            else { continue }
            problems.append(
                "merchant \(route.merchant): the route to \(account.id) says apple_pay: pass_through, and "
                    + "\(account.psp) takes no encrypted token"
            )
        }
    }

    /// Finds the routes that pay somebody else on the wire than the books say.
    mutating func checkPayees(of merchants: [Merchant], among accounts: [PSPAccount]) {
        let psps = Dictionary(accounts.map { ($0.id, $0.psp) }) { first, _ in first }
        let capabilities = AdapterCatalog.psps.mapValues(\.capabilities)
        for merchant in merchants {
            problems += RouteObjection.sentences(about: merchant, psps: psps, capabilities)
        }
    }

    private mutating func add(_ account: PSPAccount, _ sentence: String) {
        problems.append("psp_account \(account.id): \(sentence)")
    }

    private static func sentence(_ error: SettingsError) -> String {
        switch error {
        case .missingCredential(let name): "the credential \(name) is missing or empty"
        case .insecureBaseURL: "base_url must be https, or plain http to this machine"
        }
    }
}
