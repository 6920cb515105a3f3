import Crypto

/// A key for HMAC-SHA256 (RFC 2104, FIPS 180-4).
///
/// Every description of it is a mask.
public struct SigningKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// A key of these bytes; nil if there are none, because anyone could sign with that.
    public init?(bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// The code of a message, 32 bytes.
    public func code(of message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
    }

    /// Whether the code is the message's, compared in constant time.
    public func authenticates(_ code: [UInt8], of message: [UInt8]) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: SymmetricKey(data: bytes))
    }

    /// A mask.
    public var description: String { "•••" }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension [SigningKey] {
    /// Whether any of the codes is the message's under any of the keys.
    ///
    /// Every pair is compared, so that the time taken does not tell which one matched. The message is read once for
    /// each key, however many codes came with it.
    public func authenticate(anyOf codes: [[UInt8]], of message: [UInt8]) -> Bool {
        var matches = false
        for key in self {
            let own = key.code(of: message)
            for code in codes where ConstantTime.areEqual(own, code) { matches = true }
        }
        return matches
    }
}
