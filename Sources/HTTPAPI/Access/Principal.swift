import Domain
import Gateway
import HTTPTypes
import Hummingbird
import Storage
import StrictJSON

/// Who asks: the marketplace a key opens, what the key may do there, and what a trail of it needs.
struct Principal: Hashable, Sendable {
    /// The marketplace.
    let marketplace: String
    /// The key, by its identifier.
    let key: KeyID
    /// What the key is called.
    let keyName: String
    /// What the key may do.
    let scopes: Set<String>
    /// The address that the request came from: behind a proxy that is not trusted, the proxy's.
    let peer: String?
    /// The request's identifier.
    let requestID: String
    /// The mode of the marketplace, and so of the key.
    let mode: MarketplaceMode

    /// Who stands on what comes of the request.
    var caller: Caller { Caller(actor: key.text, peer: peer, request: requestID) }

    /// Who acts, as the audit trail names them.
    var actor: AuditActor { .key(key, name: keyName, from: peer, request: requestID) }

    /// Whether the key stands in pages, where everybody reads it.
    var isPublishable: Bool { scopes.contains(Scope.publishable.rawValue) }

    /// What a request needs.
    enum Scope: String, Sendable {
        /// Place and read orders.
        case checkout
        /// Read everything of the marketplace, and change nothing.
        case support
        /// Make Apple Pay sessions and payment requests from a page.
        case publishable
        /// Read everything of the marketplace, and change what operators change.
        case `operator`
        /// Write off and force what files and books differ by.
        case adjuster
        /// Declare the marketplace, its PSP accounts and its merchants.
        case admin

        /// Who reads orders, payments, refunds and merchants.
        static let readers: [Scope] = [.checkout, .support, .operator]
        /// Who reads everything.
        static let insiders: [Scope] = [.support, .operator]
    }

    /// Refuses a key that has none of the scopes.
    ///
    /// - Throws: a 403 ``Problem``.
    func require(_ allowed: Scope...) throws(Problem) { try require(anyOf: allowed) }

    /// Refuses a key that has none of the scopes.
    ///
    /// - Throws: a 403 ``Problem``.
    func require(anyOf allowed: [Scope]) throws(Problem) {
        guard allowed.contains(where: { scopes.contains($0.rawValue) }) else {
            let names = allowed.map(\.rawValue).joined(separator: " or ")
            throw Problem(
                status: .forbidden,
                code: "insufficient_scope",
                detail: "The key needs the scope \(names) for this.",
                key: key
            )
        }
    }

    /// The merchant whose alone the key may read; nil if it has one of the scopes, and reads all of the marketplace.
    ///
    /// - Throws: a 403 ``Problem`` if it has none of them and is no merchant's own.
    @discardableResult
    func reads(_ allowed: [Scope]) throws(Problem) -> MerchantID? {
        if let onlyMerchant { return onlyMerchant }
        try require(anyOf: allowed)
        return nil
    }

    /// Refuses a key that may read neither all of the marketplace nor one merchant.
    ///
    /// - Throws: a 403 ``Problem``.
    func requireReading() throws(Problem) { try reads(Scope.readers) }

    /// Refuses a key that may see neither the money of all merchants nor of its own.
    ///
    /// - Throws: a 403 ``Problem``.
    func requireStatements() throws(Problem) { try reads(Scope.insiders) }

    /// The one merchant a key is limited to; nil for keys of the whole marketplace, and for those that name none or
    /// several, which may read nothing.
    var onlyMerchant: MerchantID? {
        guard scopes.isDisjoint(with: Scope.readers.map(\.rawValue)) else { return nil }
        let prefix = "merchant:"
        let named = scopes.filter { $0.hasPrefix(prefix) }
        guard named.count == 1, let name = named.first else { return nil }
        return MerchantID(String(name.dropFirst(prefix.count)))
    }
}

/// Reads the `Idempotency-Key` header.
enum IdempotencyKey {
    private static let lengthLimit = 255

    /// The key.
    ///
    /// - Throws: a 400 ``Problem`` if it is missing, longer than 255 characters, or not printable ASCII.
    static func text(of request: Request) throws(Problem) -> String {
        guard let name = HTTPField.Name("Idempotency-Key"), let text = request.headers[name], !text.isEmpty else {
            throw Problem(
                status: .badRequest,
                code: "idempotency_key_missing",
                detail: "Send an Idempotency-Key header, the same one each time you repeat the request."
            )
        }
        guard text.utf8.count <= lengthLimit, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Problem(
                status: .badRequest,
                code: "idempotency_key_malformed",
                detail: "The Idempotency-Key header is printable ASCII without spaces, at most 255 characters."
            )
        }
        return text
    }
}

extension JSON {
    /// An answer that says of each thing of the marketplace that it shows whether it is live.
    func told(to principal: Principal) -> JSON {
        let isLive = principal.mode == .live
        guard case .object(let members) = self, case .array(let data)? = self["data"], self["has_more"] != nil else {
            return saying(livemode: isLive)
        }
        return .object(
            members.map { member in
                member.key == "data" ? Member("data", .array(data.map { $0.saying(livemode: isLive) })) : member
            }
        )
    }
}
