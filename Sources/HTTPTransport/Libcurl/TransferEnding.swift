import CCurl
import Glibc

/// How a transfer ended, read as a failure or as none: a pure table over libcurl's codes.
struct TransferEnding {
    let code: CURLcode
    /// The status of the reply, or of its interim reply; zero if no status line came.
    let status: Int
    /// The `errno` of the last system call on the connection; it may be left over from an address tried in vain.
    let systemError: Int
    let text: String
    let isPlain: Bool
    /// Whether the connection is all that was wanted.
    let connectsOnly: Bool
    let requestHasBegun: Bool
    /// What this side forbade last.
    let refusal: TransportFailure?
    let buffer: ResponseBuffer

    /// Nil for a whole reply.
    var failure: TransportFailure? {
        if code == CURLE_OK && connectsOnly { return nil }
        if code == CURLE_OK && buffer.headIsWhole && status >= 200 { return nil }
        // What libcurl makes of a reply that this side does not want to read to its end.
        if code == CURLE_WRITE_ERROR && buffer.isCut && status >= 200 { return nil }
        // The first is what libcurl makes of a request that may not begin, the second of a socket that is not opened.
        if let refusal, code == CURLE_ABORTED_BY_CALLBACK || code == CURLE_COULDNT_CONNECT {
            return TransportFailure(refusal.reason, refusal.message, mayHaveArrived: requestHasBegun)
        }
        return TransportFailure(reason, message, mayHaveArrived: requestHasBegun)
    }

    private var reason: TransportFailure.Reason {
        if buffer.isTooLarge { return .replyTooLarge }
        return switch code {
        case CURLE_OK, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM: .connectionClosed
        case CURLE_COULDNT_RESOLVE_HOST: .couldNotResolve
        case CURLE_COULDNT_CONNECT: .couldNotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_RECV_ERROR: isPlain && !connectionWasLost ? .malformedReply : .connectionClosed
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING: .malformedReply
        case CURLE_UNSUPPORTED_PROTOCOL: requestHasBegun ? .malformedReply : .refusedURL
        case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .refusedURL
        case _ where Self.tlsCodes.contains(code.rawValue): .tlsFailed
        default: .transportFault
        }
    }

    /// The buffer's text is quoted only where it is OpenSSL's; elsewhere it may quote the peer.
    private var message: String {
        let isAboutTLS =
            Self.tlsCodes.contains(code.rawValue) || (code == CURLE_RECV_ERROR && !isPlain && status == 0)
        if isAboutTLS && !text.isEmpty { return text }
        if code == CURLE_OK { return "the connection ended before the reply did" }
        if buffer.isTooLarge { return "the reply is larger than allowed" }
        return unsafe String(cString: curl_easy_strerror(code))
    }

    /// libcurl has one code for a lost connection and for a chunk that makes no sense; over TLS the system's error
    /// does not tell them apart.
    private var connectionWasLost: Bool {
        [ECONNRESET, ECONNABORTED, EPIPE, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH].contains(Int32(systemError))
    }

    private static let tlsCodes: Set<UInt32> = [
        CURLE_SSL_CONNECT_ERROR.rawValue, CURLE_PEER_FAILED_VERIFICATION.rawValue, CURLE_SSL_CERTPROBLEM.rawValue,
        CURLE_SSL_CIPHER.rawValue, CURLE_SSL_CACERT_BADFILE.rawValue, CURLE_SSL_ISSUER_ERROR.rawValue,
        CURLE_SSL_INVALIDCERTSTATUS.rawValue, CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue, CURLE_SSL_CLIENTCERT.rawValue,
        CURLE_SSL_ENGINE_INITFAILED.rawValue, CURLE_SSL_ENGINE_NOTFOUND.rawValue, CURLE_USE_SSL_FAILED.rawValue,
    ]
}
