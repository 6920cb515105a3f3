import HTTPTypes
import Hummingbird
import Logging

/// Takes the requests of a dialect to the books and their answers back, late, broken or not at all where a trigger
/// says so.
struct DialectEndpoints: Sendable {
    let handler: DialectHandler
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        for route in handler.dialect.routes {
            guard let method = HTTPRequest.Method(rawValue: route.method.rawValue) else { continue }
            router.on(RouterPath(route.path), method: method) { request, context in
                try await answer(route, request, context)
            }
        }
    }

    private func answer(
        _ route: DialectRoute,
        _ request: Request,
        _ context: SimulatorContext
    ) async throws -> Response {
        var wire = PSPRequest(request, context)
        do {
            wire.body = try await SimulatorRoutes.body(of: request, limit: sender.limits.bodyBytes)
        } catch {
            return try await sender.send(handler.refusing(error, wire), context)
        }
        do {
            let (reply, handling) = try await handler.answer(wire, by: route)
            return try await sender.send(reply, context, handling)
        } catch let error as BooksFileError {
            context.logger.error("the books cannot be written", metadata: ["reason": "\(error)"])
            return try await sender.send(handler.dialect.serverError, context, .close)
        }
    }
}

extension PSPRequest {
    /// The request as it came, without its body.
    init(_ request: Request, _ context: SimulatorContext) {
        self.init(path: request.uri.path, origin: ReplySender.origin(of: request))
        parameters = Dictionary(context.parameters.map { (String($0.key), String($0.value)) }) { first, _ in first }
        query = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        headers = request.headers.map { ($0.name.rawName, $0.value) }
    }
}

/// Takes what a request asks to the books, and writes their answer as the PSP would.
struct DialectHandler: Sendable {
    let dialect: any PSPDialect
    let bookkeeper: Bookkeeper
    let webhookSender: WebhookSender

    /// The answer to a request, and how it is to be given.
    ///
    /// - Throws: ``BooksFileError``.
    func answer(_ request: PSPRequest, by route: DialectRoute) async throws -> (PSPReply, Handling) {
        do {
            let (reply, handling) = try await perform(try route.read(request), request)
            return (repeating(request, in: reply), handling)
        } catch let refusal as Refusal {
            return (refusing(refusal, request), .answer(afterMilliseconds: 0))
        }
    }

    /// The answer to a request that is refused.
    func refusing(_ refusal: Refusal, _ request: PSPRequest) -> PSPReply {
        repeating(request, in: dialect.reply(refusing: refusal, to: request, about: nil))
    }

    /// The answer with the fields that the PSP repeats of the request.
    private func repeating(_ request: PSPRequest, in reply: PSPReply) -> PSPReply {
        var reply = reply
        for name in dialect.repeatedHeaders {
            if let value = request.header(name) { reply.headers.append((name, value)) }
        }
        return reply
    }

    private func perform(_ ask: Reply, _ wire: PSPRequest) async throws -> (PSPReply, Handling) {
        switch ask {
        case .answer(let reply): return (reply, .answer(afterMilliseconds: 0))
        case .given(let id, let account, let then):
            let found = await bookkeeper.read { books, now in books.authorization(id, of: account, at: now) }
            let next: Reply
            do throws(Refusal) {
                next = try then(found)
            } catch {
                return (dialect.reply(refusing: error, to: wire, about: found), .answer(afterMilliseconds: 0))
            }
            return try await perform(next, wire)
        case .inquire(let account, let find):
            return try await bookkeeper.inquire { books, now in
                var view = BooksView(books, account: account, at: now)
                return Result { () throws(Refusal) in try find(&view) }
                    .map { ($0, view.delivery?.handling ?? .answer(afterMilliseconds: 0)) }
            }.get()
        case .authorize(let command, let requester, let reply):
            return try await submit(.authorize(command), requester, wire) { answer in
                if case .authorization(let authorization) = answer { reply(authorization) } else { nil }
            }
        case .change(let command, let requester, let reply):
            return try await submit(.change(command), requester, wire) { answer in
                if case .operation(let operation, of: let authorization) = answer {
                    reply(operation, authorization)
                } else {
                    nil
                }
            }
        }
    }

    private func submit(
        _ command: Command,
        _ requester: Requester,
        _ wire: PSPRequest,
        _ write: (BookResult) -> PSPReply?
    ) async throws -> (PSPReply, Handling) {
        let answer = try await bookkeeper.receive(account: requester.account, key: requester.key, command: command)
        if let wait = answer.webhookWait, let authorization = answer.reply?.authorization {
            await webhookSender.waitUntilSent(authorization, within: wait)
        }
        if case .refusal(let refusal) = answer.reply {
            let subject = await subject(of: command, requester)
            return (dialect.reply(refusing: refusal, to: wire, about: subject), answer.handling)
        }
        guard var reply = answer.reply.flatMap(write) else { return (dialect.serverError, answer.handling) }
        if answer.isReplay, let name = dialect.replayHeader { reply.headers.append((name, "true")) }
        return (reply, answer.handling)
    }

    /// What a refused change was about.
    private func subject(of command: Command, _ requester: Requester) async -> Authorization? {
        guard case .change(let change) = command else { return nil }
        return await bookkeeper.read { books, now in
            switch change.target {
            case .id(let id): books.authorization(id, of: requester.account, at: now)
            case .reference(let reference):
                books.authorizations(reference: reference, of: requester.account, at: now).first
            }
        }
    }
}
