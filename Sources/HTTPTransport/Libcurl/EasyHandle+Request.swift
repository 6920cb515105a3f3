import CCurl

/// How a request becomes options of libcurl.
extension EasyHandle {
    /// Sets everything but the callbacks.
    ///
    /// - Throws: `refusedHeader` or `transportFault`.
    mutating func write(_ request: HTTPRequest, to target: Target) throws(TransportFailure) {
        try set(CURLOPT_URL, request.url)
        try setHeaders(HeaderLines.lines(for: request.headers))
        try writeMethodAndBody(of: request)
        try restrict(to: target)
        try writeTimeLimits(of: request)
        try writeConnection(of: request, to: target)
        try writeTrust(of: request)
        if !request.nameAnswers.isEmpty { try setNameAnswers(request.nameAnswers) }
    }

    private func writeMethodAndBody(of request: HTTPRequest) throws(TransportFailure) {
        if request.method.alwaysHasBody || !request.body.isEmpty {
            try set(CURLOPT_POST, 1)
            try setBody(request.body)
        } else {
            try set(CURLOPT_HTTPGET, 1)
        }
        try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }

    /// One protocol, no redirects, no proxy whatever the environment says, no credentials from files.
    private func restrict(to target: Target) throws(TransportFailure) {
        try set(CURLOPT_PROTOCOLS_STR, target.isPlain ? "http" : "https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NOPROXY, "*")
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_HTTP09_ALLOWED, 0)
    }

    /// The transport's thread keeps the total time itself, because libcurl starts its clock later.
    ///
    /// Without `QUICK_EXIT`, giving up while a name is being looked up would wait for the look-up, and every other
    /// transfer with it. (libcurl then leaves the look-up's thread to end and free its memory by itself.)
    private func writeTimeLimits(of request: HTTPRequest) throws(TransportFailure) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_TIMEOUT_MS, TimeLimits.clamped(request.totalTimeoutMilliseconds))
        try set(CURLOPT_CONNECTTIMEOUT_MS, TimeLimits.clamped(request.connectTimeoutMilliseconds))
    }

    private func writeConnection(of request: HTTPRequest, to target: Target) throws(TransportFailure) {
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        if request.connectsOnly { try set(CURLOPT_CONNECT_ONLY, 1) }
        let isAlone = request.freshConnection || request.connectsOnly || target.addressGuard != nil
        try set(CURLOPT_FRESH_CONNECT, isAlone ? 1 : 0)
        try set(CURLOPT_FORBID_REUSE, isAlone ? 1 : 0)
        // In HTTP/2 a peer may refuse a stream, and libcurl would send the request again even if its connection is new.
        try set(CURLOPT_HTTP_VERSION, isAlone || target.isPlain ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
    }

    private func writeTrust(of request: HTTPRequest) throws(TransportFailure) {
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if let authorities = request.trustedAuthorities {
            try set(CURLOPT_CAINFO, orBlob: CURLOPT_CAINFO_BLOB, authorities)
        }
        if let identity = request.clientIdentity {
            try set(CURLOPT_SSLCERT, orBlob: CURLOPT_SSLCERT_BLOB, identity.certificate)
            try set(CURLOPT_SSLKEY, orBlob: CURLOPT_SSLKEY_BLOB, identity.key)
            // Without a passphrase OpenSSL would ask for that of an encrypted key at the terminal.
            try set(CURLOPT_KEYPASSWD, "")
        }
    }
}

/// A request's header fields in the notation of `CURLOPT_HTTPHEADER`.
enum HeaderLines {
    /// Fields that say how the message is framed: the transport writes them, or leaves them out.
    private static let ownNames: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Fields that libcurl would add by itself; a line without a value keeps it from doing so.
    private static let unwantedNames = ["Accept", "Content-Type", "Expect"]

    /// Checks the fields and writes them, those that libcurl must not add at the end.
    ///
    /// - Throws: `refusedHeader`, which names a field only if its name is one.
    static func lines(for headers: [HTTPHeader]) throws(TransportFailure) -> [String] {
        var lines: [String] = []
        var names: Set<String> = []
        for header in headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(isTokenByte) else {
                throw refusal("a header field's name is not one")
            }
            guard !ownNames.contains(header.name.lowercased()) else {
                throw refusal("the header field \(header.name) is the transport's to write")
            }
            guard header.value.utf8.allSatisfy(isValueByte) else {
                throw refusal("the value of the header field \(header.name) holds a control character")
            }
            names.insert(header.name.lowercased())
            // libcurl reads "Name:" as "leave it out" and "Name;" as "send it empty".
            let isBlank = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(isBlank ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        return lines + unwantedNames.filter { !names.contains($0.lowercased()) }.map { "\($0):" }
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isValueByte(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }

    private static func refusal(_ message: String) -> TransportFailure {
        TransportFailure(.refusedHeader, message, mayHaveArrived: false)
    }
}
