import AdapterKit
import Domain

extension Call {
    /// Writes an operation of an order as a call to its PSP.
    ///
    /// The same operation always gives the same call.
    init(
        _ operation: Operation,
        of attempt: Attempt,
        _ payment: Payment,
        in order: Order,
        credential: Credential?,
        capabilities: Capabilities,
        purpose: Purpose
    ) throws(MoneyError) {
        let fee = payment.applicationFee(of: operation, on: attempt.route)
        let kind: Kind =
            switch operation.kind {
            case .authorize:
                .authorize(
                    Authorization(
                        credential: credential,
                        capture: order.isSale(with: capabilities),
                        applicationFee: fee,
                        returnURL: order.terms.returnURL,
                        description: payment.reference
                    )
                )
            case .capture:
                .capture(
                    applicationFee: attempt.route.takesApplicationFee ? operation.commission : nil,
                    isFinal: operation.isFinal
                )
            case .void, .reverse: .void
            case .refund: .refund(applicationFee: fee)
            }
        self.init(
            order: order.id,
            payment: payment.id,
            attempt: attempt.id,
            operation: operation.id,
            reference: payment.reference,
            money: try Money(minorUnits: operation.amount, currency: order.amount.currency),
            merchantAccount: attempt.route.merchantAccount,
            settlesToMerchant: attempt.route.settlesTo == .merchant,
            pspReference: attempt.pspReference,
            pspState: attempt.pspState,
            kind: kind,
            purpose: purpose,
            retries: operation.retries
        )
    }
}

extension Payment {
    /// The part of an operation's amount that the PSP keeps for the marketplace, if the route says so.
    fileprivate func applicationFee(of operation: Operation, on route: FrozenRoute) -> Int64? {
        guard route.takesApplicationFee else { return nil }
        let fee = operation.kind == .authorize ? allocation.commission : operation.commission ?? 0
        return fee > 0 ? fee : nil
    }
}
