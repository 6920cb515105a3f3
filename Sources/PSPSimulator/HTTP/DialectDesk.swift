import HTTPTypes
import Hummingbird
import Logging

/// Takes the requests of a dialect to the books and their answers back, late, broken or not at all where a trigger
/// says so.
struct DialectDesk: Sendable {
    let dialect: any Dialect
    let bookkeeper: Bookkeeper
    let courier: WebhookCourier
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        for route in dialect.routes {
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
            let (reply, handling) = try await perform(try route.read(wire), wire)
            return try await sender.send(repeating(wire, in: reply), context, handling)
        } catch let refusal as Refusal {
            let reply = dialect.reply(refusing: refusal, to: wire, about: nil)
            return try await sender.send(repeating(wire, in: reply), context)
        } catch let error as BooksFileError {
            context.logger.error("the books cannot be written", metadata: ["reason": "\(error)"])
            return try await sender.send(dialect.serverError, context, .close)
        }
    }

    /// The answer with the fields that the PSP repeats of the request.
    private func repeating(_ request: PSPRequest, in reply: PSPReply) -> PSPReply {
        var reply = reply
        for name in dialect.repeatedHeaders {
            if let value = request.header(name) { reply.headers.append((name, value)) }
        }
        return reply
    }

    private func perform(_ ask: Ask, _ wire: PSPRequest) async throws -> (PSPReply, Handling) {
        switch ask {
        case .answer(let reply): return (reply, .answer(afterMilliseconds: 0))
        case .given(let id, let account, let then):
            let found = await bookkeeper.read { books, now in books.authorization(id, of: account, at: now) }
            let next: Ask
            do throws(Refusal) {
                next = try then(found)
            } catch {
                return (dialect.reply(refusing: error, to: wire, about: found), .answer(afterMilliseconds: 0))
            }
            return try await perform(next, wire)
        case .inquire(let account, let find):
            return try await bookkeeper.read { books, now in
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
        _ write: (Reply) -> PSPReply?
    ) async throws -> (PSPReply, Handling) {
        let verdict = try await bookkeeper.receive(account: requester.account, key: requester.key, command: command)
        if let patience = verdict.patience, let authorization = verdict.reply?.authorization {
            await courier.settled(authorization, within: patience)
        }
        if case .refusal(let refusal) = verdict.reply {
            let subject = await subject(of: command, requester)
            return (dialect.reply(refusing: refusal, to: wire, about: subject), verdict.handling)
        }
        guard var reply = verdict.reply.flatMap(write) else { return (dialect.serverError, verdict.handling) }
        if verdict.isReplay, let name = dialect.replayHeader { reply.headers.append((name, "true")) }
        return (reply, verdict.handling)
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

extension PSPRequest {
    /// The request as it came, without its body.
    init(_ request: Request, _ context: SimulatorContext) {
        self.init(path: request.uri.path, origin: ReplySender.origin(of: request))
        parameters = Dictionary(context.parameters.map { (String($0.key), String($0.value)) }) { first, _ in first }
        query = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        headers = request.headers.map { ($0.name.rawName, $0.value) }
    }
}
