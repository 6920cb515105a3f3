import COpenSSL

/// The certificates that chains have to end in; immutable.
///
/// A store that nobody adds to any more may be shared by threads: hence the unchecked conformance.
@safe
package final class TrustRoots: @unchecked Sendable {
    /// The roots, in the order in which they were given.
    package let certificates: [Certificate]
    private let store: OpaquePointer

    /// Trusts these and no others.
    ///
    /// - Throws: ``OpenSSLFailure``.
    package init(_ certificates: [Certificate]) throws(OpenSSLFailure) {
        guard let store = unsafe X509_STORE_new() else { throw .drained() }
        unsafe self.store = store
        self.certificates = certificates
        for certificate in certificates {
            guard unsafe X509_STORE_add_cert(store, certificate.pointer) == 1 else { throw .drained() }
        }
    }

    /// Trusts every certificate of a PEM file, or one in DER.
    ///
    /// - Throws: ``OpenSSLFailure``, also for a file without any certificate.
    package convenience init(file bytes: [UInt8]) throws(OpenSSLFailure) {
        guard Encoding.isPEM(bytes) else {
            try self.init([Certificate(der: bytes)])
            return
        }
        let input = try MemoryBIO(bytes)
        var certificates: [Certificate] = []
        while let pointer = unsafe PEM_read_bio_X509(input.pointer, nil, nil, nil) {
            certificates.append(try unsafe Certificate(owning: pointer))
        }
        // The last attempt always fails, for want of another certificate.
        let end = OpenSSLFailure.drained()
        guard !certificates.isEmpty else { throw end }
        try self.init(certificates)
    }

    deinit { unsafe X509_STORE_free(store) }

    /// Builds the chain from a certificate to one of the roots and checks it (RFC 5280, 6.1) as of a moment.
    ///
    /// Revocation is not checked.
    ///
    /// - Parameters:
    ///   - leaf: the certificate at the beginning.
    ///   - intermediates: what the chain may lead through; trusted for nothing.
    ///   - seconds: the moment, in seconds since 1970.
    /// - Returns: the chain, `leaf` first and the root last.
    /// - Throws: ``ChainRefusal``.
    package func chain(
        from leaf: Certificate,
        through intermediates: [Certificate],
        at seconds: Int64
    ) throws(ChainRefusal) -> [Certificate] {
        guard let context = unsafe X509_STORE_CTX_new(), let untrusted = unsafe copenssl_certificates_new() else {
            throw .broken
        }
        defer {
            unsafe X509_STORE_CTX_free(context)
            unsafe copenssl_certificates_free(untrusted)
            ERR_clear_error()
        }
        for certificate in intermediates {
            guard unsafe copenssl_certificates_push(untrusted, certificate.pointer) > 0 else { throw .broken }
        }
        guard unsafe X509_STORE_CTX_init(context, store, leaf.pointer, untrusted) == 1 else { throw .broken }
        guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else { throw .broken }
        unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(seconds))
        unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
        guard unsafe X509_verify_cert(context) == 1 else {
            throw ChainRefusal(code: unsafe X509_STORE_CTX_get_error(context))
        }
        guard let chain = unsafe X509_STORE_CTX_get0_chain(context) else { throw .broken }
        return try unsafe Self.certificates(chain)
    }

    private static func certificates(_ stack: OpaquePointer) throws(ChainRefusal) -> [Certificate] {
        var chain: [Certificate] = []
        let count = unsafe copenssl_certificate_count(stack)
        for index in 0..<count {
            guard let pointer = unsafe copenssl_certificate_at(stack, index), unsafe X509_up_ref(pointer) == 1,
                let certificate = unsafe try? Certificate(owning: pointer)
            else { throw .broken }
            chain.append(certificate)
        }
        return chain
    }
}

/// Why there is no valid chain from a certificate to a root.
package enum ChainRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// A certificate of the chain was not valid yet, or no longer, at the moment asked for.
    case notValidThen(String)
    /// No root that is trusted signed the chain, or a signature in it is wrong.
    case untrusted(String)
    /// OpenSSL could not do its work.
    case broken

    /// OpenSSL's reason in words.
    package var description: String {
        switch self {
        case .notValidThen(let reason), .untrusted(let reason): reason
        case .broken: "OpenSSL could not check the chain"
        }
    }

    init(code: Int32) {
        let reason = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
        self =
            switch code {
            case X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED: .notValidThen(reason ?? "expired")
            case X509_V_ERR_OUT_OF_MEM, X509_V_ERR_INVALID_CALL, X509_V_ERR_UNSPECIFIED: .broken
            default: .untrusted(reason ?? "error \(code)")
            }
    }
}
