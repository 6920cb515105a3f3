import Crypto
public import Domain

/// A key for HMAC-SHA1 (RFC 2104, FIPS 180-4), for PSPs that sign with nothing stronger.
///
/// SHA-1's weakness is collisions, which HMAC does not rest on (NIST SP 800-107). Every description of it is a mask.
public struct SHA1SigningKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// A key of these bytes; nil if there are none, because anyone could sign with that.
    public init?(bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// A key of the 20 bytes of the SHA-1 of a secret's text; nil if the text is empty.
    public init?(hashOf secret: Secret) {
        let text = Array(secret.reveal().utf8)
        guard !text.isEmpty else { return nil }
        bytes = Array(Insecure.SHA1.hash(data: text))
    }

    /// The code of a message, 20 bytes.
    public func code(of message: [UInt8]) -> [UInt8] {
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
    }

    /// Whether the code is the message's, compared in constant time.
    public func authenticates(_ code: [UInt8], of message: [UInt8]) -> Bool {
        HMAC<Insecure.SHA1>.isValidAuthenticationCode(code, authenticating: message, using: SymmetricKey(data: bytes))
    }

    /// A mask.
    public var description: String { "•••" }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
