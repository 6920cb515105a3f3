import Crypto
import HTTPTransport
import StrictJSON
import WireFormats

/// The simulator's own wire format, as README.md of its adapter documents it.
package struct SimulatorDialect: PSPDialect {
    private let vault = SimulatorVault(methods: StoredMethods())

    /// Makes the dialect.
    package init() {}

    package let replayHeader: String? = "Idempotent-Replayed"
    package let repeatedHeaders = ["Idempotency-Key"]
    package let serverError = PSPReply(500, ReplyDocument.serverError)

    package var routes: [DialectRoute] {
        let changes: [(String, OperationKind)] = [("captures", .capture), ("void", .void), ("refunds", .refund)]
        return [
            DialectRoute(.post, "v1/authorizations", authorize),
            DialectRoute(.delete, "v1/stored-methods/:id", vault.forget),
            DialectRoute(.get, "v1/authorizations/:id", Self.authorization),
            DialectRoute(.get, "v1/authorizations", Self.authorizations),
            DialectRoute(.get, "v1/operations", Self.operations),
            DialectRoute(.get, "v1/events", Self.events),
        ]
            + changes.flatMap { word, kind in
                [
                    DialectRoute(.post, "v1/authorizations/:id/\(word)") { request throws(Refusal) in
                        try Self.change(kind, of: .id(request.parameter("id")), request)
                    },
                    DialectRoute(.post, "v1/authorizations/by-reference/:reference/\(word)") {
                        request throws(Refusal) in
                        try Self.change(kind, of: .reference(request.parameter("reference")), request)
                    },
                ]
            }
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        PSPReply(refusal.status, ReplyDocument.json(refusal, of: authorization))
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] {
        [WebhookNotice(id: event.id, ReplyDocument.json(event, origin: origin))]
    }

    package func accepts(secret: String) -> Bool { StandardWebhookKey(secret) != nil }

    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let body = notice.document.bytes
        let key = StandardWebhookKey(endpoint.secret)
        return WebhookPost(
            headers: [
                HTTPHeader("Content-Type", "application/json"), HTTPHeader("webhook-id", notice.id),
                HTTPHeader("webhook-timestamp", "\(seconds)"),
                HTTPHeader(
                    "webhook-signature",
                    key?.signature(id: notice.id, seconds: seconds, body: body) ?? ""
                ),
            ],
            body: body
        )
    }

    private func authorize(_ request: PSPRequest) throws(Refusal) -> Reply {
        let requester = try Self.requester(request)
        let command = try CommandReader.authorize(request.body)
        return try vault.authorize(command, by: requester) { authorization in
            let reply = BookResult.authorization(authorization)
            return PSPReply(reply.status, ReplyDocument.json(reply, origin: request.origin))
        }
    }

    private static func change(
        _ kind: OperationKind,
        of target: ChangeCommand.Target,
        _ request: PSPRequest
    ) throws(Refusal) -> Reply {
        let requester = try requester(request)
        let command = try CommandReader.change(kind, of: target, request.body)
        return .change(command, by: requester) { operation, authorization in
            let reply = BookResult.operation(operation, of: authorization)
            return PSPReply(reply.status, ReplyDocument.json(reply, origin: request.origin))
        }
    }

    private static func authorization(_ request: PSPRequest) throws(Refusal) -> Reply {
        .inquire(account: try AccountName(of: request).name) { view throws(Refusal) in
            guard let found = view.authorization(request.parameter("id")) else { throw .notFound }
            return PSPReply(200, ReplyDocument.json(found, origin: request.origin))
        }
    }

    private static func authorizations(_ request: PSPRequest) throws(Refusal) -> Reply {
        .inquire(account: try AccountName(of: request).name) { view in
            let found = view.authorizations(reference: request.query("reference") ?? "")
            return list(found.map { ReplyDocument.json($0, origin: request.origin) }, of: request)
        }
    }

    private static func operations(_ request: PSPRequest) throws(Refusal) -> Reply {
        .inquire(account: try AccountName(of: request).name) { view in
            let found = view.operations(reference: request.query("reference") ?? "")
            return list(found.map { ReplyDocument.json($0.operation, of: $0.authorization) }, of: request)
        }
    }

    /// What happened since a moment, a page at a time.
    private static func events(_ request: PSPRequest) throws(Refusal) -> Reply {
        guard let since = request.query("since").flatMap({ Int64($0) }) else {
            throw .invalid("since must be a time in milliseconds since 1970.")
        }
        guard let limit = Int(request.query("limit") ?? "100"), 1...100 ~= limit else {
            throw .invalid("limit must be from 1 to 100.")
        }
        let after = request.query("after")
        return .inquire(account: try AccountName(of: request).name) { view throws(Refusal) in
            var found = view.events(since: since)[...]
            if let after {
                found = found.drop { $0.id != after }
                guard found.popFirst() != nil else { throw .notFound }
            }
            let page = found.prefix(limit).map { ReplyDocument.json($0, origin: request.origin) }
            return PSPReply(200, ReplyDocument.events(page, since: since, hasMore: found.count > limit))
        }
    }

    /// What was found, and by which reference.
    private static func list(_ found: [JSON], of request: PSPRequest) -> PSPReply {
        PSPReply(200, ReplyDocument.list(found, reference: request.query("reference") ?? ""))
    }

    private static func requester(_ request: PSPRequest) throws(Refusal) -> Requester {
        let account = try AccountName(of: request)
        guard let key = request.header("Idempotency-Key"), (1...255).contains(key.utf8.count) else {
            throw .missingKey
        }
        return Requester(account: account.name, key: key)
    }
}

/// Signs webhooks as Standard Webhooks 1.0 says.
///
/// Written apart from what verifies them, so that the two check each other.
struct StandardWebhookKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The key in a secret, base 64 with or without `whsec_` before it; nil if it is empty or not base 64.
    init?(_ secret: String) {
        let text = secret.hasPrefix("whsec_") ? secret.dropFirst("whsec_".count) : secret[...]
        guard let bytes = Base64.decode(text), !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// The value of `webhook-signature`.
    func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        let message = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: bytes))
        return "v1," + Base64.encode(Array(code))
    }
}
