import Hummingbird
import StrictJSON

/// The endpoints that tell what became of a request.
struct InquiryRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        router.get("v1/authorizations/:id") { request, context in
            try await answer(request, context) { books, account, now, origin in
                let id = context.parameters.get("id") ?? ""
                guard let found = books.authorization(id, of: account, at: now) else { return .nothing }
                return Finding(found, since: found.createdAt, ReplyDocument.json(found, origin: origin))
            }
        }
        router.get("v1/authorizations") { request, context in
            let reference = request.uri.queryParameters["reference"].map(String.init) ?? ""
            return try await list(request, context) { books, account, now, origin in
                books.authorizations(reference: reference, of: account, at: now)
                    .map { Finding($0, since: $0.createdAt, ReplyDocument.json($0, origin: origin)) }
            }
        }
        router.get("v1/operations") { request, context in
            let reference = request.uri.queryParameters["reference"].map(String.init) ?? ""
            return try await list(request, context) { books, account, now, _ in
                books.operations(reference: reference, of: account, at: now)
                    .map { Finding($1, since: $0.at, ReplyDocument.json($0, of: $1)) }
            }
        }
    }

    /// Something found, and what its token says of inquiries.
    private struct Finding: Sendable {
        var json: JSON?
        var delivery = Delivery.prompt
        var visibleAt: Int64 = .min

        static let nothing = Finding()

        private init() {}

        init(_ authorization: Authorization, since time: Int64, _ json: JSON) {
            self.json = json
            delivery = authorization.script.delivery(of: .inquire)
            if case .hide(let milliseconds) = authorization.script.effect(of: .inquire) {
                visibleAt = time + milliseconds
            }
        }
    }

    private func answer(
        _ request: Request,
        _ context: SimulatorContext,
        _ find: @Sendable (Books, _ account: String, _ now: Int64, _ origin: String) -> Finding
    ) async throws -> Response {
        guard let account = try? Account(of: request) else { return try await refuse(.unauthorized, request, context) }
        let origin = ReplySender.origin(of: request)
        let finding = await bookkeeper.read { books, now in
            let finding = find(books, account.name, now, origin)
            return finding.visibleAt <= now ? finding : .nothing
        }
        guard let json = finding.json else { return try await refuse(.notFound, request, context) }
        return try await sender.send(json, status: 200, finding.delivery.handling, to: request, context)
    }

    private func list(
        _ request: Request,
        _ context: SimulatorContext,
        _ find: @Sendable (Books, _ account: String, _ now: Int64, _ origin: String) -> [Finding]
    ) async throws -> Response {
        guard let account = try? Account(of: request) else { return try await refuse(.unauthorized, request, context) }
        let origin = ReplySender.origin(of: request)
        let findings = await bookkeeper.read { books, now in
            find(books, account.name, now, origin).filter { $0.visibleAt <= now }
        }
        let delivery = findings.first?.delivery ?? .prompt
        let json = ReplyDocument.list(findings.compactMap(\.json))
        return try await sender.send(json, status: 200, delivery.handling, to: request, context)
    }

    private func refuse(
        _ refusal: Refusal,
        _ request: Request,
        _ context: SimulatorContext
    ) async throws -> Response {
        try await sender.send(Verdict(.refusal(refusal)), to: request, context)
    }
}
