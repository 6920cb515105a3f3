import Domain
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
    /// The key that was shown, once it is known.
    let shownKey = ShownKey()
    /// The order that it made, once there is one.
    let madeOrder = MadeOrder()

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

/// What is known of the key of a request, once it is.
final class ShownKey: Sendable {
    private let known = Mutex<(id: KeyID, version: String?)?>(nil)

    /// Its identifier; nil while no key is known.
    var id: KeyID? { known.withLock { $0?.id } }
    /// The version of the API that it is pinned to, as it is stored; nil for none, or while no key is known.
    var version: String? { known.withLock { $0?.version } }

    /// Takes note of the key.
    func note(_ id: KeyID, pinnedTo version: String?) { known.withLock { $0 = (id, version) } }
}

/// The order that a request made, or that an earlier one under its key had made.
final class MadeOrder: Sendable {
    private let known = Mutex<OrderID?>(nil)

    /// Its identifier; nil while there is none.
    var id: OrderID? { known.withLock { $0 } }

    /// Takes note of the order.
    func note(_ id: OrderID) { known.withLock { $0 = id } }
}

/// What whoever asks calls a request (`X-Request-Id`), and what its answer calls it.
enum CallerRequestID {
    private static let field = HTTPField.Name("X-Request-Id")
    private static let lengthLimitBytes = 128

    /// The caller's name for a request: at most 128 bytes of it, of which none but printable ASCII is kept; nil if there
    /// is none.
    static func text(of request: Request) -> String? {
        guard let field, let value = request.headers[field], !value.isEmpty else { return nil }
        let bytes = value.utf8.prefix(lengthLimitBytes).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes.prefix(lengthLimitBytes), as: UTF8.self)
    }

    /// Names a request in its answer: by the caller's name, or else by ours.
    static func name(_ response: inout Response, answering request: Request, _ context: APIContext) {
        guard let field else { return }
        response.headers[field] = text(of: request) ?? context.requestID
    }
}

/// Refuses a request whose target is not ASCII, as RFC 9112 section 3.2 has targets, before anything looks for its route.
struct TargetGuard<Responder: HTTPResponder<APIContext>>: HTTPResponder {
    let responder: Responder
    /// Told of each request that is refused here.
    let onRefusal: @Sendable (Request, APIContext, _ status: Int) -> Void

    init(_ responder: Responder, onRefusal: @escaping @Sendable (Request, APIContext, _ status: Int) -> Void) {
        self.responder = responder
        self.onRefusal = onRefusal
    }

    func respond(to request: Request, context: APIContext) async throws -> Response {
        guard Self.isTarget(request.uri.string) else {
            let problem = Problem(
                status: .badRequest,
                code: "malformed_target",
                detail: "The request's target is not ASCII; percent-encode it."
            )
            let bytes = problem.json(requestID: context.requestID).bytes
            var response = Response(
                status: problem.status,
                headers: [.contentType: "application/problem+json", .connection: "close"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            )
            CallerRequestID.name(&response, answering: request, context)
            onRefusal(request, context, problem.status.code)
            return response
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
