import NIOCore
import NIOSSL
import Synchronization

/// What the server shows of itself over TLS 1.2 and 1.3; connections that begin after a replacement are shown the new one.
package final class ServerTLS: Sendable {
    /// The name of HTTP/2 over TLS (RFC 9113, 3.2), and of HTTP/1.1, which who names nothing speaks (RFC 7301, 6).
    static let http2 = "h2"
    private static let http1 = "http/1.1"
    /// How long a connection that is closed waits to hear that its peer knows, in milliseconds.
    private static let closingMilliseconds: Int64 = 250
    /// For TLS 1.2, what has forward secrecy and authenticated encryption (RFC 9325, 4.2); TLS 1.3 has nothing else.
    private static let ciphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    ]

    private let current: Mutex<NIOSSLContext>

    /// Takes a certificate, the ones between it and its authority behind it, and its private key, all in PEM.
    ///
    /// - Throws: ``TLSRefusal``.
    package init(certificates: [UInt8], key: [UInt8]) throws(TLSRefusal) {
        current = Mutex(try Self.context(certificates, key))
    }

    /// Shows another certificate from now on, or stays with the one it has.
    ///
    /// - Throws: ``TLSRefusal``.
    package func replace(certificates: [UInt8], key: [UInt8]) throws(TLSRefusal) {
        let context = try Self.context(certificates, key)
        current.withLock { $0 = context }
    }

    /// What encrypts one connection.
    func makeHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: current.withLock { $0 }) }

    private static func context(_ certificates: [UInt8], _ key: [UInt8]) throws(TLSRefusal) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(certificates).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem))
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = ciphers
            configuration.applicationProtocols = [http2, http1]
            configuration.shutdownTimeout = .milliseconds(closingMilliseconds)
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TLSRefusal(reason: "\(error)")
        }
    }
}

/// Why a certificate and a key cannot be served with, though each can be read.
package struct TLSRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the TLS library says.
    let reason: String

    package var description: String { "the certificate and the key cannot be used: \(reason)" }
}

/// Keeps from whoever serves what went wrong with TLS: the connection is over then, and that is heard besides.
final class TLSErrorFilter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is IOError { context.fireErrorCaught(error) }
    }
}
