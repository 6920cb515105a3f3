import Hummingbird
import NIOCore
import WireFormats

/// What is known of a request before anybody has shown a key.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Names the request in answers and logs.
    let requestID: String
    /// The address that the connection comes from; nil if it is none of the internet's.
    let peer: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress
        requestID = Self.makeRequestID()
    }

    /// A name for a request.
    static func makeRequestID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 36)
        return "req_" + String(repeating: "0", count: 13 - digits.count) + digits
    }

    /// A part of the path, percent-decoded; nil if it cannot be decoded.
    func pathParameter(_ name: String) -> String? { parameters.get(name).flatMap { PercentEncoding.decoded($0) } }
}
