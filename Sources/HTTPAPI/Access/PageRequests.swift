import Domain
import HTTPTypes
import Hummingbird
import Synchronization

/// What is asked with publishable keys, which everybody has who reads a page: from pages of listed origins, and only so
/// much of each key at once.
///
/// A program can name any origin, or none: that keeps other pages out, and the limit keeps programs from being more than
/// a part of what the server does, and what Apple sees of the merchant.
final class PageRequests: Sendable {
    private let origins: Set<String>
    private let limit: Int
    /// How many requests of each key are in hand; a key that has none is not there.
    private let inHand = Mutex<[KeyID: Int]>([:])

    /// Makes a count of nothing.
    ///
    /// - Parameters:
    ///   - origins: the origins whose pages may ask.
    ///   - limit: how many requests one key may have in hand.
    init(origins: Set<String>, limit: Int) {
        self.origins = origins
        self.limit = limit
    }

    /// Refuses a publishable key on a page whose origin is not listed.
    ///
    /// - Throws: a 403 ``Problem``.
    func requireListedOrigin(of request: Request, by principal: Principal) throws(Problem) {
        guard principal.isPublishable, let origin = request.headers[.origin] else { return }
        if let text = origin.boundedASCII, origins.contains(text) { return }
        throw Problem(
            status: .forbidden,
            code: "unlisted_origin",
            detail: "The server's page_origins do not list the origin of this page.",
            key: principal.key
        )
    }

    /// Does something for a key, and counts it as in hand meanwhile if the key is publishable.
    ///
    /// - Throws: a 429 ``Problem`` if the key has as many in hand as it may, or what `body` throws.
    func counting<Value>(_ principal: Principal, _ body: () async throws -> Value) async throws -> Value {
        guard principal.isPublishable else { return try await body() }
        let key = principal.key
        let isIn = inHand.withLock { inHand in
            let count = inHand[key, default: 0]
            guard count < limit else { return false }
            inHand[key] = count + 1
            return true
        }
        guard isIn else {
            throw Problem(
                status: .tooManyRequests,
                code: "too_many_requests",
                detail: "Of this publishable key, as many requests are in hand as may be.",
                retryAfterSeconds: 1
            )
        }
        defer {
            inHand.withLock { inHand in
                let count = inHand[key, default: 0]
                inHand[key] = count > 1 ? count - 1 : nil
            }
        }
        return try await body()
    }
}
