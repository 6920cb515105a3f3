import Crypto
import Domain
import StrictJSON
import WireFormats

/// Google's root signing keys, from a file in the form in which Google publishes them (Google, "Payment data
/// cryptography for merchants"; `https://payments.developers.google.com/paymentmethodtoken/keys.json`).
package struct GooglePayRoots: Sendable {
    /// The most keys read from a file.
    private static let keyLimit = 64

    private let keys: [Key]

    private struct Key: Sendable {
        let version: GooglePayVersion
        let key: P256.Signing.PublicKey
        /// From when on it signs nothing any more; nil for never.
        let expiration: Timestamp?
    }

    /// Reads a file: `{"keys": [{"keyValue", "protocolVersion", "keyExpiration"}]}`.
    ///
    /// Keys of other versions are skipped. A key of `ECv2` must have an expiry, in milliseconds since 1970.
    ///
    /// - Throws: ``UnusableGooglePayKeys``.
    package init(file: [UInt8]) throws(UnusableGooglePayKeys) {
        let json: JSON
        do {
            json = try JSON.parse(file)
        } catch {
            throw UnusableGooglePayKeys("the root keys are not JSON: \(error)")
        }
        let violations = Violations()
        let read = ObjectReader(json, into: violations, toleratesUnknown: true).flatMap { file in
            file.array("keys", count: 1...Self.keyLimit) { Self.key($0) }
        }
        guard let read, violations.isEmpty else {
            let places = violations.all.map { "\($0.pointer): \($0.detail)" }.joined(separator: " ")
            throw UnusableGooglePayKeys("the root keys are not in the form in which Google publishes them. \(places)")
        }
        keys = read.compactMap(\.self)
        guard !keys.isEmpty else { throw UnusableGooglePayKeys("none of the root keys is of ECv1 or ECv2") }
    }

    /// The keys that may sign tokens of `version` at `moment`.
    func keys(for version: GooglePayVersion, at moment: Timestamp) -> [P256.Signing.PublicKey] {
        keys.filter { key in key.version == version && key.expiration.map { moment < $0 } ?? true }.map(\.key)
    }

    /// One key; an inner nil for a key of another version, an outer one where something is wrong.
    private static func key(_ object: ObjectReader) -> Key?? {
        guard let name = object.string("protocolVersion") else { return nil }
        guard let version = GooglePayVersion(rawValue: name) else { return .some(nil) }
        let value = object.parsed("keyValue", expecting: "a public key of P-256 in Base64") { text in
            Base64.decode(nonempty: text).flatMap { try? P256.Signing.PublicKey(derRepresentation: $0) }
        }
        let expiration = object.moment("keyExpiration", version == .ecV1 ? .optional : .required)
        guard let value, version == .ecV1 || expiration != nil else { return nil }
        return Key(version: version, key: value, expiration: expiration)
    }
}
