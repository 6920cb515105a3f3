import COpenSSL

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
