import AdapterKit
import Callbacks
import Domain
import Foundation
import Gateway
import Settings
import Storage
import Wiring

/// Checks what a declaration refers to by loading it: PSP accounts, wallet keys, endpoints of callbacks.
struct DeclarationCheck {
    /// What makes it unusable, in sentences.
    let problems: [String]
    /// What does not work as far as this shell can see, in sentences; it may where the server runs.
    let absences: [String]
    /// What will need a look soon, in sentences.
    let warnings: [String]

    /// Loads everything, by this machine's clock; `allowsLoopback` says whether callbacks may go to this machine.
    init(_ declaration: Declaration, allowsLoopback: Bool, surroundings: Surroundings) {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let document = declaration.documentAsWritten
        let (marketplace, declared) = (document.marketplace, document.accounts)
        var accounts = AccountCheck(declared, surroundings: surroundings)
        accounts.checkTokens(
            declaration.merchants.flatMap { merchant in
                merchant.routes.map { (merchant.externalIdentifier, $0.pspAccount, $0.applePay) }
            },
            of: declared
        )
        var ids = IdentifierSource()
        accounts.checkPayees(
            of: document.merchants.map { $0.merchant.merchant(of: marketplace.id, id: ids.make(at: now)) },
            among: declared
        )
        let own = declaration.merchants.first { $0.kind == .marketplace }
        let wallets = WalletCheck(
            marketplace.wallets,
            merchantIdentifier: own?.merchantIdentifier,
            merchantIdentifiers: Set(declaration.merchants.compactMap(\.merchantIdentifier)),
            at: now,
            surroundings: surroundings
        )
        let callbacks = CallbackCheck(
            declaration,
            allowsLoopback: allowsLoopback,
            at: now,
            surroundings: surroundings
        )
        let zones = [declaration.marketplace.profile.timeZone] + declaration.merchants.map(\.profile.timeZone)
        let unknown = Set(zones.compactMap(\.self)).filter { TimeZone(identifier: $0) == nil }.sorted()
        problems =
            accounts.problems + wallets.problems + callbacks.problems
            + unknown.map { "time_zone: there is no time zone \($0)" }
        absences = accounts.absences + wallets.absences + callbacks.absences
        warnings = wallets.warnings + callbacks.warnings + declaration.commissionWarnings
    }
}

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
            if let mode = psp.mode(settings), mode != account.mode {
                return add(account, PSPDirectoryError.sentence(aboutAccountOf: mode))
            }
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

/// Checks declared endpoints: their addresses by the rules of sending, their secrets and certificates by reading them.
struct CallbackCheck {
    /// What makes an endpoint unusable, in sentences.
    private(set) var problems: [String] = []
    /// What cannot be had in this shell, though the server will need it, in sentences.
    private(set) var absences: [String] = []
    /// What will need a look soon, in sentences.
    private(set) var warnings: [String] = []

    private let allowsLoopback: Bool
    private let now: Timestamp
    private let surroundings: Surroundings

    /// Checks the marketplace's endpoint and those of merchants, certificates by `now`.
    init(_ declaration: Declaration, allowsLoopback: Bool, at now: Timestamp, surroundings: Surroundings) {
        self.allowsLoopback = allowsLoopback
        self.now = now
        self.surroundings = surroundings
        let owners =
            [("marketplace \(declaration.marketplace.id)", declaration.marketplace.callback)]
            + declaration.merchants.map { ("merchant \($0.externalIdentifier)", $0.callback) }
        for case (let owner, let callback?) in owners { check(callback, of: owner.harmless) }
    }

    private mutating func check(_ callback: CallbackDeclaration, of owner: String) {
        if let rule = CurlCallbackSender.refusal(of: callback.url, allowsLoopback: allowsLoopback) {
            problems.append("\(owner): callback.url: \(rule)\(allowsLoopback ? "" : Self.hint(callback.url))")
        }
        if let identity = callback.clientIdentity {
            let found = ClientIdentityCheck(
                certificate: identity.certificate,
                key: identity.key,
                at: now,
                surroundings: surroundings
            )
            problems += found.problems.map { "\(owner): callback.\($0)" }
            absences += found.absences.map { "\(owner): callback.\($0)" }
            warnings += found.warnings.map { "\(owner): callback.\($0)" }
        }
        guard let reference = callback.secret else { return }
        do throws(SecretRefusal) {
            guard let problem = SigningSecret.problem(with: try reference.resolve(in: surroundings)) else { return }
            problems.append("\(owner): callback.secret: the secret at \(reference) will not do: \(problem)")
        } catch {
            absences.append("\(owner): callback.secret: \(error) The server will need it.")
        }
    }

    private static func hint(_ url: String) -> String {
        CurlCallbackSender.refusal(of: url, allowsLoopback: true) == nil
            ? "; for development set TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK=true" : ""
    }
}
