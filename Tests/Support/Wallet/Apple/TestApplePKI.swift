package import OpenSSLCMS

/// Certificates as Apple's, of a root of one's own: a root on P-384, an authority below it, and a signer of tokens.
package struct TestApplePKI: Sendable {
    /// What stands in the certificates, where a test wants something else than Apple has.
    package struct Options: Sendable {
        /// The common names of root and authority.
        package var names = ("Test Root CA - G3", "Test Application Integration CA")
        /// The signer's common name.
        package var signerName = "test-smp-broker-sign_UC4-PROD"
        /// Whether the signer is marked as one.
        package var hasSignerMarker = true
        /// Whether the authority is marked as one.
        package var hasAuthorityMarker = true
        /// Whether the authority may issue certificates at all.
        package var isAuthority = true
        /// The signer's key.
        package var signerKey = KeyKind.p256
        /// From when on all certificates are valid, in seconds since 1970.
        package var notBefore: Int64 = 1_577_836_800
        /// Until when the root and the authority are valid, in seconds since 1970.
        package var notAfter: Int64 = 2_208_988_800
        /// Until when the signer is valid, in seconds since 1970.
        package var signerNotAfter: Int64 = 2_208_988_800

        /// As Apple has it, from 2020 to 2040.
        package init() {}
    }

    /// What has to be trusted.
    package let root: SigningIdentity
    /// What issues signers.
    package let authority: SigningIdentity
    /// What signs tokens.
    package let signer: SigningIdentity

    /// Makes keys and certificates.
    package init(_ options: Options = Options()) throws {
        root = try .selfSigned(
            Self.request(options.names.0, options, until: options.notAfter, isAuthority: true),
            key: .generate(.p384)
        )
        let marker = CertificateRequest.Extension("1.2.840.113635.100.6.2.14", [5, 0])
        authority = try Self.identity(
            Self.request(
                options.names.1,
                options,
                until: options.notAfter,
                isAuthority: options.isAuthority,
                options.hasAuthorityMarker ? [marker] : []
            ),
            .p256,
            from: root
        )
        signer = try Self.signer(options, from: authority)
    }

    /// A signer issued by any identity, whether that may issue or not.
    package static func signer(_ options: Options, from issuer: SigningIdentity) throws -> SigningIdentity {
        let marker = CertificateRequest.Extension("1.2.840.113635.100.6.29", [5, 0])
        let request = request(
            options.signerName,
            options,
            until: options.signerNotAfter,
            isAuthority: false,
            options.hasSignerMarker ? [marker] : []
        )
        return try identity(request, options.signerKey, from: issuer)
    }

    /// The root, as something to trust.
    package func roots() throws -> TrustRoots { try TrustRoots([root.certificate]) }

    private static func identity(
        _ request: CertificateRequest,
        _ kind: KeyKind,
        from issuer: SigningIdentity
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(kind)
        return SigningIdentity(certificate: try issuer.issue(request, for: key.publicKey), key: key)
    }

    private static func request(
        _ name: String,
        _ options: Options,
        until notAfter: Int64,
        isAuthority: Bool,
        _ extensions: [CertificateRequest.Extension] = []
    ) -> CertificateRequest {
        CertificateRequest(
            subject: [("CN", name), ("OU", "Test Systems"), ("O", "Test PKI"), ("C", "US")],
            notBefore: options.notBefore,
            notAfter: notAfter,
            isAuthority: isAuthority,
            extensions: extensions
        )
    }
}
