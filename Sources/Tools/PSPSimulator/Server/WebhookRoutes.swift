import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// The endpoints with which an account says where it wants to hear of changes.
///
/// `/dashboard/accounts/{account}/webhook` stands for the PSP's own pages and asks for no key; `/v1/webhook` is of the
/// simulator's own dialect, where the key names the account.
struct WebhookRoutes: Sendable {
    let dialect: any PSPDialect
    let bookkeeper: Bookkeeper
    let webhookSender: WebhookSender
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        add("dashboard/accounts/:account/webhook", to: router) { request in request.parameter("account") }
        guard dialect is SimulatorDialect else { return }
        add("v1/webhook", to: router) { request throws(Refusal) in try AccountName(of: request).name }
    }

    private func add(
        _ path: RouterPath,
        to router: Router<SimulatorContext>,
        _ account: @escaping @Sendable (PSPRequest) throws(Refusal) -> String
    ) {
        router.put(path) { request, context in
            try await answer(request, context, account) { account throws(Refusal) in
                let body = try await SimulatorRoutes.body(of: request, limit: sender.limits.bodyBytes)
                try register(try CommandReader.webhook(body), for: account)
                await bookkeeper.watch()
            }
        }
        router.get(path) { request, context in
            try await answer(request, context, account) { account throws(Refusal) in
                guard webhookSender.endpoint(of: account) != nil else { throw .notFound }
            }
        }
        router.delete(path) { request, context in
            try await answer(request, context, account) { account throws(Refusal) in
                guard webhookSender.unregister(account) else { throw .notFound }
            }
        }
    }

    private func register(_ registration: (url: String, secret: String), for account: String) throws(Refusal) {
        do throws(WebhookEndpointError) {
            try webhookSender.register(
                WebhookEndpoint(account: account, url: registration.url, secret: registration.secret, dialect: dialect)
            )
        } catch {
            throw .invalid(error.description)
        }
    }

    private func answer(
        _ request: Request,
        _ context: SimulatorContext,
        _ name: (PSPRequest) throws(Refusal) -> String,
        _ act: (_ account: String) async throws(Refusal) -> Void
    ) async throws -> Response {
        let account: String
        do throws(Refusal) {
            account = try name(PSPRequest(request, context))
            try await act(account)
        } catch {
            return try await sender.send(error, context)
        }
        let url = webhookSender.endpoint(of: account)?.url
        return try await sender.send(
            .object(omittingAbsent: ["object": "webhook", "url": url.map(JSON.string)]),
            context
        )
    }
}
