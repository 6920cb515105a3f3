public import Domain

/// What an adapter needs to know of one PSP account.
public struct AdapterSettings: Hashable, Sendable {
    /// The account's name in our configuration.
    public var account: String
    /// The PSP's base URL without a trailing slash.
    public var baseURL: String
    /// The account's credentials by name, for example `secret_key`.
    public var credentials: [String: Secret]

    /// Makes settings; a trailing slash of the base URL is dropped.
    public init(account: String, baseURL: String, credentials: [String: Secret]) {
        self.account = account
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.credentials = credentials
    }

    /// The credential with that name.
    ///
    /// - Throws: ``SettingsError/missingCredential(_:)`` if there is none or it is empty.
    public func credential(_ name: String) throws(SettingsError) -> Secret {
        guard let secret = credentials[name], !secret.reveal().isEmpty else { throw .missingCredential(name) }
        return secret
    }

    /// The credential that webhooks are verified with.
    public static let webhookSecret = "webhook_secret"

    /// The secrets in the credential ``webhookSecret``, none if it is not there.
    ///
    /// Several, separated by commas, all count: during a rotation, or where a PSP has several endpoints for one
    /// account, each with its own. White space around them, such as a file's last line break, is dropped.
    public var webhookSecrets: [Secret] {
        let text = credentials[Self.webhookSecret]?.reveal() ?? ""
        return text.split(separator: ",").compactMap { part in
            let start = part.drop(while: \.isWhitespace)
            guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
            return Secret(String(start[...end]))
        }
    }

    /// The mode by the base URL's host; nil for any other host, such as a proxy's or this machine.
    ///
    /// - Parameters:
    ///   - test: how hosts of the PSP's test world end.
    ///   - live: how hosts of its live one end; looked at behind those.
    /// - Returns: the mode.
    public func mode(test: String, live: String...) -> MarketplaceMode? {
        guard let host else { return nil }
        func ends(_ end: String) -> Bool {
            host == end || host.hasSuffix(end.hasPrefix("-") ? end : "." + end)
        }
        return ends(test) ? .test : live.contains(where: ends) ? .live : nil
    }

    /// The base URL's host in lower case, without the dot that a fully qualified name may end with; nil unless it is https.
    private var host: String? {
        let url = baseURL.lowercased()
        guard url.hasPrefix("https://") else { return nil }
        let authority = url.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        // RFC 3986 section 3.2: user information before `@`, a port behind `:`.
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let host = place.prefix { $0 != ":" }
        return String(host.hasSuffix(".") ? host.dropLast() : host)
    }

    /// Refuses a base URL that is neither https nor plain http to the loopback interface.
    ///
    /// - Throws: ``SettingsError/insecureBaseURL(_:)``.
    public func requireSecureBaseURL() throws(SettingsError) {
        if baseURL.hasPrefix("https://") && baseURL.utf8.count > 8 { return }
        let authority = baseURL.dropFirst("http://".count).prefix { $0 != "/" }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        let isLoopback = host == "localhost" || host == "[::1]" || host == "127.0.0.1"
        guard baseURL.hasPrefix("http://"), isLoopback, !authority.contains("@") else {
            throw .insecureBaseURL(baseURL)
        }
    }
}

/// Why a PSP account's settings will not do.
public enum SettingsError: Error, Hashable, Sendable {
    /// The credential with that name is missing or empty, or is nothing of the kind.
    case missingCredential(String)
    /// The base URL is neither https nor plain http to the loopback interface.
    case insecureBaseURL(String)
}
