import Crypto

/// A key for HMAC-SHA512 (RFC 2104, FIPS 180-4).
///
/// Every description of it is a mask.
public struct SHA512SigningKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// A key of these bytes; nil if there are none, because anyone could sign with that.
    public init?(bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// The code of a message, 64 bytes.
    public func code(of message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA512>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
    }

    /// Whether the code is the message's, compared in constant time.
    public func authenticates(_ code: [UInt8], of message: [UInt8]) -> Bool {
        HMAC<SHA512>.isValidAuthenticationCode(code, authenticating: message, using: SymmetricKey(data: bytes))
    }

    /// A mask.
    public var description: String { "•••" }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension [SHA512SigningKey] {
    /// Whether the code is the message's under any of the keys.
    ///
    /// Every key is tried, so that the time taken does not tell which one matched.
    public func authenticate(_ code: [UInt8], of message: [UInt8]) -> Bool {
        var matches = false
        for key in self where key.authenticates(code, of: message) { matches = true }
        return matches
    }
}
