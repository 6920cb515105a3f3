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
    /// The address of whoever asks: the connection's, or what a trusted proxy on it says; nil if that cannot be read, or
    /// is none of the internet's.
    var peer: String?
    /// The address that requests without a key are counted for: that of whoever asks, or else the connection's; nil for
    /// none.
    var countedAddress: String?
    /// The key that was shown, once it is known.
    let shownKey = ShownKey()
    /// The order that it made, once there is one.
    let madeOrder = MadeOrder()
    /// What is left of the limits that it was counted under.
    let rate = RateStanding()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress
        countedAddress = peer
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

/// What a request's answer says of the limits that it was counted under.
///
/// The fields are those of draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` has the limit (`q` requests in `w`
/// seconds), `RateLimit` how many more may come at once (`r`) and in how many seconds all of them may again (`t`).
final class RateStanding: Sendable {
    private let noted = Mutex<[(policy: String, left: String)]>([])

    /// Takes note of a limit, and of what is left of it.
    func note(policy: String, left: String) { noted.withLock { $0.append((policy, left)) } }

    /// Names and values; none while nothing was counted.
    var fields: [(String, String)] {
        let noted = noted.withLock { $0 }
        guard !noted.isEmpty else { return [] }
        return [
            ("RateLimit-Policy", noted.map(\.policy).joined(separator: ", ")),
            ("RateLimit", noted.map(\.left).joined(separator: ", ")),
        ]
    }
}

/// Fields that every answer carries: no browser guesses what it is, keeps it, tells others whence it came, or runs it.
///
/// Source: OWASP REST Security Cheat Sheet, "Security Headers". Over TLS, browsers are told to come that way for a year (RFC
/// 6797); over plain http the field means nothing, and a proxy with TLS adds its own.
enum SecurityHeaders {
    private static let all = [
        ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]

    /// Names and values.
    static func fields(isEncrypted: Bool) -> [(String, String)] {
        isEncrypted ? all + [("Strict-Transport-Security", "max-age=31536000")] : all
    }
}
