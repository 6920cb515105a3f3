import HTTPTypes
import Hummingbird
import Logging
import StrictJSON

/// The endpoints that stand for the merchant in the PSP's dashboard and for the bank; they ask for no key.
struct DashboardRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        router.post("dashboard/authorizations/:id/:deed") { request, context in
            try await act(on: .id(context.parameters.get("id") ?? ""), request, context)
        }
        router.post("dashboard/authorizations/by-reference/:reference/:deed") { request, context in
            try await act(on: .reference(context.parameters.get("reference") ?? ""), request, context)
        }
    }

    private func act(
        on target: ChangeCommand.Target,
        _ request: Request,
        _ context: SimulatorContext
    ) async throws -> Response {
        do {
            guard let deed = context.parameters.get("deed").flatMap(DashboardAction.Deed.init(rawValue:)) else {
                throw Refusal.notFound
            }
            let body = try await SimulatorRoutes.body(of: request, limit: sender.limits.bodyBytes)
            let authorization = try await bookkeeper.receive(CommandReader.action(deed, to: target, body))
            return try await sender.send(BooksDocument.json(authorization), context)
        } catch let refusal as Refusal {
            return try await sender.send(refusal, context)
        } catch let error as BooksFileError {
            context.logger.error("the books cannot be written", metadata: ["reason": "\(error)"])
            return try await sender.send(sender.serverError, context, .close)
        }
    }
}
