package import StrictJSON
import WireFormats

/// A request as a dialect reads it.
package struct PSPRequest: Sendable {
    /// The segments that vary, by the name that the route gives them.
    package var parameters: [String: String] = [:]
    /// The fields of the query, decoded, in their order.
    package var query: [(name: String, value: String)] = []
    /// The fields of the head, in their order.
    package var headers: [(name: String, value: String)] = []
    /// The body.
    package var body: [UInt8] = []
    /// The path.
    package var path: String
    /// Where the sender reached the simulator, so that links work from where they are read.
    package var origin: String

    /// Makes a request without fields and body.
    package init(path: String, origin: String) {
        self.path = path
        self.origin = origin
    }

    /// The segment of that name; empty if the route has none.
    package func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// The first field of the query with that name.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The first field of the head with that name, whatever its case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// What stands behind `Authorization: Bearer`.
    package var bearer: String? { credentials(scheme: "Bearer") }

    /// The user and password of `Authorization: Basic` (RFC 7617).
    package var basic: (user: String, password: String)? {
        guard let encoded = credentials(scheme: "Basic"), let text = Base64.decode(encoded) else { return nil }
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    }

    /// The body as JSON.
    ///
    /// - Throws: ``Refusal`` if it is none.
    package func json() throws(Refusal) -> JSON {
        do throws(JSONRefusal) {
            return try JSON.parse(body, depthLimit: 16)
        } catch {
            throw .invalid("The body is not JSON: \(error.reason.rawValue).")
        }
    }

    /// The idempotency key in a field of the head; nil if there is none.
    ///
    /// - Throws: ``Refusal`` if it is longer than `limit` characters.
    package func key(_ name: String, limit: Int) throws(Refusal) -> String? {
        guard let key = header(name), !key.isEmpty else { return nil }
        guard key.utf8.count <= limit else { throw .invalid("\(name) is longer than \(limit) characters.") }
        return key
    }

    private func credentials(scheme: String) -> String? {
        guard let field = header("Authorization") else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme.lowercased() else { return nil }
        return String(parts[1])
    }
}

/// An answer as it stands on the wire.
package struct PSPReply: Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    /// Fields beside `Content-Type`.
    package var headers: [(name: String, value: String)] {
        get { fields.map { ($0.name, $0.value) } }
        set { fields = newValue.map { Field(name: $0.name, value: $0.value) } }
    }
    /// The media type of the body.
    package var contentType: String
    /// The body.
    package var body: [UInt8]
    private var fields: [Field] = []

    private struct Field: Hashable {
        var name: String
        var value: String
    }

    /// Makes an answer of bytes.
    package init(_ status: Int, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// Makes an answer of JSON.
    package init(_ status: Int, _ json: JSON) {
        self.init(status, contentType: "application/json", body: json.bytes)
    }
}

/// An account's name, derived from the API key that a request came with.
///
/// Every key but `invalid` is accepted. `key_<name>`, or a key that ends in `_key_<name>`, is the key of the account
/// `<name>`; any other key gets an account named for a fingerprint of the key, so that no key stands in the books.
struct AccountName {
    let name: String

    /// The account of `Authorization: Bearer`.
    ///
    /// - Throws: ``Refusal/unauthorized``.
    init(of request: PSPRequest) throws(Refusal) {
        guard let key = request.bearer else { throw .unauthorized }
        try self.init(key: key)
    }

    /// The account of a key.
    ///
    /// - Throws: ``Refusal/unauthorized``.
    init(key: String) throws(Refusal) {
        guard !key.isEmpty, key.utf8.count <= 200, !("_" + key).hasSuffix("_invalid") else { throw .unauthorized }
        if let named = Self.named(in: Array(("_" + key).utf8)) {
            name = named
        } else {
            name = "account_" + String(Self.fingerprint(key), radix: 36)
        }
    }

    /// What stands behind the first `_key_`; nil if nothing does.
    ///
    /// It is looked for in every request, so byte by byte.
    private static func named(in key: [UInt8]) -> String? {
        let mark = Array("_key_".utf8)
        let start = key.indices.first { key[$0...].starts(with: mark) }
        guard let start, start + mark.count < key.count else { return nil }
        return String(decoding: key[(start + mark.count)...], as: UTF8.self)
    }

    /// The 64-bit Fowler-Noll-Vo hash (FNV-1a), which tells accounts apart and hides nothing worth hiding.
    private static func fingerprint(_ key: String) -> UInt64 {
        key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
