import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON
import Synchronization
import WireFormats

/// What is known of a request before anybody has shown a key.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Names the request in answers and logs.
    let requestID: String
    /// The address that the connection comes from; nil if it is none of the internet's.
    let peer: String?
    /// The version that the key is pinned to, once it is known.
    let pinned = PinnedVersion()

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

/// The version of the API that the key of a request is pinned to, as it is stored, once the key is known.
final class PinnedVersion: Sendable {
    private let known = Mutex<String?>(nil)

    /// The version; nil for none, or while no key is known.
    var text: String? { known.withLock { $0 } }

    /// Sets the version, once the key is known.
    func pin(to text: String?) { known.withLock { $0 = text } }
}

/// Refuses a request whose target is not ASCII, as RFC 9112 section 3.2 has targets, before anything looks for its route.
struct TargetGuard<Responder: HTTPResponder<APIContext>>: HTTPResponder {
    let responder: Responder

    init(_ responder: Responder) { self.responder = responder }

    func respond(to request: Request, context: APIContext) async throws -> Response {
        guard Self.isTarget(request.uri.string) else {
            let problem = Problem(
                status: .badRequest,
                code: "malformed_target",
                detail: "The request's target is not ASCII; percent-encode it."
            )
            let bytes = problem.json(requestID: context.requestID).bytes
            return Response(
                status: problem.status,
                headers: [.contentType: "application/problem+json", .connection: "close"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            )
        }
        return try await responder.respond(to: request, context: context)
    }

    /// Whether text may be a target.
    static func isTarget(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}

extension Response {
    /// A JSON answer.
    static func json(
        _ bytes: [UInt8],
        status: HTTPResponse.Status = .ok,
        headers extra: [(String, String)] = []
    ) -> Response {
        var headers: HTTPFields = [.contentType: "application/json"]
        for (name, value) in extra {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A JSON answer.
    static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Response { .json(json.bytes, status: status) }
}

/// Header fields as we read them.
///
/// RFC 9110 section 5.5 calls a value beyond ASCII opaque, and none that we read has one: such a value is as good as
/// wrong, and is not looked at.
extension String {
    private static let lengthLimitBytes = 8192

    /// The value; nil if it is not ASCII, or longer than 8,192 bytes.
    var boundedASCII: String? {
        utf8.count <= Self.lengthLimitBytes && utf8.allSatisfy { $0 < 0x80 } ? self : nil
    }
}

/// Fields that every answer carries: no browser guesses what it is, keeps it, tells others whence it came, or runs it.
///
/// Source: OWASP REST Security Cheat Sheet, "Security Headers".
enum SecurityHeaders {
    /// Names and values.
    static let all = [
        ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]
}
