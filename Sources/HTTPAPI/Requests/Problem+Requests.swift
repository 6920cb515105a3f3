import Domain
import HTTPTypes
import StrictJSON

/// Refusals of requests about an order that exists, in the words of the API.
extension Problem {
    /// The problem that answers a refusal.
    ///
    /// - Parameters:
    ///   - refusal: why the order does not do it.
    ///   - order: the order.
    ///   - items: the payments that the body names, in its order.
    init(_ refusal: RequestRefusal, of order: OrderID, items: [PaymentID]) {
        let place = refusal.payment.flatMap { payment in items.lastIndex(of: payment) }
        let member = refusal.available == nil ? "payment" : "amount"
        let pointer = place.map { "/items/\($0)/\(member)" } ?? (refusal.available == nil ? "" : "/amount")
        let violation = Violation(pointer: pointer, code: refusal.code.rawValue, detail: refusal.detail)
        self.init(
            status: refusal.code.status,
            code: refusal.code.rawValue,
            detail: refusal.detail,
            errors: refusal.code.status == .unprocessableContent ? [violation] : [],
            order: order.text
        )
        availableAmount = refusal.available
    }
}

extension RequestRefusal.Code {
    /// 409 for what another moment may allow or has made impossible, 422 for what this request asks wrongly.
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .notCapturable, .notCancelable, .notRefundable, .captureInProgress, .alreadyCaptured,
            .authorizationExpired, .actionNotRequired, .operationSettled, .operationInFlight, .nothingToRetry,
            .notReleasable, .nothingHeld, .releaseInProgress, .disputeDecided, .feeSettled, .referenceKnown:
            .conflict
        case .captureExceedsAuthorized, .partialCaptureUnsupported, .multipleCapturesUnsupported, .captureInPart,
            .allocationRequired, .refundExceedsCaptured, .unknownPayment, .repeatedPayment, .invalidAmount,
            .releaseUnsupported, .disputeExceedsCaptured:
            .unprocessableContent
        case .unknownOperation: .notFound
        }
    }
}
