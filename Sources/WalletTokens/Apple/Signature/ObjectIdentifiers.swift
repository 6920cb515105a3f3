/// The object identifiers that a token's signature may have, as the content octets of their DER.
enum ObjectIdentifiers {
    /// id-signedData, 1.2.840.113549.1.7.2 (RFC 5652, 5.1).
    static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
    /// id-data, 1.2.840.113549.1.7.1 (RFC 5652, 4).
    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
    /// id-contentType, 1.2.840.113549.1.9.3 (RFC 5652, 11.1).
    static let contentType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 3]
    /// id-messageDigest, 1.2.840.113549.1.9.4 (RFC 5652, 11.2).
    static let messageDigest: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 4]
    /// id-signingTime, 1.2.840.113549.1.9.5 (RFC 5652, 11.3).
    static let signingTime: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 5]
    /// id-aa-CMSAlgorithmProtection, 1.2.840.113549.1.9.52 (RFC 6211, 2).
    static let algorithmProtection: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 52]
    /// id-sha256, 2.16.840.1.101.3.4.2.1 (RFC 5754, 2.2).
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
    /// ecdsa-with-SHA256, 1.2.840.10045.4.3.2 (RFC 5758, 3.2).
    static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2]
    /// sha256WithRSAEncryption, 1.2.840.113549.1.1.11 (RFC 5754, 3.2).
    static let sha256WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 11]
    /// rsaEncryption, 1.2.840.113549.1.1.1, which signs with the digest named beside it (RFC 3370, 3.2).
    static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]

    /// Whether content octets are those of an object identifier: whole numbers without leading zeros (X.690, 8.19).
    static func isWellFormed(_ octets: [UInt8]) -> Bool {
        guard let last = octets.last, last < 0x80, octets[0] != 0x80 else { return false }
        return zip(octets, octets.dropFirst()).allSatisfy { $0 >= 0x80 || $1 != 0x80 }
    }
}
