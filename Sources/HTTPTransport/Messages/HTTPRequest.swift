/// One HTTP call to make.
///
/// The transport sends what stands here and adds only `Host` and `Content-Length`. Its description names the method
/// and the URL without the query; headers and body may hold secrets.
package struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The method.
    package var method: HTTPMethod
    /// The whole URL: `https`, or `http` where ``allowPlainHTTPToLoopback`` says so.
    package var url: String
    /// Header fields in the order they are sent.
    package var headers: [HTTPHeader]
    /// The body; empty for none.
    package var body: [UInt8]
    /// How long resolving, connecting and the TLS handshake may take together, in milliseconds.
    package var connectTimeoutMilliseconds: Int = 10_000
    /// How long all of it may take, waiting for a free place included, in milliseconds.
    package var totalTimeoutMilliseconds: Int = 60_000
    /// When it is too late to begin with it; nil for never.
    ///
    /// From then on not a byte of it begins to be sent: while it waits for a place or connects it ends as
    /// `launchTimePassed`. What has begun by then goes on.
    package var sendBefore: ContinuousClock.Instant?
    /// Whose connections it uses up, for example those of a PSP account; nil for nobody's.
    ///
    /// Requests with the same text here share the limits per bulkhead, whatever hosts they go to.
    package var bulkhead: String?
    /// The longest body of a reply that is taken, in bytes.
    package var replyLimitBytes: Int = 1_048_576
    /// Whether a longer body is cut there and the rest not waited for, where its status is all that counts.
    ///
    /// Otherwise such a reply is a failure, `replyTooLarge`.
    package var cutsLongReply: Bool = false
    /// Whether to open a connection for this request alone and close it afterwards.
    ///
    /// libcurl silently sends a request again when a reused connection turns out to be closed, even though the peer
    /// may have acted on it. On a fresh connection it never does, so this is for requests that have no replay-safe
    /// key. Such a connection speaks HTTP/1.1, because a peer may ask for a repetition in HTTP/2.
    package var freshConnection: Bool = false
    /// What to show a server that asks for a client certificate.
    package var clientIdentity: ClientIdentity?
    /// The certificate authorities to trust instead of the system's.
    package var trustedAuthorities: PEM?
    /// Whether `http` is accepted where the host is `localhost` or a literal loopback address.
    ///
    /// It says nothing for a vetted destination, whose policy does.
    package var allowPlainHTTPToLoopback: Bool = false
    /// Who chose the URL, and so what is checked.
    package var destination: Destination = .trusted
    /// What hosts resolve to, in the notation of `CURLOPT_RESOLVE`, without asking; only tests name some.
    package var nameAnswers: [String] = []

    /// Whether the connection is all that is wanted: the reply then has the status zero.
    var connectsOnly = false

    /// Makes a request with the timeouts and limits of an ordinary call.
    package init(_ method: HTTPMethod, _ url: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Method and URL, without the query.
    package var description: String { "\(method.rawValue) \(url.prefix { $0 != "?" && $0 != "#" })" }

    /// No children: headers and body may hold secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The methods this transport sends.
package enum HTTPMethod: String, Hashable, Sendable {
    /// Reads.
    case get = "GET"
    /// Creates or acts.
    case post = "POST"
    /// Replaces.
    case put = "PUT"
    /// Changes.
    case patch = "PATCH"
    /// Removes.
    case delete = "DELETE"

    /// Whether a request has a body even when it is empty, so that `Content-Length: 0` is sent.
    var alwaysHasBody: Bool {
        switch self {
        case .post, .put, .patch: true
        case .get, .delete: false
        }
    }
}

/// The certificate and private key that this side shows to a server which asks for them.
package struct ClientIdentity: Hashable, Sendable {
    /// The certificate, followed by its intermediates if there are any.
    package let certificate: PEM
    /// The certificate's private key, not encrypted.
    package let key: PEM

    /// Pairs a certificate with its key; a pair that does not match fails as `tlsFailed` when it is first used.
    package init(certificate: PEM, key: PEM) {
        self.certificate = certificate
        self.key = key
    }
}

/// Certificates or a key in PEM, which is text between `BEGIN` and `END` lines.
package enum PEM: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The path of a file, read anew for each connection.
    case file(String)
    /// The text's bytes.
    case bytes([UInt8])

    /// The path, or only the number of bytes: they may be a private key.
    package var description: String {
        switch self {
        case .file(let path): "PEM file \(path)"
        case .bytes(let bytes): "PEM, \(bytes.count) bytes"
        }
    }

    /// No children, so that `dump` shows no key.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
