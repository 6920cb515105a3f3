import StrictJSON
import TributaryClient

/// An order as the shop's pages see it: nothing of commissions, accounts and references.
struct CartOrder: Sendable {
    private static let resting: Set<TributaryClient.Word> = [
        "captured", "declined", "rejected", "not_sent", "voided", "expired", "capture_failed",
    ]
    private static let leftOut: Set<TributaryClient.Word> = [
        "declined", "rejected", "not_sent", "voiding", "voided", "expired", "capture_failed",
    ]

    private let order: TributaryClient.Order

    init(_ order: TributaryClient.Order) { self.order = order }

    /// Whether nothing of it is or will be charged, so that the cart may be paid again.
    var isRefused: Bool { order.decision == "refused" || order.decision == "canceled" }

    /// Whether each part has come to rest.
    private var isFinal: Bool {
        (isRefused || order.decision == "accepted") && order.payments.allSatisfy { Self.resting.contains($0.status) }
    }

    /// The document for the page.
    func json(_ settings: ShopSettings) -> JSON {
        .object(omittingAbsent: [
            "id": .string(order.id), "status": .string(order.status.rawValue),
            "decision": .string(order.decision.rawValue), "final": .bool(isFinal), "refused": .bool(isRefused),
            "currency": .string(order.currency), "amount": .integer(order.amount),
            "captured_amount": .integer(order.capturedAmount), "refunded_amount": .integer(order.refundedAmount),
            "parts": .array(order.payments.map { part($0, settings) }),
            "next": isRefused ? [] : .array(order.nextActions.compactMap(step)),
            "apple_pay": order.document["apple_pay"],
        ])
    }

    private func part(_ payment: TributaryClient.Payment, _ settings: ShopSettings) -> JSON {
        let item = settings.items.first { $0.merchant == payment.externalIdentifier }
        return .object(omittingAbsent: [
            "payment": .string(payment.id), "merchant": .string(payment.externalIdentifier),
            "name": .string(item?.merchantName ?? payment.externalIdentifier), "amount": .integer(payment.amount),
            "status": .string(payment.status.rawValue), "counts": .bool(!Self.leftOut.contains(payment.status)),
            "refunded_amount": .integer(payment.refundedAmount), "message": payment.decline.map { .string($0.message) },
        ])
    }

    /// A step that is a page to go to; a browser follows only https, and http on this machine.
    private func step(_ step: TributaryClient.Order.Step) -> JSON? {
        guard let url = step.action.url else { return nil }
        let loopback = ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"]
        guard url.hasPrefix("https://") || loopback.contains(where: url.hasPrefix) else { return nil }
        return ["payment": .string(step.payment), "url": .string(url)]
    }
}
