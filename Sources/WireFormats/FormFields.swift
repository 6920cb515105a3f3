/// The fields of a form (`application/x-www-form-urlencoded`) in the order they are sent.
///
/// Its descriptions say only how long it is; values may be secrets. Everything but the unreserved characters of
/// RFC 3986 is percent-encoded, a space included, so that the same text serves as a body and as a query.
public struct FormFields: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The media type of the body, for the `Content-Type` header.
    public static let contentType = "application/x-www-form-urlencoded"

    /// The fields as they are sent: `name=value&name=value`.
    public private(set) var encoded = ""

    /// Makes a form without fields.
    public init() {}

    /// Adds a field; nil adds nothing.
    public mutating func append(_ name: String, _ value: String?) {
        guard let value else { return }
        if !encoded.isEmpty { encoded += "&" }
        encoded += "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    }

    /// Adds a field with an integer; nil adds nothing.
    public mutating func append(_ name: String, _ value: Int64?) { append(name, value.map { String($0) }) }

    /// Adds a field with `true` or `false`.
    public mutating func append(_ name: String, _ value: Bool) { append(name, value ? "true" : "false") }

    /// The text as a field, a query or one segment of a path has it; see ``PercentEncoding/encode(_:)``.
    public static func percentEncoded(_ text: String) -> String { PercentEncoding.encode(text) }

    /// The body.
    public var bytes: [UInt8] { Array(encoded.utf8) }

    /// How long it is.
    public var description: String { "form of \(encoded.utf8.count) bytes" }
    /// No children: values may be secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
