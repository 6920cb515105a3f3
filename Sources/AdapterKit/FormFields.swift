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
        encoded += "\(Self.percentEncoded(name))=\(Self.percentEncoded(value))"
    }

    /// Adds a field with an integer; nil adds nothing.
    public mutating func append(_ name: String, _ value: Int64?) { append(name, value.map { String($0) }) }

    /// Adds a field with `true` or `false`.
    public mutating func append(_ name: String, _ value: Bool) { append(name, value ? "true" : "false") }

    /// The body.
    public var bytes: [UInt8] { Array(encoded.utf8) }

    /// How long it is.
    public var description: String { "form of \(encoded.utf8.count) bytes" }
    /// No children: values may be secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The text with everything but RFC 3986's unreserved characters percent-encoded, for a field, a query or one
    /// segment of a path.
    public static func percentEncoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
