import Hummingbird
import StrictJSON

/// The endpoints that show the books, for operators and tests; they ask for no key.
struct BooksRoutes: Sendable {
    let bookkeeper: Bookkeeper
    let courier: WebhookCourier
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        router.get("books") { _, context in
            let counts = courier.counts
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
