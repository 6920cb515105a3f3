@testable import PSPSimulator

/// What a PSP calls a payment in its twin's books and what was done to it, as its own documents tell it on the wire.
///
/// Nothing of it comes from our books: our names are here as the PSP was told them.
struct TwinNames {
    let psp: SettledPSP
    let authorization: PSPSimulator.Authorization

    /// The payment.
    var payment: String {
        switch psp {
        case .stripe: StripeDocument.paymentName(authorization)
        case .adyen: AdyenReference.text(authorization.id)
        case .checkout: CheckoutIdentifier.text("pay", authorization.id)
        case .square: SquareName.payment(authorization.id)
        case .braintree: transaction.name.legacy
        }
    }

    /// What we call the payment; nil where the PSP's reports do not tell it.
    var reference: String? {
        switch psp {
        case .stripe: authorization.command.metadata["attempt"]
        case .adyen: authorization.command.reference
        case .checkout: authorization.command.details["reference"]
        case .square: nil
        case .braintree: transaction.orderId
        }
    }

    /// The merchant's account; nil where the reports of these merchants name none, or name it in our reference.
    var merchantAccount: String? {
        switch psp {
        case .square: SquareDocument.location(authorization)
        case .braintree: transaction.merchantAccountId
        case .stripe, .adyen, .checkout: nil
        }
    }

    /// A capture; without an operation that of a sale in one call.
    func capture(_ operation: BookedOperation?) -> String {
        switch psp {
        case .stripe: StripeDocument.chargeName(authorization)
        case .adyen: AdyenReference.text(operation?.id ?? authorization.id)
        case .checkout:
            (operation.map { CheckoutActionDocument($0, of: authorization) }
                ?? CheckoutActionDocument.saleCapture(authorization)).id
        case .square, .braintree: payment
        }
    }

    /// A refund.
    func refund(_ operation: BookedOperation) -> String {
        switch psp {
        case .stripe: StripeDocument.refundName(operation)
        case .adyen: AdyenReference.text(operation.id)
        case .checkout: CheckoutActionDocument(operation, of: authorization).id
        case .square: SquareName.refund(operation.id)
        case .braintree: BraintreeRefund(operation, of: authorization, isFresh: false).name.legacy
        }
    }

    /// A dispute.
    func dispute(_ dispute: BookedDispute) -> String {
        switch psp {
        case .stripe: StripeDocument.disputeName(dispute)
        case .adyen: AdyenReference.text(dispute: dispute.id)
        case .checkout: CheckoutIdentifier.text("dsp", dispute.id)
        case .square: SquareName.dispute(dispute.id)
        case .braintree: BraintreeDispute(dispute, of: transaction).name.legacy
        }
    }

    /// What we call a capture or a refund; nil where the PSP was not told or its reports do not tell it.
    func reference(of operation: BookedOperation) -> String? {
        switch psp {
        case .stripe: operation.metadata["operation"]
        case .adyen: operation.reference
        case .checkout: CheckoutActionDocument(operation, of: authorization).details["reference"]
        case .square: nil
        case .braintree: BraintreeRefund(operation, of: authorization, isFresh: false).orderId
        }
    }

    private var transaction: BraintreeTransaction { BraintreeTransaction(authorization, at: .max) }
}
