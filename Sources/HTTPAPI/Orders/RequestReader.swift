package import Domain
import Storage
package import StrictJSON

/// Reads the bodies of requests about an order that exists.
enum RequestReader {
    /// An order has no more payments than this.
    private static let itemLimit = 1000

    /// The body of `POST /v1/orders/{id}/capture`: `{}` for all that is held, or amounts of payments.
    ///
    /// - Throws: `InvalidDocument`.
    static func capture(_ json: JSON) throws(InvalidDocument) -> CaptureRequest {
        try json.read(refusingNull: true) { body in
            guard body.contains("items") else { return .whole }
            return body.array("items", count: 1...itemLimit) { item -> CaptureRequest.Item? in
                let payment = payment(item)
                let amount = item.integer("amount", .optional, in: 1 ... .max)
                let isFinal = item.bool("final", .optional)
                return payment.map { CaptureRequest.Item(payment: $0, amount: amount, isFinal: isFinal ?? true) }
            }.map(CaptureRequest.items)
        }
    }

    /// The body of `POST /v1/orders/{id}/release`: `{}` for all that is held, or payments.
    ///
    /// - Throws: `InvalidDocument`.
    static func release(_ json: JSON) throws(InvalidDocument) -> ReleaseRequest {
        try json.read(refusingNull: true) { body in
            guard body.contains("items") else { return .whole }
            return body.array("items", count: 1...itemLimit, payment).map(ReleaseRequest.payments)
        }
    }

    /// The body of `POST /v1/orders/{id}/cancel`: `{}` for the order, or payments of it, by id or by their merchants'
    /// external identifiers.
    ///
    /// - Parameters:
    ///   - json: the body.
    ///   - payments: the order's payments, if the body names one by its merchant.
    /// - Returns: the payments; nil for the whole order.
    /// - Throws: `InvalidDocument`.
    static func cancel(_ json: JSON, among payments: [Payment]) throws(InvalidDocument) -> [PaymentID]? {
        try json.read(refusingNull: true) { body -> [PaymentID]?? in
            guard body.contains("items") else { return .some(nil) }
            return body.array("items", count: 1...itemLimit) { item in payment(item, among: payments) }.map {
                .some($0)
            }
        }
    }

    private static func payment(_ item: ObjectReader, among payments: [Payment]) -> PaymentID? {
        guard item.contains("external_identifier") else { return payment(item) }
        if item.contains("payment") {
            item.refuse("external_identifier", "contradiction", "Cannot stand beside payment.")
            item.ignore("payment")
        }
        guard
            let name = item.string("external_identifier", length: 1...128, by: TextRule.identifier.accept)
        else { return nil }
        guard let payment = payments.first(where: { $0.externalIdentifier.utf8.elementsEqual(name.utf8) }) else {
            item.refuse("external_identifier", "unknown_payment", "The order has no payment of this merchant.")
            return nil
        }
        return payment.id
    }

    /// How long a request waits for a change of an order unless it says otherwise, and at the most, in milliseconds.
    private static let (waitMilliseconds, waitLimitMilliseconds): (Int64, Int64) = (20_000, 60_000)

    /// The body of `POST /v1/orders/{id}/wait`: behind which version, and for how long.
    ///
    /// - Throws: `InvalidDocument`.
    static func wait(_ json: JSON) throws(InvalidDocument) -> (version: Int64?, milliseconds: Int64) {
        try json.read(refusingNull: true) { body in
            let version = body.integer("after_version", .optional, in: 0 ... .max)
            let milliseconds = body.integer("timeout_ms", .optional, in: 1...waitLimitMilliseconds)
            return (version, milliseconds ?? waitMilliseconds)
        }
    }

    /// The body of a request that says nothing.
    ///
    /// - Throws: `InvalidDocument`.
    static func nothing(_ json: JSON) throws(InvalidDocument) { _ = try json.read(refusingNull: true) { _ in true } }

    /// The body of `POST /v1/orders/{id}/refunds`: `{}` for all that is left, an amount, or amounts of payments.
    ///
    /// - Throws: `InvalidDocument`.
    static func refund(_ json: JSON) throws(InvalidDocument) -> RefundRequest {
        try json.read(refusingNull: true) { body in
            let borneBy = body.choice("borne_by", .optional, of: Refund.Bearer.self)
            let reason = body.string("reason", .optional, length: 1...500, by: TextRule.freeText.accept)
            guard let share = share(body) else { return nil }
            return RefundRequest(share, borneBy: borneBy ?? .merchant, reason: reason ?? "")
        }
    }

    private static func share(_ body: ObjectReader) -> RefundRequest.Share? {
        let amount = body.integer("amount", .optional, in: 1 ... .max)
        let allocate = body.string("allocate", .optional, oneOf: ["proportional"])
        guard body.contains("items") else {
            if body.contains("allocate"), !body.contains("amount") {
                body.refuse("amount", "missing_field", "What is allocated needs an amount.")
            }
            guard body.contains("amount") else { return .all }
            return amount.map { allocate == nil ? .amount($0) : .proportional($0) }
        }
        for key in ["amount", "allocate"] where body.contains(key) {
            body.refuse(key, "contradiction", "Cannot stand beside items.")
        }
        return body.array("items", count: 1...itemLimit) { item -> Refund.Item? in
            let payment = payment(item)
            let amount = item.integer("amount", in: 1 ... .max)
            guard let payment, let amount else { return nil }
            return Refund.Item(payment: payment, amount: amount)
        }.map(RefundRequest.Share.items)
    }

    private static func payment(_ item: ObjectReader) -> PaymentID? {
        item.parsed("payment", expecting: "a payment's id") { PaymentID($0) }
    }
}

/// Writes refunds as the API shows them.
package enum RefundPresenter {
    /// A refund of an order as JSON.
    package static func json(
        _ refund: Refund,
        of order: Order,
        to reader: OrderPresenter.Reader = .marketplace
    ) -> JSON {
        .object(omittingAbsent: [
            "id": .string(refund.id.text), "livemode": .bool(order.clock.isLive), "order": .string(order.id.text),
            "order_reference": reader == .marketplace ? .optional(order.reference) : .none,
            "status": .string(order.status(of: refund).rawValue), "amount": .integer(refund.amount),
            "refunded_amount": .integer(order.amountRefunded(by: refund.id)),
            "currency": .string(order.amount.currency.code), "borne_by": .string(refund.borneBy.rawValue),
            "reason": refund.reason.isEmpty ? .none : .string(refund.reason),
            "items": .array(refund.items.map { item($0, of: refund, in: order) }),
            "created_at": .string(refund.createdAt.description),
        ]).withDecimals(in: order.amount.currency)
    }

    /// A refund of an order as JSON: to a merchant, what is given back of its own payments; nil if that is nothing.
    package static func json(_ refund: Refund, of order: Order, for merchant: MerchantID?) -> JSON? {
        guard let merchant else { return json(refund, of: order) }
        let part = RefundList.Item(refund: refund, order: order).part(of: merchant)
        return part.map { json($0.refund, of: $0.order, to: .merchant) }
    }

    private static func item(_ item: Refund.Item, of refund: Refund, in order: Order) -> JSON {
        let payment = order.payments.first { $0.id == item.payment }
        let operations = payment?.attempts.flatMap(\.operations).filter { $0.refund == refund.id } ?? []
        let done = operations.reduce(0) { $0 + $1.doneAmount }
        return .object(omittingAbsent: [
            "payment": .string(item.payment.text),
            "merchant": payment.map { .string($0.merchant.text) },
            "external_identifier": payment.map { .string($0.externalIdentifier) },
            "amount": .integer(item.amount), "refunded_amount": .integer(done),
            "status": .string(status(operations, done: done, of: item)),
            "psp_reference": operations.compactMap(\.reference).last.map(JSON.string),
            "failure": operations.last.flatMap(failure),
        ]).withDecimals(in: order.amount.currency)
    }

    private static func status(_ operations: [Operation], done: Int64, of item: Refund.Item) -> String {
        if operations.contains(where: \.isOpen) { return Refund.Status.pending.rawValue }
        if done >= item.amount { return Refund.Status.succeeded.rawValue }
        return (done > 0 ? Refund.Status.partiallySucceeded : .failed).rawValue
    }

    private static func failure(_ operation: Operation) -> JSON? {
        switch operation.state {
        case .rejected(let rejection), .reversed(let rejection):
            ["code": .string(rejection.code), "message": .string(rejection.message)]
        case .declined(let decline): ["code": .string(decline.code), "message": .string(decline.message)]
        case .notSent(let reason): ["code": "not_sent", "message": .string(reason)]
        case .open, .unknown, .pending, .actionRequired, .succeeded: nil
        }
    }
}
