import HTTPTypes
import Hummingbird
import StrictJSON

/// The page that an authorization with status `requires_action` sends the buyer to.
///
/// Visiting it approves; with `?result=deny` it declines. It asks for no key, as the buyer's browser has none.
struct ActionRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        router.get("actions/:id") { request, context in
            let approves = request.uri.queryParameters["result"].map(String.init) != "deny"
            let id = context.parameters.get("id") ?? ""
            guard let authorization = try await bookkeeper.receive(answerFor: id, approves: approves) else {
                return try await sender.send(Refusal.notFound, context)
            }
            if let returnURL = authorization.command.returnURL {
                return Response(status: .seeOther, headers: [.location: returnURL])
            }
            let json: JSON = ["status": .string(authorization.status.rawValue)]
            return try await sender.send(json, context)
        }
    }
}
