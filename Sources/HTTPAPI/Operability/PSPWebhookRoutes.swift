import AdapterKit
import Domain
import Gateway
import HTTPTypes
import Hummingbird

/// `/v1/psp/{psp}/{account}/webhooks`.
///
/// No key guards it: the signature says whose a webhook is. Nothing but raw bytes is asked of the body.
struct PSPWebhookRoutes: Sendable {
    let receiver: WebhookReceiver
    let clock: any GatewayClock
    let body: RequestBody
    let address: WebhookAddress

    func add(to router: Router<APIContext>) {
        router.post("/v1/psp/{psp}/{account}/webhooks") { request, context in try await receive(request, context) }
        router.get("/v1/psp/{psp}/{account}/webhooks") { request, context in try await prove(request, context) }
    }

    /// The account's name, behind its marketplace's and a colon if the URL says that; nil for what cannot be one, before
    /// anything is asked of the database.
    private static func account(_ context: APIContext) -> String? {
        guard let name = context.pathParameter("account") else { return nil }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { TextRule.slug.allows(String($0)) } ? name : nil
    }

    private func prove(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let psp = context.pathParameter("psp"), let account = Self.account(context),
            let reply = try await receiver.challenge(request.uri.query ?? "", for: account, of: psp)
        else { throw Problem.unknownAccount }
        return Response(reply)
    }

    private func receive(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let psp = context.pathParameter("psp"), let account = Self.account(context) else {
            throw Problem.unknownAccount
        }
        // Nobody has shown who they are: not a byte is read for an account that is not there.
        guard let limit = try await receiver.limit(for: account, of: psp) else { throw Problem.unknownAccount }
        let incoming = IncomingWebhook(
            body: try await body.bytes(of: request, limit: limit),
            headers: request.headers.map { Header($0.name.rawName, $0.value) },
            url: address.url(authority: request.head.authority, path: request.uri.string),
            receivedAt: clock.now()
        )
        guard let reply = try await receiver.receive(incoming, for: account, of: psp) else {
            throw Problem.unknownAccount
        }
        return Response(reply)
    }
}

extension Response {
    /// A PSP's own form of an acknowledgement.
    fileprivate init(_ reply: WireReply) {
        var headers = HTTPFields()
        for header in reply.headers {
            if let name = HTTPField.Name(header.name) { headers.append(HTTPField(name: name, value: header.value)) }
        }
        self.init(
            status: HTTPResponse.Status(code: reply.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body))
        )
    }
}

extension Problem {
    fileprivate static let unknownAccount = Problem(
        status: .notFound,
        code: "not_found",
        detail: "No PSP account of that name takes webhooks here."
    )
}

/// The URL that is registered at a PSP for its webhooks, which some of them sign.
struct WebhookAddress: Hashable, Sendable {
    /// Where the outside reaches the server, without a slash at the end; nil if nobody said.
    let publicURL: String?

    /// The URL of a request for `path`; unless somebody said, that of the host it names, by https as PSPs demand.
    func url(authority: String?, path: String) -> String { (publicURL ?? "https://\(authority ?? "")") + path }
}
