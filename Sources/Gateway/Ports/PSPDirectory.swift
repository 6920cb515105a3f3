package import AdapterKit
package import Domain
package import SQL
import Storage
import Synchronization

/// Finds the adapter of a PSP account.
package final class PSPDirectory: Sendable {
    /// Makes an adapter for one account.
    package typealias Factory = @Sendable (AdapterSettings) throws(SettingsError) -> any PaymentAdapter

    /// A PSP that this build has an adapter for.
    package struct PSP: Sendable {
        /// What it can do.
        package let capabilities: Capabilities
        /// Whether it tells things on its own, by webhook.
        package let hearsWebhooks: Bool
        /// The longest webhook it sends, in bytes.
        package let webhookLimitBytes: Int
        /// Whether it can be asked for all that happened at an account, and how far back.
        package let listing: Listing
        /// Whether an account is a test one or a live one, as far as its settings tell.
        package let mode: @Sendable (AdapterSettings) -> MarketplaceMode?
        /// Makes an adapter.
        package let make: Factory

        /// How far back a PSP lists what happened.
        package enum Listing: Hashable, Sendable {
            /// It lists nothing.
            case none
            /// As far as it knows.
            case all
            /// So many milliseconds.
            case recent(milliseconds: Int64)
        }

        /// Takes what an adapter can do, and how one is made.
        package init(
            capabilities: Capabilities,
            hearsWebhooks: Bool = false,
            mode: @escaping @Sendable (AdapterSettings) -> MarketplaceMode? = { _ in nil },
            make: @escaping Factory
        ) {
            self.mode = mode
            self.capabilities = capabilities
            self.hearsWebhooks = hearsWebhooks
            webhookLimitBytes = hearsWebhooks ? IncomingWebhook.bodyLimitBytes : 0
            listing = .none
            self.make = make
        }

        /// Takes an adapter type.
        package init<Adapter: PaymentAdapter>(_ type: Adapter.Type) {
            capabilities = Adapter.capabilities
            let listener = Adapter.self as? any WebhookListener.Type
            hearsWebhooks = listener != nil
            webhookLimitBytes = listener.map { $0.webhookBodyLimitBytes } ?? 0
            listing = (Adapter.self as? any ActivityListing.Type).map { Listing(of: $0) } ?? .none
            mode = { settings in Adapter.mode(of: settings) }
            make = { settings throws(SettingsError) in try Adapter(settings: settings) }
        }
    }

    private struct Entry {
        let updatedAt: Timestamp
        let adapter: any PaymentAdapter
    }

    /// The PSPs by name.
    package let psps: [String: PSP]
    private let database: any Database
    private let resolve: @Sendable (String) throws -> Secret
    private let cache = Mutex<[String: Entry]>([:])

    /// Makes a directory.
    ///
    /// - Parameters:
    ///   - psps: the PSPs that this build has adapters for, by name.
    ///   - database: where the accounts are.
    ///   - resolve: turns a reference to a secret, for example `env:NAME`, into the secret.
    package init(
        psps: [String: PSP],
        database: any Database,
        resolve: @escaping @Sendable (String) throws -> Secret
    ) {
        self.psps = psps
        self.database = database
        self.resolve = resolve
    }

    /// What each PSP can do, by name.
    package var capabilities: [String: Capabilities] { psps.mapValues(\.capabilities) }

    /// The adapter of an account, if it was made since the account last changed.
    package func cached(_ account: String, of marketplace: String) -> (any PaymentAdapter)? {
        cache.withLock { $0[marketplace + "/" + account]?.adapter }
    }

    /// Has the adapter of an account be made anew when it is needed next, from its secrets as they are then.
    func forget(_ account: String, of marketplace: String) {
        cache.withLock { $0[marketplace + "/" + account] = nil }
    }

    /// The adapter of an account.
    ///
    /// - Throws: `SQLError`, ``PSPDirectoryError``, also if the account is of another mode than its marketplace, or what
    ///   resolving a secret throws.
    package func adapter(for account: String, of marketplace: String) async throws -> any PaymentAdapter {
        if let adapter = cached(account, of: marketplace) { return adapter }
        let found = try await database.read { session in
            try PSPAccountTable.find(account, of: marketplace, in: session)
        }
        guard let found else { throw PSPDirectoryError.unknownAccount(account) }
        return try adapter(for: found)
    }

    /// The adapter of an account as just read; made anew if the account has changed.
    package func adapter(for account: PSPAccount) throws -> any PaymentAdapter {
        let name = account.marketplace + "/" + account.id
        if let entry = cache.withLock({ $0[name] }), entry.updatedAt == account.updatedAt { return entry.adapter }
        guard let psp = psps[account.psp] else { throw PSPDirectoryError.unknownPSP(account.psp) }
        let settings = AdapterSettings(
            account: account.id,
            baseURL: account.baseURL,
            credentials: try account.credentials.mapValues(resolve)
        )
        if let mode = psp.mode(settings), mode != account.mode {
            throw PSPDirectoryError.otherMode(account.id, mode)
        }
        let adapter = try psp.make(settings)
        cache.withLock { $0[name] = Entry(updatedAt: account.updatedAt, adapter: adapter) }
        return adapter
    }
}

extension PSPDirectory.PSP.Listing {
    fileprivate init(of lister: any ActivityListing.Type) {
        self = lister.activityReachMilliseconds.map { .recent(milliseconds: $0) } ?? .all
    }
}

/// Why there is no adapter for an account.
package enum PSPDirectoryError: Error, Hashable, Sendable {
    /// No account has that name.
    case unknownAccount(String)
    /// This build has no adapter for that PSP.
    case unknownPSP(String)
    /// The account is a live one and its marketplace a test one, or the other way round; with the account's mode.
    case otherMode(String, MarketplaceMode)
}

extension PSPDirectoryError {
    /// What is wrong with an account of another mode than its marketplace, and the two ways out, in one sentence.
    package static func sentence(aboutAccountOf mode: MarketplaceMode) -> String {
        switch mode {
        case .live: "it is a live account, and the marketplace is in test mode: declare a test account"
        case .test: "it is a test account, and the marketplace is in live mode: declare a live account"
        }
    }
}
