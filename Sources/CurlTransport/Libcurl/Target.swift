import CCurl

/// Where a request goes, once it is certain that it may go there.
struct Target: Hashable {
    let origin: Origin
    let isPlain: Bool

    /// Checks a request's URL.
    ///
    /// - Throws: `refusedURL`.
    init(of request: HTTPRequest) throws(TransportFailure) {
        guard let parts = URLParts() else {
            throw TransportFailure(.transportFault, "libcurl has no memory for a URL", mayHaveArrived: false)
        }
        guard parts.read(request.url), let scheme = parts.part(CURLUPART_SCHEME)?.lowercased(),
            let host = parts.part(CURLUPART_HOST)?.lowercased(), let port = parts.part(CURLUPART_PORT)
        else { throw Self.refusal("the URL cannot be read") }
        guard parts.part(CURLUPART_USER) == nil, parts.part(CURLUPART_PASSWORD) == nil else {
            throw Self.refusal("the URL holds a user name or a password")
        }
        switch scheme {
        case "https": isPlain = false
        case "http" where request.allowPlainHTTPToLoopback && Self.isLoopback(host): isPlain = true
        case "http": throw Self.refusal("plain http is not allowed to this host")
        default: throw Self.refusal("only https is allowed")
        }
        origin = Origin(host: host, port: port)
    }

    /// `localhost` (which libcurl never looks up) and literal addresses; another name could resolve to anything.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
    }

    private static func refusal(_ message: String) -> TransportFailure {
        TransportFailure(.refusedURL, message, mayHaveArrived: false)
    }
}
