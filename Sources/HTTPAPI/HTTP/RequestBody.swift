import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// Reads request bodies strictly.
struct RequestBody: Sendable {
    let limits: APILimits

    /// The body as JSON.
    ///
    /// - Throws: a ``Problem``: 415 for another content type, 413 for too long a body, 400 for what is not JSON.
    func json(of request: Request) async throws -> JSON { try await json(of: request, limit: limits.bodyBytes) }

    /// The body as JSON, of at most `limit` bytes.
    ///
    /// - Throws: as ``json(of:)``.
    func json(of request: Request, limit: Int) async throws -> JSON {
        try checkFields(of: request)
        return try parse(await bytes(of: request, limit: min(limit, limits.bodyBytes)))
    }

    /// Refuses a body that its fields say is no JSON as it is.
    private func checkFields(of request: Request) throws(Problem) {
        let type = request.headers[.contentType]?.boundedASCII.map { $0.prefix { $0 != ";" }.lowercased() } ?? ""
        guard type.filter({ $0 != " " }) == "application/json" else {
            throw Problem(
                status: .unsupportedMediaType,
                code: "unsupported_media_type",
                detail: "Send \"Content-Type: application/json\"."
            )
        }
        if let coding = request.headers[.contentEncoding], coding.boundedASCII?.lowercased() != "identity" {
            throw Problem(
                status: .unsupportedMediaType,
                code: "unsupported_content_encoding",
                detail: "Send the body as it is, without Content-Encoding."
            )
        }
    }

    private func parse(_ bytes: [UInt8]) throws(Problem) -> JSON {
        do throws(JSONRefusal) {
            return try JSON.parse(bytes, depthLimit: limits.jsonDepth, runs: .refused)
        } catch {
            throw Problem.invalid([error.violation], status: .badRequest)
        }
    }

    /// The body as JSON; an empty object where there is none at all.
    ///
    /// - Throws: as ``json(of:)``.
    func optionalJSON(of request: Request) async throws -> JSON {
        if request.headers[.contentLength] == "0" { return .object([]) }
        // Of a body of HTTP/2's nothing but its end need say how long it is.
        let isAnnounced = request.headers[.transferEncoding] != nil || request.headers[.contentLength] != nil
        if isAnnounced { return try await json(of: request) }
        let bytes = try await bytes(of: request, limit: limits.bodyBytes)
        guard !bytes.isEmpty else { return .object([]) }
        try checkFields(of: request)
        return try parse(bytes)
    }

    /// The body as it came, whatever it is.
    ///
    /// - Throws: a ``Problem``: 413 for a body longer than `limit` bytes, 400 for one that ends too early.
    func bytes(of request: Request, limit: Int) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Self.tooLarge(limit)
        }
        do {
            let buffer = try await request.body.collect(upTo: limit)
            let announced = request.headers[.contentLength].flatMap { Int($0) } ?? buffer.readableBytes
            guard announced == buffer.readableBytes else { throw Self.incomplete }
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Self.tooLarge(limit)
        } catch let error as HTTPError where error.status == .contentTooLarge {
            throw Self.tooLarge(limit)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The connection ended, or was never HTTP: whoever still reads is told, and it is no fault of ours.
            throw Self.incomplete
        }
    }

    private static let incomplete = Problem(
        status: .badRequest,
        code: "body_incomplete",
        detail: "The body ended before its end."
    )

    private static func tooLarge(_ limit: Int) -> Problem {
        Problem(
            status: .contentTooLarge,
            code: "body_too_large",
            detail: "The body is longer than \(limit) bytes."
        )
    }
}

extension JSON {
    /// The same document with the members of every object in the order of their keys' bytes.
    var canonical: JSON {
        switch self {
        case .array(let items): .array(items.map(\.canonical))
        case .object(let members):
            .object(
                members.map { .init($0.key, $0.value.canonical) }
                    .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            )
        case .null, .bool, .integer, .number, .string: self
        }
    }
}
