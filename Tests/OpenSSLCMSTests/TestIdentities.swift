import OpenSSLCMS

/// A root and two signers below it, made once.
enum TestIdentities {
    /// 2026-03-01T12:00:00Z, when all of them are valid, in seconds since 1970.
    static let moment: Int64 = 1_772_366_400

    /// The root.
    static let root = Result {
        try SigningIdentity.selfSigned(request("Root", isAuthority: true), key: .generate(.p384))
    }
    /// Signs with ECDSA.
    static let signer = Result { try issued("Signer", .p256) }
    /// Signs with RSA.
    static let rsaSigner = Result { try issued("RSA Signer", .rsa(bits: 2048)) }

    /// An identity below the root.
    static func issued(_ name: String, _ kind: KeyKind, until notAfter: Int64 = 2_208_988_800) throws -> SigningIdentity
    {
        let key = try PrivateKey.generate(kind)
        var request = request(name, isAuthority: false)
        request.notAfter = notAfter
        return SigningIdentity(certificate: try root.get().issue(request, for: key.publicKey), key: key)
    }

    /// A request with a name, valid from 2020 to 2040.
    static func request(_ name: String, isAuthority: Bool) -> CertificateRequest {
        CertificateRequest(
            subject: [("CN", name), ("UID", "id.\(name)")],
            notBefore: 1_577_836_800,
            notAfter: 2_208_988_800,
            isAuthority: isAuthority,
            extensions: [.init("1.2.3.4", [5, 0])]
        )
    }
}
