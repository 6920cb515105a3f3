import Domain
import Gateway
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Storage
import StrictJSON

/// What devices ask of orders in Wallet, below `/wallet-orders`: Apple's web service, and links to packages.
///
/// No API key guards it: the token of an order does, and a device's own identifier where it lists its orders. Whatever is wrong
/// with either is answered alike, before anything is asked of the database. Sources: Apple, "Wallet Orders", the pages of the
/// five endpoints (2026).
struct DeviceRoutes: Sendable {
    /// What comes before Apple's own paths, which the configured web service URL ends with.
    static let root = "/wallet-orders"

    private static let registrations = "\(root)/v1/devices/{device}/registrations"

    let service: WalletOrderService
    let door: Door
    let body: RequestBody
    let clock: any GatewayClock
    let logger: Logger

    func add(to router: Router<APIContext>) {
        router.post("\(Self.registrations)/{type}/{id}") { request, context in try await register(request, context) }
        router.delete("\(Self.registrations)/{type}/{id}") { request, context in
            try await unregister(request, context)
        }
        router.get("\(Self.registrations)/{type}") { request, context in try await list(request, context) }
        router.get("\(Self.root)/v1/orders/{type}/{id}") { request, context in try await package(request, context) }
        router.post("\(Self.root)/v1/log") { request, context in try await log(request, context) }
        router.get("\(Self.root)/links/{type}/{id}/{proof}") { request, context in try await link(request, context) }
    }

    /// An order that a request names.
    private struct Subject {
        let type: String
        let id: String
    }

    /// The order that the path names, if the request shows its token.
    ///
    /// - Throws: a 401 ``Problem``, the same for a wrong token, another order's, an unknown order and a name that is none.
    private func subject(_ request: Request, _ context: APIContext) throws(Problem) -> Subject {
        guard let type = DeviceText.name(context.pathParameter("type")),
            let id = DeviceText.name(context.pathParameter("id")),
            let parts = request.headers[.authorization]?.boundedASCII?.utf8.split(separator: UInt8(ascii: " ")),
            parts.count == 2, parts[0].elementsEqual("AppleOrder".utf8), let token = String(parts[1]),
            service.isToken(token, of: id, type: type)
        else { throw .wrongOrderToken }
        return Subject(type: type, id: id)
    }

    private func register(_ request: Request, _ context: APIContext) async throws -> Response {
        let subject = try subject(request, context)
        guard let device = DeviceText.name(context.pathParameter("device")) else { throw Problem.wrongOrderToken }
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request, limit: DeviceText.bodyLimit)
        let token = try Problem.reading { () throws(InvalidDocument) in
            try json.read(refusingNull: true) { body -> String? in
                for key in body.keys where !key.utf8.elementsEqual("pushToken".utf8) { body.ignore(key) }
                return body.parsed("pushToken", expecting: "letters and digits, at most 200", DeviceText.pushToken)
            }
        }
        let visit = try await door.enter()
        defer { visit.leave() }
        switch try await service.register(device, pushToken: token, for: subject.id, of: subject.type) {
        case .added: return Response(status: .created)
        case .renewed: return Response(status: .ok)
        case .unknownOrder: throw Problem.wrongOrderToken
        case .tooMany: throw Problem.tooManyDevices
        }
    }

    private func unregister(_ request: Request, _ context: APIContext) async throws -> Response {
        let subject = try subject(request, context)
        guard let device = DeviceText.name(context.pathParameter("device")) else { throw Problem.wrongOrderToken }
        _ = try Query(of: request, allowing: [])
        let visit = try await door.enter()
        defer { visit.leave() }
        guard try await service.unregister(device, from: subject.id, of: subject.type) else {
            throw Problem.wrongOrderToken
        }
        return Response(status: .ok)
    }

    /// The device's identifier is the secret here.
    ///
    /// Apple's pages call the parameter by two names.
    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let type = DeviceText.name(context.pathParameter("type")),
            let device = DeviceText.name(context.pathParameter("device"))
        else { throw Problem.wrongOrderToken }
        let query = try Query(of: request, allowing: ["ordersModifiedSince", "lastModified"])
        let visit = try await door.enter()
        defer { visit.leave() }
        let tag = query["ordersModifiedSince"] ?? query["lastModified"]
        guard let changes = try await service.changes(for: device, type: type, since: tag) else {
            guard try await service.isKnown(type: type) else { throw Problem.wrongOrderToken }
            return Response(status: .noContent)
        }
        return .json(["orderIdentifiers": .strings(changes.identifiers), "lastModified": .string(changes.tag)])
    }

    private func package(_ request: Request, _ context: APIContext) async throws -> Response {
        let subject = try subject(request, context)
        _ = try Query(of: request, allowing: [])
        let since = request.headers[.ifModifiedSince]?.boundedASCII.flatMap { text in
            HTTPDate.timestamp(text, now: clock.now())
        }
        return try await answer(subject, knowing: since, request)
    }

    /// Whoever has the link may load the package until it expires, and nobody else learns of it.
    private func link(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let type = DeviceText.name(context.pathParameter("type")),
            let id = DeviceText.name(context.pathParameter("id")), let proof = context.pathParameter("proof"),
            proof.utf8.count <= 100, service.isLink(proof, to: id, of: type)
        else { throw Problem.wrongOrderToken }
        _ = try Query(of: request, allowing: [])
        // Whoever has the link has the order for good: nobody between here and the buyer is to keep what it leads to.
        var response = try await answer(Subject(type: type, id: id), knowing: nil, request)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private func answer(_ subject: Subject, knowing since: Timestamp?, _ request: Request) async throws -> Response {
        let tags = request.headers[.ifNoneMatch]?.boundedASCII.map(DeviceText.entityTags) ?? []
        let visit = try await door.enter()
        defer { visit.leave() }
        switch try await service.package(subject.id, of: subject.type, knowing: (since, tags)) {
        case nil: throw Problem.wrongOrderToken
        case .notModified: return Response(status: .notModified)
        case .package(let package):
            return Response(
                status: .ok,
                headers: [
                    .contentType: WalletPackage.contentType, .lastModified: HTTPDate.text(package.updatedAt),
                    .eTag: package.entityTag, .cacheControl: "private, no-cache",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: package.bytes))
            )
        }
    }

    /// Writes what a device complains of into the log, as text from a stranger.
    private func log(_ request: Request, _ context: APIContext) async throws -> Response {
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request, limit: DeviceText.bodyLimit)
        let lines = (json["logs"]?.arrayValue ?? []).prefix(DeviceText.lineLimit).compactMap(\.stringValue)
        for line in lines {
            logger.notice(
                "a device says of an order in Wallet",
                metadata: [
                    "text": "\(DeviceText.harmless(line))", "peer": "\(context.peer ?? "unknown")",
                    "request_id": "\(context.requestID)",
                ]
            )
        }
        return Response(status: .ok)
    }
}

/// Text that devices send.
enum DeviceText {
    /// The longest body, in bytes: a token, or some lines of a log.
    static let bodyLimit = 16_384
    /// How many lines of one request are written down, and how much of each, in characters.
    static let (lineLimit, lineLength) = (20, 500)

    /// A part of a path that names a device, a type or an order; nil for what has none of their letters, or is too long.
    static func name(_ text: String?) -> String? {
        guard let text, (1...128).contains(text.utf8.count) else { return nil }
        let isName = text.utf8.allSatisfy { byte in
            isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        return isName ? text : nil
    }

    /// A push token, which becomes a part of a path at Apple's.
    static func pushToken(_ text: String) -> String? {
        (1...200).contains(text.utf8.count) && text.utf8.allSatisfy(isLetterOrDigit) ? text : nil
    }

    /// A line without control characters and whatever else moves text about, cut off.
    static func harmless(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(lineLength).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: "?"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The tags of `If-None-Match`, without their mark of weakness.
    static func entityTags(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).compactMap { part in
            var part = part.drop { $0 == UInt8(ascii: " ") }
            if part.starts(with: "W/".utf8) { part = part.dropFirst(2) }
            while part.last == UInt8(ascii: " ") { part.removeLast() }
            return String(part)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension Problem {
    /// Everything that is wrong with what a device shows.
    fileprivate static let wrongOrderToken = Problem(
        status: .unauthorized,
        code: "invalid_order_token",
        detail: "There is nothing here that this token opens.",
        challenge: "AppleOrder"
    )

    fileprivate static let tooManyDevices = Problem(
        status: .tooManyRequests,
        code: "too_many_devices",
        detail: "As many devices follow this order as may.",
        retryAfterSeconds: 86_400
    )

    /// A package cannot be made now.
    static let packageUnavailable = Problem(
        status: .serviceUnavailable,
        code: "wallet_package_unavailable",
        detail: "The order cannot be signed for Wallet at present: its certificate is missing, or its time is over.",
        retryAfterSeconds: 300
    )
}
