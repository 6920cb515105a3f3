import Hummingbird
import NIOCore

/// The simulator's endpoints.
struct SimulatorRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let courier: WebhookCourier
    let limits: SimulatorLimits
    let dialect: any Dialect

    func router() -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.get("livez") { _, _ in Response(status: .ok) }
        let clerk = DialectClerk(dialect: dialect, bookkeeper: bookkeeper, courier: courier)
        DialectDesk(clerk: clerk, sender: sender).add(to: router)
        BooksRoutes(bookkeeper: bookkeeper, courier: courier, sender: sender).add(to: router)
        WebhookRoutes(dialect: dialect, bookkeeper: bookkeeper, courier: courier, sender: sender).add(to: router)
        DashboardRoutes(bookkeeper: bookkeeper, sender: sender).add(to: router)
        ActionRoutes(bookkeeper: bookkeeper, sender: sender).add(to: router)
        return router
    }

    private var sender: ReplySender { ReplySender(limits: limits, serverError: dialect.serverError) }

    /// The whole body.
    ///
    /// - Throws: ``Refusal/tooLarge``, or ``Refusal`` if it does not come whole.
    static func body(of request: Request, limit: Int) async throws(Refusal) -> [UInt8] {
        do {
            let buffer = try await request.body.collect(upTo: limit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw .tooLarge
        } catch {
            throw .invalid("The body did not come whole.")
        }
    }
}
