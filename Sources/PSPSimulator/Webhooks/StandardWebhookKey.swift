import Crypto

/// Signs webhooks as Standard Webhooks 1.0 says.
///
/// Written apart from what verifies them, so that the two check each other.
struct StandardWebhookKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The key in a secret, base 64 with or without `whsec_` before it; nil if it is empty or not base 64.
    init?(_ secret: String) {
        let text = secret.hasPrefix("whsec_") ? secret.dropFirst("whsec_".count) : secret[...]
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for digit in text.utf8.prefix(while: { $0 != UInt8(ascii: "=") }) {
            guard let value = Self.digits.firstIndex(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count & 255))
        }
        let padding = text.utf8.drop { $0 != UInt8(ascii: "=") }
        guard !bytes.isEmpty, text.utf8.count.isMultiple(of: 4), padding.count <= 2,
            padding.allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        self.bytes = bytes
    }

    /// The value of `webhook-signature`.
    func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        let message = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: bytes))
        return "v1," + Self.text(Array(code))
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            text += [18, 12, 6, 0].prefix(group.count + 1).map { digits[bits >> $0 & 63] }
            text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
