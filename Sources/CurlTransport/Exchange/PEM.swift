/// Certificates or a key in PEM, which is text between `BEGIN` and `END` lines.
package enum PEM: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The path of a file, read anew for each connection.
    case file(String)
    /// The text's bytes.
    case bytes([UInt8])

    /// The path, or only the number of bytes: they may be a private key.
    package var description: String {
        switch self {
        case .file(let path): "PEM file \(path)"
        case .bytes(let bytes): "PEM, \(bytes.count) bytes"
        }
    }

    /// No children, so that `dump` shows no key.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
