import Foundation

/// Looks for secrets in bytes, in every form in which they are likely to get there.
struct Traces {
    private let needles: [(name: String, bytes: [UInt8])]

    /// Traces of these secrets; of those in Base64 also of the bytes that they stand for.
    init(of secrets: [String], inBase64 encoded: [String] = []) {
        let texts = (secrets + encoded).flatMap { secret in Self.forms(of: secret).map { (secret, $0) } }
        let bytes = encoded.flatMap { secret in
            Self.forms(of: Array(Data(base64Encoded: secret) ?? Data())).map { (secret, $0) }
        }
        needles = texts + bytes
    }

    /// The secrets of which there is a trace.
    func found(in bytes: [UInt8]) -> Set<String> {
        let hay = Data(bytes)
        return Set(needles.filter { hay.range(of: Data($0.bytes)) != nil }.map(\.name))
    }

    /// As it is, as JSON may escape it, reversed, in hexadecimal, and in the three ways in which it may stand inside base64.
    private static func forms(of secret: String) -> [[UInt8]] {
        forms(of: Array(secret.utf8))
            + [secret.replacing("/", with: "\\/"), String(secret.reversed())].map { Array($0.utf8) }
    }

    /// As they are, in hexadecimal, and in the three ways in which they may stand inside base64.
    private static func forms(of bytes: [UInt8]) -> [[UInt8]] {
        let hexadecimal = bytes.map { String(256 + Int($0), radix: 16).dropFirst() }.joined()
        let encoded = (0..<3).flatMap { shift -> [String] in
            let text = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
            // The first and last characters depend on what stands around.
            let core = String(
                text.replacing("=", with: "").dropFirst(shift == 0 ? 0 : shift + 1).dropLast(1)
            )
            return [core, core.replacing("+", with: "-").replacing("/", with: "_")]
        }
        return [bytes] + ([hexadecimal, hexadecimal.uppercased()] + encoded).map { Array($0.utf8) }
    }
}
