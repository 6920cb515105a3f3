import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// The endpoint with which an account says where it wants to hear of changes.
struct WebhookRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let courier: WebhookCourier
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        router.put("v1/webhook") { request, context in
            try await answer(request, context) { account throws(Refusal) in
                let body = try await SimulatorRoutes.body(of: request, limit: sender.limits.bodyBytes)
                let wish = try CommandReader.webhook(body)
                do throws(WebhookEndpointError) {
                    try courier.register(WebhookEndpoint(account: account, url: wish.url, secret: wish.secret))
                } catch {
                    throw .invalid(error.description)
                }
                await bookkeeper.watch()
            }
        }
        router.get("v1/webhook") { request, context in
            try await answer(request, context) { account throws(Refusal) in
                guard courier.endpoint(of: account) != nil else { throw .notFound }
            }
        }
        router.delete("v1/webhook") { request, context in
            try await answer(request, context) { account throws(Refusal) in
                guard courier.unregister(account) else { throw .notFound }
            }
        }
    }

    private func answer(
        _ request: Request,
        _ context: SimulatorContext,
        _ act: (_ account: String) async throws(Refusal) -> Void
    ) async throws -> Response {
        let account: String
        do throws(Refusal) {
            account = try Account(of: request).name
            try await act(account)
        } catch {
            return try await sender.send(Verdict(.refusal(error)), to: request, context)
        }
        let url = courier.endpoint(of: account)?.url
        let json: JSON = .object(omittingAbsent: ["object": "webhook", "url": url.map(JSON.string)])
        return try await sender.send(json, status: 200, to: request, context)
    }
}
