import CCurl

/// Where a request goes, once it is certain that it may go there.
struct Target: Hashable {
    let origin: Origin
    let isPlain: Bool
    /// What looks at each address before it is connected to; nil where every one will do.
    let addressGuard: AddressGuard?

    /// Checks a request's URL.
    ///
    /// - Throws: `refusedURL`, or `refusedAddress` where the URL of a vetted destination holds the address.
    init(of request: HTTPRequest) throws(TransportFailure) {
        let vetted = try Self.vet(request)
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
        case "http" where vetted?.url.isPlain == true: isPlain = true
        case "http" where vetted == nil && request.allowPlainHTTPToLoopback && Self.isLoopback(host): isPlain = true
        case "http": throw Self.refusal("plain http is not allowed to this host")
        default: throw Self.refusal("only https is allowed")
        }
        origin = Origin(host: host, port: port)
        addressGuard = vetted?.addressGuard
        if let vetted { try Self.require(libcurlReads: origin, isPlain: isPlain, as: vetted.url) }
    }

    private static func vet(
        _ request: HTTPRequest
    ) throws(TransportFailure) -> (url: VettedURL, addressGuard: AddressGuard)? {
        guard case .vetted(let policy) = request.destination else { return nil }
        do throws(DestinationRefusal) {
            let url = try VettedURL(request.url, under: policy)
            return (url, AddressGuard(policy, isPlain: url.isPlain))
        } catch {
            throw error.failure
        }
    }

    /// A second reader's opinion: libcurl is to connect to what was vetted.
    private static func require(
        libcurlReads origin: Origin,
        isPlain: Bool,
        as vetted: VettedURL
    ) throws(TransportFailure) {
        let host = try? VettedHost(origin.host[...])
        guard host == vetted.host, origin.port == String(vetted.port), isPlain == vetted.isPlain else {
            throw DestinationRefusal.host.failure
        }
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

/// A host and port: what limits per host count by.
struct Origin: Hashable {
    let host: String
    let port: String
}

/// A URL as libcurl itself reads it, so that what is checked is what is connected to.
@safe struct URLParts: ~Copyable {
    private let raw: OpaquePointer

    /// Nil only for want of memory.
    init?() {
        guard let raw = unsafe curl_url() else { return nil }
        unsafe self.raw = raw
    }

    deinit { unsafe curl_url_cleanup(raw) }

    /// Whether `url` is one, with a scheme.
    func read(_ url: String) -> Bool {
        guard !url.utf8.contains(0) else { return false }
        return unsafe curl_url_set(raw, CURLUPART_URL, url, 0) == CURLUE_OK
    }

    /// A part of the URL read last; the port of a URL without one is its scheme's.
    func part(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(raw, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
