public import Crypto
public import Domain

/// A key for HMAC-SHA256 (RFC 2104, FIPS 180-4).
public typealias SigningKey = HMACKey<SHA256>
/// A key for HMAC-SHA512 (RFC 2104, FIPS 180-4).
public typealias SHA512SigningKey = HMACKey<SHA512>
/// A key for HMAC-SHA1 (RFC 2104, FIPS 180-4), for PSPs that sign with nothing stronger.
///
/// SHA-1's weakness is collisions, which HMAC does not rest on (NIST SP 800-107).
public typealias SHA1SigningKey = HMACKey<Insecure.SHA1>

/// A key that PSPs and we sign messages with, HMAC under a hash function (RFC 2104).
///
/// Every description of it is a mask.
public struct HMACKey<Hash: HashFunction>: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// A key of these bytes; nil if there are none, because anyone could sign with that.
    public init?(bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// A key of the hash of a secret's text; nil if the text is empty.
    public init?(hashOf secret: Secret) {
        let text = Array(secret.reveal().utf8)
        guard !text.isEmpty else { return nil }
        bytes = Array(Hash.hash(data: text))
    }

    /// The code of a message, as long as the hash.
    public func code(of message: [UInt8]) -> [UInt8] {
        Array(HMAC<Hash>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
    }

    /// Whether the code is the message's, compared in constant time.
    public func authenticates(_ code: [UInt8], of message: [UInt8]) -> Bool {
        HMAC<Hash>.isValidAuthenticationCode(code, authenticating: message, using: SymmetricKey(data: bytes))
    }

    /// A mask.
    public var description: String { "•••" }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Array {
    /// Whether the code is the message's under any of the keys.
    ///
    /// Every key is tried, so that the time taken does not tell which one matched.
    public func authenticate<Hash>(_ code: [UInt8], of message: [UInt8]) -> Bool where Element == HMACKey<Hash> {
        var matches = false
        for key in self where key.authenticates(code, of: message) { matches = true }
        return matches
    }

    /// Whether any of the codes is the message's under any of the keys.
    ///
    /// Every pair is compared, so that the time taken does not tell which one matched. The message is read once for
    /// each key, however many codes came with it.
    public func authenticate<Hash>(
        anyOf codes: [[UInt8]],
        of message: [UInt8]
    ) -> Bool where Element == HMACKey<Hash> {
        var matches = false
        for key in self {
            let own = key.code(of: message)
            for code in codes where ConstantTime.areEqual(own, code) { matches = true }
        }
        return matches
    }
}

/// Comparing what nobody may guess.
public enum ConstantTime {
    /// Whether the bytes are the same, in a time that tells only whether there are as many.
    public static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { difference, pair in difference | (pair.0 ^ pair.1) } == 0
    }
}
