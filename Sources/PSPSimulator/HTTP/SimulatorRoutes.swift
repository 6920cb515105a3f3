import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import StrictJSON

/// The simulator's endpoints.
struct SimulatorRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let courier: WebhookCourier
    let limits: SimulatorLimits

    func router() -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.get("livez") { _, _ in Response(status: .ok) }
        addPosts(to: router)
        InquiryRoutes(bookkeeper: bookkeeper, sender: sender).add(to: router)
        BooksRoutes(bookkeeper: bookkeeper, courier: courier, sender: sender).add(to: router)
        WebhookRoutes(bookkeeper: bookkeeper, courier: courier, sender: sender).add(to: router)
        DashboardRoutes(bookkeeper: bookkeeper, sender: sender).add(to: router)
        ActionRoutes(bookkeeper: bookkeeper, sender: sender).add(to: router)
        return router
    }

    private var sender: ReplySender { ReplySender(limits: limits) }

    private func addPosts(to router: Router<SimulatorContext>) {
        router.post("v1/authorizations") { request, context in
            try await post(request, context) { body throws(Refusal) in try CommandReader.authorize(body) }
        }
        let changes: [(String, OperationKind)] = [("captures", .capture), ("void", .void), ("refunds", .refund)]
        for (word, kind) in changes {
            router.post("v1/authorizations/:id/\(word)") { request, context in
                let target = ChangeCommand.Target.id(context.parameters.get("id") ?? "")
                return try await post(request, context) { body throws(Refusal) in
                    try CommandReader.change(kind, of: target, body)
                }
            }
            router.post("v1/authorizations/by-reference/:reference/\(word)") { request, context in
                let target = ChangeCommand.Target.reference(context.parameters.get("reference") ?? "")
                return try await post(request, context) { body throws(Refusal) in
                    try CommandReader.change(kind, of: target, body)
                }
            }
        }
    }

    private func post(
        _ request: Request,
        _ context: SimulatorContext,
        _ parse: ([UInt8]) throws(Refusal) -> Command
    ) async throws -> Response {
        let verdict: Verdict
        do {
            let account = try Account(of: request)
            let key = try Self.key(of: request)
            let command = try parse(try await Self.body(of: request, limit: limits.bodyBytes))
            verdict = try await bookkeeper.receive(account: account.name, key: key, command: command)
            if let patience = verdict.patience, let authorization = verdict.reply?.authorization {
                await courier.settled(authorization, within: patience)
            }
        } catch let refusal as Refusal {
            verdict = Verdict(.refusal(refusal))
        } catch let error as BooksFileError {
            context.logger.error("the books cannot be written", metadata: ["reason": "\(error)"])
            verdict = Verdict(nil, .close)
        }
        return try await sender.send(verdict, to: request, context)
    }

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

    private static func key(of request: Request) throws(Refusal) -> String {
        guard let name = HTTPField.Name("Idempotency-Key"), let key = request.headers[name],
            (1...255).contains(key.utf8.count)
        else { throw .missingKey }
        return key
    }
}
