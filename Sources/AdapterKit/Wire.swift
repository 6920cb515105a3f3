/// An HTTP request as an adapter writes it: values only, so that tests compare it.
///
/// Its descriptions name the method and the URL without the query; headers and body may hold secrets.
public struct WireRequest: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The HTTP methods that PSPs use.
    public enum Method: String, Sendable {
        /// Reads.
        case get = "GET"
        /// Creates or acts.
        case post = "POST"
        /// Replaces.
        case put = "PUT"
        /// Removes.
        case delete = "DELETE"
    }

    /// The method.
    public var method: Method
    /// The whole URL.
    public var url: String
    /// Header fields in the order they are sent.
    public var headers: [Header]
    /// The body; empty for none.
    public var body: [UInt8]
    /// Whether this request can move or hold money.
    ///
    /// If a request that cannot fails, the operation is not sent.
    public var canMoveMoney: Bool
    /// Whether the path names a stored method, so that no description shows it.
    public var hidesPath = false

    /// Makes a request.
    public init(
        _ method: Method,
        _ url: String,
        headers: [Header] = [],
        body: [UInt8] = [],
        canMoveMoney: Bool
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.canMoveMoney = canMoveMoney
    }

    /// Method and URL, without the query, and without the path where that is hidden.
    public var description: String {
        guard hidesPath else { return "\(method.rawValue) \(url.prefix { $0 != "?" })" }
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return "\(method.rawValue) \(parts.prefix(3).joined(separator: "/"))/\u{2026}"
    }

    /// The same request, whose path no description shows.
    public var withHiddenPath: WireRequest {
        var request = self
        request.hidesPath = true
        return request
    }
    /// No children: headers and body may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// An HTTP reply as it came.
public struct WireReply: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The HTTP status.
    public var status: Int
    /// Header fields as they came.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// Makes a reply.
    public init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the first field with that name, compared without regard to case; nil if it is not ASCII.
    public func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }.flatMap { $0.isASCII ? $0.value : nil }
    }

    /// Whether it says that its body is JSON.
    public var isJSON: Bool { header("Content-Type")?.lowercased().hasPrefix("application/json") ?? false }

    /// Status and size.
    public var description: String { "HTTP \(status), \(body.count) bytes" }
    /// No children: the body may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A header field.
public struct Header: Hashable, Sendable {
    /// The field's name.
    public var name: String
    /// The field's value.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this is the field's name, compared byte by byte without regard to the case of ASCII letters.
    func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count && name.utf8.elementsEqual(other.utf8) { Self.small($0) == Self.small($1) }
    }

    /// Whether the value has nothing but ASCII; the rest is opaque (RFC 9110 section 5.5).
    var isASCII: Bool { value.utf8.allSatisfy { $0 < 0x80 } }

    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
