import Crypto
import OpenSSLCMS
import WireFormats

/// The SHA-256 digest of an Apple merchant identifier, which certificates carry and keys are derived with.
enum MerchantIdentifierHash {
    /// The extension of certificates that carries it (Apple, "Payment token format reference").
    static let identifier = "1.2.840.113635.100.6.32"

    /// The digest of an identifier.
    static func of(_ merchantIdentifier: String) -> [UInt8] { Array(SHA256.hash(data: Array(merchantIdentifier.utf8))) }

    /// What a certificate carries: 64 hexadecimal digits in a UTF8String or IA5String; nil if it carries none that can
    /// be read.
    static func carried(by certificate: Certificate) -> [UInt8]? {
        guard let value = certificate.extensionValue(identifier), value.count == 66,
            [0x0C, 0x16, 0x13].contains(value[0]), value[1] == 64
        else { return nil }
        return Hexadecimal.decode(String(decoding: value.dropFirst(2), as: UTF8.self))
    }
}
