/// What became of a request.
package enum HTTPResult: Hashable, Sendable {
    /// A whole reply came.
    case reply(HTTPReply)
    /// None came, or not a whole one.
    case failure(TransportFailure)
}

/// A whole reply as it came, whatever its status.
package struct HTTPReply: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The HTTP status, 200 to 599 from a server that keeps to the standard.
    package let status: Int
    /// Header fields as they came; neither those of an interim reply nor trailers are among them.
    package let headers: [HTTPHeader]
    /// The body, not decoded.
    ///
    /// In HTTP/1 a body with neither a length nor chunks ends with the connection, and cannot be told from one that
    /// was cut off.
    package let body: [UInt8]

    /// Makes a reply.
    package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the first field with that name, compared without regard to case.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// Status and size.
    package var description: String { "HTTP \(status), \(body.count) bytes" }

    /// No children: the body may hold secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A header field.
package struct HTTPHeader: Hashable, Sendable {
    /// The field's name, compared without regard to case.
    package let name: String
    /// The field's value.
    package let value: String

    /// Makes a field; whether it may be sent is checked when it is.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
