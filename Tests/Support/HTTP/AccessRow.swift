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
    case none, unknown, revoked, expired, otherMarketplace, checkout, support, `operator`, adjuster, admin, publishable
    case twoMerchants, itsMerchant, anotherMerchant
}

/// An operation of the API, and what each kind of key is answered.
///
/// The one table of all operations: a test compares it with the API's document, and others take the routes from it.
package struct AccessRow: Sendable {
    /// The operation as the document has it, `GET /v1/orders/{id}`.
    package let operation: String
    /// Whether it asks for no key.
    package let isOpen: Bool
    private let access: @Sendable (APIKeyKind) -> Access

    /// The method, `GET`, `POST`, `PUT` or `DELETE`.
    package var method: String { operation.split(separator: " ").first.map(String.init) ?? "" }

    /// The path with names in braces, `/v1/orders/{id}`.
    package var path: String { operation.split(separator: " ").last.map(String.init) ?? "" }

    /// What a kind of key is answered.
    package func expected(_ kind: APIKeyKind) -> Access { access(kind) }

    /// An operation that asks for no key.
    package static func open(_ operation: String, _ status: Int) -> AccessRow {
        AccessRow(operation: operation, isOpen: true) { _ in .status(status) }
    }

    /// An operation by which a marketplace or any of its merchants tells of goods; the body is read before it is known whose the
    /// order is.
    package static func told(_ operation: String) -> AccessRow {
        keyed(
            operation,
            other: .status(422),
            checkout: .status(422),
            operator: .status(422),
            itsMerchant: .status(422),
            anotherMerchant: .status(422)
        )
    }

    /// An operation that asks for a key; keys without any scope for it, a merchant's included, are forbidden.
    package static func keyed(
        _ operation: String,
        other: Access,
        checkout: Access = .forbidden,
        support: Access = .forbidden,
        operator: Access = .forbidden,
        adjuster: Access = .forbidden,
        admin: Access = .forbidden,
        publishable: Access = .forbidden,
        itsMerchant: Access = .forbidden,
        anotherMerchant: Access = .forbidden
    ) -> AccessRow {
        AccessRow(operation: operation, isOpen: false) { kind in
            switch kind {
            case .none, .unknown, .revoked, .expired: .status(401)
            case .otherMarketplace: other
            case .checkout: checkout
            case .support: support
            case .operator: `operator`
            case .adjuster: adjuster
            case .admin: admin
            case .twoMerchants: .forbidden
            case .publishable: publishable
            case .itsMerchant: itsMerchant
            case .anotherMerchant: anotherMerchant
            }
        }
    }

    /// A list, which shows every key that reads it its own part.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - checkout: what the scope `checkout` is answered.
    ///   - merchant: what a merchant's own key is answered.
    /// - Returns: the row.
    private static func list(
        _ path: String,
        checkout: Access = .forbidden,
        merchant: Access = .shown
    ) -> AccessRow {
        .keyed(
            "GET \(path)",
            other: .shown,
            checkout: checkout,
            support: .shown,
            operator: .shown,
            itsMerchant: merchant,
            anotherMerchant: merchant
        )
    }

    /// One thing, which nobody is shown but those of its marketplace and the merchant whose it is.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - checkout: what the scope `checkout` is answered.
    ///   - merchant: what the airline's own key is answered; a key of another merchant is answered as if there were nothing.
    /// - Returns: the row.
    private static func item(
        _ path: String,
        checkout: Access = .forbidden,
        merchant: Access = .shown
    ) -> AccessRow {
        .keyed(
            "GET \(path)",
            other: .hidden,
            checkout: checkout,
            support: .shown,
            operator: .shown,
            itsMerchant: merchant,
            anotherMerchant: merchant == .forbidden ? .forbidden : .hidden
        )
    }

    /// An operator's act.
    private static func act(_ path: String) -> AccessRow {
        .keyed("POST \(path)", other: .hidden, operator: .allowed)
    }

    /// An act about the airline's endpoint, which operators do and the airline with its own key.
    private static func endpointAct(_ path: String) -> AccessRow {
        .keyed(
            "POST \(path)",
            other: .hidden,
            operator: .allowed,
            itsMerchant: .allowed,
            anotherMerchant: .hidden
        )
    }

    /// Every operation.
    ///
    /// What the airline's key sees of an order, a payment or a merchant is the airline's here.
    package static let all: [AccessRow] = [
        // Bodies and keys are read behind the scope: a request without an idempotency key or with a wrong body is known
        // by its own refusal.
        .keyed("POST /v1/orders", other: .status(400), checkout: .status(400), operator: .forbidden),
        .list("/v1/orders", checkout: .shown, merchant: .forbidden),
        .item("/v1/orders/by-reference/{reference}", checkout: .shown, merchant: .forbidden),
        .item("/v1/orders/{id}", checkout: .shown, merchant: .forbidden),
        .item("/v1/orders/{id}/events", checkout: .shown, merchant: .forbidden),
        .item("/v1/orders/{id}/operations", merchant: .forbidden),
        .list("/v1/events", checkout: .shown), .list("/v1/payments", checkout: .shown),
        .list("/v1/refunds", checkout: .shown), .list("/v1/disputes"),
        .item("/v1/disputes/{id}"), .list("/v1/payouts"), .item("/v1/payouts/{id}"),
        .list("/v1/balances"), .item("/v1/merchants/{id}/balances"),
        .list("/v1/breaks"), .item("/v1/breaks/{id}"), .list("/v1/attention"),
        .list("/v1/holds"), .list("/v1/psp-accounts", merchant: .forbidden), .list("/v1/callback-endpoints"),
        .list("/v1/callbacks"), .item("/v1/callbacks/{id}"), .list("/v1/psp-webhooks", merchant: .forbidden),
        .item("/v1/psp-webhooks/{id}", merchant: .forbidden),
        .keyed("POST /v1/orders/{id}/wait", other: .hidden, checkout: .shown, operator: .shown),
        .keyed("POST /v1/orders/{id}/capture", other: .hidden, checkout: .forbidden, operator: .allowed),
        .keyed("POST /v1/orders/{id}/release", other: .hidden, checkout: .forbidden, operator: .allowed),
        .keyed("POST /v1/orders/{id}/cancel", other: .hidden, checkout: .allowed, operator: .allowed),
        .keyed("POST /v1/orders/{id}/refunds", other: .hidden, checkout: .forbidden, operator: .allowed),
        .item("/v1/refunds/{id}", checkout: .shown), .item("/v1/payments/{id}", checkout: .shown),
        // The order's payments are captured, behind which only an operator calls one off.
        .keyed("POST /v1/payments/{id}/cancel", other: .hidden, checkout: .status(403), operator: .allowed),
        .keyed("POST /v1/payments/{id}/complete", other: .hidden, checkout: .allowed, operator: .allowed),
        .keyed(
            "POST /v1/payment-requests",
            other: .status(422),
            checkout: .status(422),
            operator: .forbidden,
            publishable: .status(422)
        ),
        .keyed("POST /v1/payment-requests/{id}", other: .status(422), checkout: .status(422), operator: .forbidden),
        .keyed("POST /v1/payment-requests/validate", other: .allowed, checkout: .allowed, operator: .forbidden),
        .list("/v1/agreements", checkout: .shown), .item("/v1/agreements/{id}", checkout: .shown),
        .keyed("POST /v1/agreements", other: .status(422), checkout: .status(422), operator: .status(422)),
        .keyed("POST /v1/agreements/{id}/end", other: .hidden, checkout: .allowed, operator: .allowed),
        .keyed(
            "POST /v1/agreements/{id}/charges",
            other: .status(422),
            checkout: .status(422),
            operator: .status(422)
        ),
        .list("/v1/merchants", checkout: .shown), .item("/v1/merchants/{id}", checkout: .shown),
        .item("/v1/merchants/{id}/statement"),
        .keyed("POST /v1/merchants", other: .status(422), checkout: .forbidden, operator: .status(422)),
        .item("/v1/merchants/{id}/invoices"),
        .keyed("POST /v1/merchants/{id}/invoices", other: .status(422), operator: .status(422)),
        // No invoice is issued here.
        .keyed(
            "GET /v1/invoices/{id}",
            other: .hidden,
            support: .hidden,
            operator: .hidden,
            itsMerchant: .hidden,
            anotherMerchant: .hidden
        ),
        .keyed("POST /v1/orders/{id}/resolve", other: .status(422), operator: .status(422)),
        .keyed("POST /v1/orders/{id}/record", other: .status(422), operator: .status(422)),
        .keyed("POST /v1/callbacks/replay", other: .status(422), operator: .status(422)),
        .keyed("POST /v1/psp-webhooks/{id}/dismiss", other: .status(422), operator: .status(422)),
        .keyed("POST /v1/apple-pay/hashes", other: .status(422), operator: .status(422)),
        .act("/v1/orders/{id}/retry"), .act("/v1/payouts/{id}/fail"),
        .keyed("POST /v1/payouts", other: .status(422), operator: .status(422)),
        // What becomes of a break that an adjuster does not post needs an operator.
        .keyed("POST /v1/breaks/{id}/resolve", other: .hidden, operator: .allowed, adjuster: .forbidden),
        .act("/v1/psp-webhooks/{id}/replay"), .act("/v1/callback-endpoints/{id}"),
        // The other marketplace has an account of that name, too.
        .keyed("POST /v1/psp-accounts/{id}/pause", other: .allowed, operator: .allowed),
        .keyed("POST /v1/psp-accounts/{id}/resume", other: .allowed, operator: .allowed),
        .endpointAct("/v1/callback-endpoints/{id}/enable"), .endpointAct("/v1/callback-endpoints/{id}/test"),
        .endpointAct("/v1/callback-endpoints/{id}/replay"), .endpointAct("/v1/callback-endpoints/{id}/rotate"),
        .endpointAct("/v1/callbacks/{id}/replay"),
        .act("/v1/merchants/{id}/pause"), .act("/v1/merchants/{id}/resume"),
        // Of the kinds of key here only this one administers the marketplace, and the stage has no key of that id.
        .keyed("GET /v1/audit", other: .shown, support: .shown, operator: .shown, admin: .shown),
        // Every key but a publishable one sees itself, and no other.
        .keyed(
            "GET /v1/key",
            other: .shown,
            checkout: .shown,
            support: .shown,
            operator: .shown,
            adjuster: .shown,
            admin: .shown,
            itsMerchant: .shown,
            anotherMerchant: .shown
        ),
        .keyed("GET /v1/keys", other: .forbidden, admin: .shown),
        .keyed("POST /v1/keys", other: .forbidden, admin: .status(422)),
        .keyed("POST /v1/keys/{id}/revoke", other: .forbidden, admin: .hidden),
        .keyed("POST /v1/apply", other: .forbidden, admin: .status(422)),
        .keyed(
            "GET /v1/test-clock",
            other: .shown,
            checkout: .shown,
            support: .shown,
            operator: .shown,
            admin: .shown
        ),
        .keyed("POST /v1/test-clock/advance", other: .status(422), operator: .status(422), admin: .status(422)),
        .keyed(
            "POST /v1/apple-pay/sessions",
            other: .status(422),
            checkout: .status(422),
            operator: .forbidden,
            publishable: .status(422)
        ),
        .open("GET /.well-known/apple-developer-merchantid-domain-association", 404),
        .open("GET /v1/apple-pay/merchant-tokens/{merchant}/notification/merchantToken/{event}", 200),
        .open("GET /v1/psp/{psp}/{account}/webhooks", 404),
        .open("POST /v1/psp/{psp}/{account}/webhooks", 404),
        .told("PUT /v1/orders/{id}/fulfillments/{external_identifier}"),
        .told("PUT /v1/orders/{id}/returns/{external_identifier}"),
        .told("PUT /v1/orders/{id}/receipts/{payment}"),
        .told("PUT /v1/orders/{id}/receipts/{payment}/{refund}"),
        .keyed(
            "POST /v1/orders/{id}/wallet-package-links",
            other: .status(422),
            checkout: .status(422),
            operator: .status(422)
        ),
        .open("POST /wallet-orders/v1/devices/{device}/registrations/{type}/{id}", 401),
        .open("DELETE /wallet-orders/v1/devices/{device}/registrations/{type}/{id}", 401),
        .open("GET /wallet-orders/v1/devices/{device}/registrations/{type}", 401),
        .open("GET /wallet-orders/v1/orders/{type}/{id}", 401),
        .open("GET /wallet-orders/links/{type}/{id}/{proof}", 401),
        .open("POST /wallet-orders/v1/log", 200),
        .open("GET /livez", 200), .open("GET /readyz", 200), .open("GET /metrics", 200),
        .open("GET /openapi.json", 200), .open("GET /schemas/callbacks/v1", 200),
        .open("GET /schemas/callbacks/v1/{file}", 404), .open("GET /problems", 200), .open("GET /problems/{code}", 404),
    ]
}
