import HTTPTransport
import TributaryTestKit

extension HTTPRequest {
    /// A request over TLS to a port of this machine, trusting only `authority`.
    static func secure(_ port: UInt16, trusting authority: TestAuthority?, host: String = "localhost") -> Self {
        var request = HTTPRequest(.post, "https://\(host):\(port)/pay", body: Array("amount=1".utf8))
        request.trustedAuthorities = authority.map { .file($0.certificate) }
        request.connectTimeoutMilliseconds = 600_000
        request.totalTimeoutMilliseconds = 600_000
        return request
    }
}
