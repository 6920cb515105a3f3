import Crypto
package import Domain
package import OpenSSLCMS

/// Throw-away keys and certificates as Apple issues them for an order type: a root, an authority below it, and the order
/// type's certificate, which signs packages and opens connections to APNs.
package struct OrderTypeKeys: Sendable {
    /// What the authority's certificate is marked with (Apple, "WWDR intermediate").
    private static let authorityMarker = "1.2.840.113635.100.6.2.1"

    /// The order type.
    package let orderTypeIdentifier: String
    /// What has to be trusted.
    package let root: SigningIdentity
    /// What issued the order type's certificate.
    package let authority: SigningIdentity
    /// The order type's certificate and key.
    package let orderType: SigningIdentity
    private let notBefore: Int64

    /// Makes keys and certificates.
    ///
    /// - Parameters:
    ///   - orderTypeIdentifier: the order type, which stands in the certificate's subject.
    ///   - notBefore: from when on all are valid.
    ///   - days: how long the order type's certificate is; the others are ten years.
    /// - Throws: what OpenSSL says if it cannot make them.
    package init(orderTypeIdentifier: String, notBefore: Timestamp, days: Int64 = 365) throws {
        let start = notBefore.microseconds / 1_000_000
        let root = try Self.root(from: start)
        let authority = try Self.identity(
            CertificateRequest(
                subject: [("CN", "Throw-away Developer Relations"), ("O", "Throw-away test keys")],
                notBefore: start,
                notAfter: start + 3650 * 86_400,
                isAuthority: true,
                extensions: [.init(Self.authorityMarker, [5, 0])]
            ),
            .p256,
            from: root
        )
        try self.init(
            orderTypeIdentifier: orderTypeIdentifier,
            root: root,
            authority: authority,
            notBefore: start,
            days: days
        )
    }

    private init(
        orderTypeIdentifier: String,
        root: SigningIdentity,
        authority: SigningIdentity,
        notBefore: Int64,
        days: Int64
    ) throws {
        self.orderTypeIdentifier = orderTypeIdentifier
        self.root = root
        self.authority = authority
        self.notBefore = notBefore
        orderType = try Self.identity(
            CertificateRequest(
                subject: [
                    ("UID", orderTypeIdentifier), ("CN", "Order Type ID: \(orderTypeIdentifier)"),
                    ("O", "Throw-away test keys"),
                ],
                notBefore: notBefore,
                notAfter: notBefore + days * 86_400
            ),
            .rsa(bits: 2048),
            from: authority
        )
    }

    /// Keys of an order type below the same root and authority: another type, or the same one issued anew.
    ///
    /// - Parameters:
    ///   - orderTypeIdentifier: the order type.
    ///   - days: how long its certificate is valid from the beginning of the others.
    /// - Returns: the keys.
    /// - Throws: what OpenSSL says if it cannot make them.
    package func sibling(_ orderTypeIdentifier: String, days: Int64 = 365) throws -> OrderTypeKeys {
        try OrderTypeKeys(
            orderTypeIdentifier: orderTypeIdentifier,
            root: root,
            authority: authority,
            notBefore: notBefore,
            days: days
        )
    }

    /// A certificate and key for a server on this machine, issued by the root, both in PEM.
    ///
    /// - Throws: what OpenSSL says if it cannot make them.
    package func server() throws -> (certificate: [UInt8], key: [UInt8]) {
        let localhost = Array("localhost".utf8)
        let names = DER.element(0x82, localhost) + DER.element(0x87, [127, 0, 0, 1])
        let identity = try Self.identity(
            CertificateRequest(
                subject: [("CN", "localhost")],
                notBefore: notBefore,
                notAfter: notBefore + 3650 * 86_400,
                extensions: [.init("2.5.29.17", DER.element(0x30, names))]
            ),
            .p256,
            from: root
        )
        return (try identity.certificate.pem(), try identity.key.pem())
    }

    private static func root(from start: Int64) throws -> SigningIdentity {
        let key = try PrivateKey.generate(.p384)
        return try .selfSigned(
            CertificateRequest(
                subject: [("CN", "Throw-away Root"), ("O", "Throw-away test keys")],
                notBefore: start,
                notAfter: start + 3650 * 86_400,
                isAuthority: true,
                extensions: [subjectKey(key.publicKey)]
            ),
            key: key
        )
    }

    private static func identity(
        _ request: CertificateRequest,
        _ kind: KeyKind,
        from issuer: SigningIdentity
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(kind)
        var request = request
        let issuerKey = DER.element(0x30, DER.element(0x80, keyIdentifier(issuer.key.publicKey)))
        request.extensions += [subjectKey(key.publicKey), .init("2.5.29.35", issuerKey)]
        return SigningIdentity(certificate: try issuer.issue(request, for: key.publicKey), key: key)
    }

    private static func subjectKey(_ key: PublicKey) -> CertificateRequest.Extension {
        .init("2.5.29.14", DER.element(0x04, keyIdentifier(key)))
    }

    /// The first 160 bits of the key's SHA-256 (RFC 7093, 2).
    private static func keyIdentifier(_ key: PublicKey) -> [UInt8] {
        Array(SHA256.hash(data: key.subjectPublicKeyInfo).prefix(20))
    }
}
