/// What a kind of key is answered by an operation.
package enum Access: Hashable, Sendable {
    /// This status.
    case status(Int)
    /// Whatever the request deserves: neither 401, nor 403, nor 404.
    case allowed

    /// 403.
    package static let forbidden = Access.status(403)
    /// 404, as if it were not there.
    package static let hidden = Access.status(404)
    /// 200.
    package static let shown = Access.status(200)

    /// Whether a status is what it should be.
    package func isMet(by status: Int) -> Bool {
        switch self {
        case .status(let expected): status == expected
        case .allowed: ![401, 403, 404].contains(status) && status < 500
        }
    }
}

/// A kind of key, or of none.
package enum APIKeyKind: String, CaseIterable, Sendable {
    case none, unknown, revoked, expired, otherMarketplace, checkout, `operator`, adjuster, twoMerchants
    case itsMerchant, anotherMerchant
}

/// An operation of the API, and what each kind of key is answered.
///
/// The one table of all operations: a test compares it with the API's document, and others take the routes from it.
package struct AccessRow: Sendable {
    /// The operation as the document has it, `GET /v1/orders/{id}`.
    package let operation: String
    private let access: @Sendable (APIKeyKind) -> Access

    /// The method, `GET` or `POST`.
    package var method: String { operation.split(separator: " ").first.map(String.init) ?? "" }

    /// The path with names in braces, `/v1/orders/{id}`.
    package var path: String { operation.split(separator: " ").last.map(String.init) ?? "" }

    /// What a kind of key is answered.
    package func expected(_ kind: APIKeyKind) -> Access { access(kind) }

    /// An operation that asks for no key.
    package static func open(_ operation: String, _ status: Int) -> AccessRow {
        AccessRow(operation: operation) { _ in .status(status) }
    }

    /// An operation that asks for a key; keys without any scope for it, a merchant's included, are forbidden.
    package static func keyed(
        _ operation: String,
        other: Access,
        checkout: Access,
        operator: Access,
        itsMerchant: Access = .forbidden,
        anotherMerchant: Access = .forbidden
    ) -> AccessRow {
        AccessRow(operation: operation) { kind in
            switch kind {
            case .none, .unknown, .revoked, .expired: .status(401)
            case .otherMarketplace: other
            case .checkout: checkout
            case .operator: `operator`
            case .adjuster, .twoMerchants: .forbidden
            case .itsMerchant: itsMerchant
            case .anotherMerchant: anotherMerchant
            }
        }
    }

    /// Every operation.
    ///
    /// What the airline's key sees of an order, a payment or a merchant is the airline's here.
    package static let all: [AccessRow] = [
        // Bodies and keys are read behind the scope: a request without an idempotency key or with a wrong body is known
        // by its own refusal.
        .keyed("POST /v1/orders", other: .status(400), checkout: .status(400), operator: .forbidden),
        .keyed("GET /v1/orders", other: .shown, checkout: .shown, operator: .shown),
        .keyed("GET /v1/orders/{id}", other: .hidden, checkout: .shown, operator: .shown),
        .keyed("GET /v1/orders/{id}/events", other: .hidden, checkout: .shown, operator: .shown),
        .keyed("POST /v1/orders/{id}/wait", other: .hidden, checkout: .shown, operator: .shown),
        .keyed("POST /v1/orders/{id}/capture", other: .hidden, checkout: .forbidden, operator: .allowed),
        .keyed("POST /v1/orders/{id}/release", other: .hidden, checkout: .forbidden, operator: .allowed),
        .keyed("POST /v1/orders/{id}/cancel", other: .hidden, checkout: .allowed, operator: .allowed),
        .keyed("POST /v1/orders/{id}/refunds", other: .hidden, checkout: .forbidden, operator: .allowed),
        .keyed("GET /v1/refunds/{id}", other: .hidden, checkout: .shown, operator: .shown),
        .keyed(
            "GET /v1/payments/{id}",
            other: .hidden,
            checkout: .shown,
            operator: .shown,
            itsMerchant: .shown,
            anotherMerchant: .hidden
        ),
        .keyed("POST /v1/payments/{id}/cancel", other: .hidden, checkout: .allowed, operator: .allowed),
        .keyed("POST /v1/payments/{id}/complete", other: .hidden, checkout: .allowed, operator: .allowed),
        .keyed("POST /v1/payment-requests", other: .status(422), checkout: .status(422), operator: .forbidden),
        .keyed("POST /v1/payment-requests/{id}", other: .status(422), checkout: .status(422), operator: .forbidden),
        .keyed("POST /v1/payment-requests/validate", other: .allowed, checkout: .allowed, operator: .forbidden),
        .keyed("GET /v1/merchants", other: .shown, checkout: .shown, operator: .shown),
        .keyed("POST /v1/merchants", other: .status(422), checkout: .forbidden, operator: .status(422)),
        .keyed(
            "GET /v1/merchants/{id}",
            other: .hidden,
            checkout: .shown,
            operator: .shown,
            itsMerchant: .shown,
            anotherMerchant: .hidden
        ),
        .keyed(
            "GET /v1/merchants/{id}/statement",
            other: .hidden,
            checkout: .forbidden,
            operator: .shown,
            itsMerchant: .shown,
            anotherMerchant: .hidden
        ),
        .keyed(
            "GET /v1/merchants/{id}/invoices",
            other: .hidden,
            checkout: .forbidden,
            operator: .shown,
            itsMerchant: .shown,
            anotherMerchant: .hidden
        ),
        .keyed(
            "POST /v1/merchants/{id}/invoices",
            other: .status(422),
            checkout: .forbidden,
            operator: .status(422)
        ),
        // No invoice is issued here.
        .keyed(
            "GET /v1/invoices/{id}",
            other: .hidden,
            checkout: .forbidden,
            operator: .hidden,
            itsMerchant: .hidden,
            anotherMerchant: .hidden
        ),
        .keyed("POST /v1/apple-pay/sessions", other: .status(422), checkout: .status(422), operator: .forbidden),
        .open("GET /.well-known/apple-developer-merchantid-domain-association", 404),
        .open("GET /v1/psp/{psp}/{account}/webhooks", 404),
        .open("POST /v1/psp/{psp}/{account}/webhooks", 404),
        .open("GET /livez", 200), .open("GET /readyz", 200), .open("GET /metrics", 200),
        .open("GET /openapi.json", 200), .open("GET /schemas/callbacks/v1", 200),
        .open("GET /schemas/callbacks/v1/{file}", 404), .open("GET /problems", 200), .open("GET /problems/{code}", 404),
    ]
}
