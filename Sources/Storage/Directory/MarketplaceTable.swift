package import Domain
package import SQL
import StrictJSON

/// The tenants.
package enum MarketplaceTable {
    /// A tenant.
    package struct Marketplace: Hashable, Sendable {
        /// Its id, which stands on every row.
        package let id: String
        /// Its name.
        package let name: String
        /// What it opens wallet tokens with.
        package let wallets: WalletAccess
        /// What its papers say of it.
        package let profile: BusinessProfile
        /// Whether it moves real money; it never changes.
        package let mode: MarketplaceMode

        /// Makes a tenant.
        package init(
            id: String,
            name: String,
            wallets: WalletAccess = WalletAccess(),
            profile: BusinessProfile = BusinessProfile(),
            mode: MarketplaceMode = .test
        ) {
            self.id = id
            self.name = name
            self.wallets = wallets
            self.profile = profile
            self.mode = mode
        }
    }

    /// All of them, by id.
    package static func all(in session: any Session) throws(SQLError) -> [Marketplace] {
        try read(session.rows("SELECT * FROM marketplace ORDER BY id"))
    }

    /// The statement that ``read(_:)`` needs the answer of, for one.
    package static func named(_ id: String) -> SQL { "SELECT * FROM marketplace WHERE id = \(id)" }

    /// Locks a marketplace's row until the transaction ends, before anything of its directory is read that is written back:
    /// merchants, PSP accounts, endpoints and their secrets.
    ///
    /// It comes before every other lock of the transaction. Orders are placed without it.
    package static func lock(_ id: String, in session: any Session) throws(SQLError) {
        _ = try session.rows("SELECT id FROM marketplace WHERE id = \(id) \(unsafeText: session.dialect.lock)")
    }

    /// Makes tenants of the answer.
    package static func read(_ rows: [Row]) throws(SQLError) -> [Marketplace] {
        var all: [Marketplace] = []
        for row in rows {
            all.append(
                Marketplace(
                    id: try row.text("id"),
                    name: try row.text("name"),
                    wallets: try WalletAccess(text: try row.text("wallets")),
                    profile: try BusinessProfile(text: try row.text("profile")),
                    mode: try MarketplaceClock(row).mode
                )
            )
        }
        return all
    }

    /// Writes one, new or changed; the mode of one that is there stays.
    package static func save(
        _ marketplace: Marketplace,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO marketplace (id, name, wallets, profile, created_at, clock_ahead)
            VALUES (\(marketplace.id), \(marketplace.name), \(marketplace.wallets.text), \(marketplace.profile.text),
                \(now), \(marketplace.mode == .live ? Int64?.none : 0))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, wallets = excluded.wallets, profile = excluded.profile
            """
        )
    }
}

extension WalletAccess {
    /// The access as JSON text, for one column.
    var text: String {
        JSON.object(omittingAbsent: [
            "apple_pay": applePay?.document, "google_pay": googlePay?.document, "wallet_orders": orders?.document,
        ]).text
    }

    /// Reads access back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)`.
    init(text: String) throws(SQLError) {
        guard let document = try? JSON.parse(text: text) else { throw .unexpectedValue(column: "wallets") }
        self.init(
            applePay: try document["apple_pay"].map { json throws(SQLError) in try ApplePay(document: json) },
            googlePay: try document["google_pay"].map { json throws(SQLError) in try GooglePay(document: json) },
            orders: try document["wallet_orders"].map { json throws(SQLError) in try Orders(document: json) }
        )
    }
}

extension WalletAccess.KeyPair {
    fileprivate var document: JSON { ["certificate": .string(certificate), "key": .string(key)] }

    fileprivate init(document: JSON) throws(SQLError) {
        guard let certificate = document["certificate"]?.stringValue, let key = document["key"]?.stringValue else {
            throw .unexpectedValue(column: "wallets")
        }
        self.init(certificate: certificate, key: key)
    }
}

extension WalletAccess.ApplePay {
    fileprivate var document: JSON {
        .object(omittingAbsent: [
            "processing": .array(processing.map(\.document)), "identity": identity?.document,
            "environment": .string(environment.rawValue), "window_ms": windowMilliseconds.map(JSON.integer),
            "root": root.map(JSON.string), "domain_association": domainAssociation.map(JSON.string),
            "session_url": sessionURL.map(JSON.string),
            "session_authorities": sessionAuthorities.map(JSON.string),
        ])
    }

    fileprivate init(document: JSON) throws(SQLError) {
        guard let environment = document["environment"]?.stringValue.flatMap(Environment.init(rawValue:)) else {
            throw .unexpectedValue(column: "wallets")
        }
        var processing: [WalletAccess.KeyPair] = []
        for pair in document["processing"]?.arrayValue ?? [] {
            processing.append(try WalletAccess.KeyPair(document: pair))
        }
        self.init(
            processing: processing,
            identity: try document["identity"].map { json throws(SQLError) in try WalletAccess.KeyPair(document: json)
            },
            environment: environment,
            windowMilliseconds: document["window_ms"]?.integerValue,
            root: document["root"]?.stringValue,
            domainAssociation: document["domain_association"]?.stringValue,
            sessionURL: document["session_url"]?.stringValue,
            sessionAuthorities: document["session_authorities"]?.stringValue
        )
    }
}

extension WalletAccess.GooglePay {
    fileprivate var document: JSON {
        .object(omittingAbsent: [
            "recipient": .string(recipient), "gateway_merchant_id": gatewayMerchantID.map(JSON.string),
            "keys": .strings(keys), "roots": .string(roots),
        ])
    }

    fileprivate init(document: JSON) throws(SQLError) {
        guard let recipient = document["recipient"]?.stringValue, let roots = document["roots"]?.stringValue,
            let keys = document["keys"]?.arrayValue
        else { throw .unexpectedValue(column: "wallets") }
        self.init(
            recipient: recipient,
            gatewayMerchantID: document["gateway_merchant_id"]?.stringValue,
            keys: keys.compactMap(\.stringValue),
            roots: roots
        )
    }
}

extension WalletAccess.Orders {
    fileprivate var document: JSON {
        .object(omittingAbsent: [
            "type": .string(type), "identity": identity.document, "intermediates": .strings(intermediates),
            "merchant_identifier": .string(merchantIdentifier), "logo": .string(logo),
            "management_url": .string(managementURL), "web_service_url": .string(webServiceURL),
            "push_url": pushURL.map(JSON.string), "push_authorities": pushAuthorities.map(JSON.string),
            "provider": provider?.document,
        ])
    }

    fileprivate init(document: JSON) throws(SQLError) {
        func text(_ key: String) throws(SQLError) -> String {
            guard let text = document[key]?.stringValue else { throw .unexpectedValue(column: "wallets") }
            return text
        }
        self.init(
            type: try text("type"),
            identity: try WalletAccess.KeyPair(document: document["identity"] ?? .null),
            intermediates: (document["intermediates"]?.arrayValue ?? []).compactMap(\.stringValue),
            merchantIdentifier: try text("merchant_identifier"),
            logo: try text("logo"),
            managementURL: try text("management_url"),
            webServiceURL: try text("web_service_url"),
            pushURL: document["push_url"]?.stringValue,
            pushAuthorities: document["push_authorities"]?.stringValue,
            provider: try document["provider"].map { json throws(SQLError) in try Provider(document: json) }
        )
    }
}

extension WalletAccess.Orders.Provider {
    fileprivate var document: JSON {
        [
            "display_name": .string(displayName), "url": .string(url), "logo_light": .string(logoLight),
            "logo_dark": .string(logoDark),
        ]
    }

    fileprivate init(document: JSON) throws(SQLError) {
        guard let name = document["display_name"]?.stringValue, let url = document["url"]?.stringValue,
            let light = document["logo_light"]?.stringValue, let dark = document["logo_dark"]?.stringValue
        else { throw .unexpectedValue(column: "wallets") }
        self.init(displayName: name, url: url, logoLight: light, logoDark: dark)
    }
}

/// PSP accounts.
///
/// Their credentials are references; the credentials themselves are never stored.
package enum PSPAccountTable {
    /// Each account with its marketplace's clock, by which its mode is known.
    private static let accounts: SQL =
        "SELECT a.*, m.clock_ahead AS clock_ahead FROM psp_account AS a JOIN marketplace AS m ON m.id = a.marketplace"

    /// The statement that ``read(_:)`` needs the answer of, for all accounts of a marketplace.
    package static func all(of marketplace: String) -> SQL {
        "\(accounts) WHERE a.marketplace = \(marketplace) ORDER BY a.id"
    }

    /// Makes accounts of the answer.
    package static func read(_ rows: [Row]) throws(SQLError) -> [PSPAccount] {
        var accounts: [PSPAccount] = []
        for row in rows {
            var credentials: [String: String] = [:]
            let document = try? JSON.parse(text: try row.text("credentials"))
            for member in document?.objectValue ?? [] { credentials[member.key] = member.value.stringValue }
            accounts.append(
                PSPAccount(
                    marketplace: try row.text("marketplace"),
                    id: try row.text("id"),
                    psp: try row.text("psp"),
                    baseURL: try row.text("base_url"),
                    credentials: credentials,
                    status: try row.word("status"),
                    updatedAt: try row.time("updated_at"),
                    mode: try MarketplaceClock(row).mode
                )
            )
        }
        return accounts
    }

    /// The account with that name.
    package static func find(
        _ id: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> PSPAccount? {
        try read(session.rows("\(accounts) WHERE a.marketplace = \(marketplace) AND a.id = \(id)")).first
    }

    /// The accounts with that name at a PSP, one a marketplace at most.
    package static func find(_ id: String, at psp: String, in session: any Session) throws(SQLError) -> [PSPAccount] {
        try read(
            session.rows("\(accounts) WHERE a.id = \(id) AND a.psp = \(psp) ORDER BY a.marketplace")
        )
    }

    /// Writes down whether an account takes new payments, and nothing else of it.
    package static func setStatus(
        _ status: Merchant.Status,
        of id: String,
        _ marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE psp_account SET status = \(status.rawValue), updated_at = \(now)
            WHERE marketplace = \(marketplace) AND id = \(id)
            """
        )
    }

    /// Writes an account, new or changed.
    package static func save(_ account: PSPAccount, in session: any Session) throws(SQLError) {
        let references = JSON.object(
            account.credentials.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }
        )
        try session.run(
            """
            INSERT INTO psp_account (marketplace, id, psp, base_url, credentials, status, updated_at)
            VALUES (\(account.marketplace), \(account.id), \(account.psp), \(account.baseURL), \(references.text),
                \(account.status.rawValue), \(account.updatedAt))
            ON CONFLICT (marketplace, id) DO UPDATE SET psp = excluded.psp, base_url = excluded.base_url,
                credentials = excluded.credentials, status = excluded.status, updated_at = excluded.updated_at
            """
        )
    }
}
