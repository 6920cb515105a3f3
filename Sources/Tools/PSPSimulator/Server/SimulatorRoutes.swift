import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import StrictJSON

/// The simulator's endpoints.
struct SimulatorRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let webhookSender: WebhookSender
    let limits: SimulatorLimits
    let dialect: any PSPDialect
    let reports: SettlementReports

    func router() -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.get("livez") { _, _ in Response(status: .ok) }
        let handler = DialectHandler(dialect: dialect, bookkeeper: bookkeeper, webhookSender: webhookSender)
        DialectEndpoints(handler: handler, sender: sender).add(to: router)
        BooksRoutes(bookkeeper: bookkeeper, webhookSender: webhookSender, sender: sender).add(to: router)
        ReportRoutes(bookkeeper: bookkeeper, reports: reports, sender: sender).add(to: router)
        WebhookRoutes(dialect: dialect, bookkeeper: bookkeeper, webhookSender: webhookSender, sender: sender).add(
            to: router
        )
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

/// What a request handler knows of its request: above all the connection, which some triggers cut.
struct SimulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// The endpoints that show the books, for operators and tests; they ask for no key.
private struct BooksRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let webhookSender: WebhookSender
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        router.get("books") { _, context in
            let counts = webhookSender.counts
            let json = await bookkeeper.read { books, now in BooksDocument.json(books, counts, at: now) }
            return try await sender.send(json, context)
        }
        router.get("books/:account") { _, context in
            let account = context.parameters.get("account") ?? ""
            let found = await bookkeeper.read { books, now in BooksDocument.json(books, account: account, at: now) }
            guard let json = found else {
                return try await sender.send(Refusal.notFound, context)
            }
            return try await sender.send(json, context)
        }
    }
}

/// The page that an authorization with status `requires_action` sends the buyer to.
///
/// Visiting it approves; with `?result=deny` it declines. It asks for no key, as the buyer's browser has none.
private struct ActionRoutes: Sendable {
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

/// The endpoints that stand for the merchant in the PSP's dashboard and for the bank; they ask for no key.
private struct DashboardRoutes: Sendable {
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
            guard let kind = context.parameters.get("deed").flatMap(DashboardAction.Kind.init(rawValue:)) else {
                throw Refusal.notFound
            }
            let body = try await SimulatorRoutes.body(of: request, limit: sender.limits.bodyBytes)
            let authorization = try await bookkeeper.receive(CommandReader.action(kind, to: target, body))
            return try await sender.send(BooksDocument.json(authorization), context)
        } catch let refusal as Refusal {
            return try await sender.send(refusal, context)
        } catch let error as BooksFileError {
            context.logger.error("the books cannot be written", metadata: ["reason": "\(error)"])
            return try await sender.send(sender.serverError, context, .close)
        }
    }
}
