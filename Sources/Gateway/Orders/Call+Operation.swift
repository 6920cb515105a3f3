import AdapterKit
import Domain

extension Order {
    /// Whether its payments are authorized and captured in one call: only where the policy can never need
    /// compensation, the PSP offers it, and no deadline cuts the waiting short.
    ///
    /// It never changes, so that a webhook that comes long afterwards is read as the call was written.
    func isSale(with capabilities: Capabilities) -> Bool {
        let needsNoCompensation = payments.count == 1 || terms.policy == .bestEffort
        return capabilities.saleInOneCall && needsNoCompensation && terms.capture == .automatic
            && terms.onDeadline == .continue
    }
}

extension Call {
    /// Writes an operation of an order as a call to its PSP.
    ///
    /// The same operation always gives the same call.
    init(
        _ operation: Operation,
        of attempt: Attempt,
        _ payment: Payment,
        in order: Order,
        details: AuthorizationDetails?,
        capabilities: Capabilities,
        purpose: Purpose
    ) throws(MoneyError) {
        let fee = payment.applicationFee(of: operation, on: attempt.route)
        let kind: Kind =
            switch operation.kind {
            case .authorize:
                .authorize(
                    Authorization(
                        credential: details?.credential,
                        capture: order.isSale(with: capabilities),
                        applicationFee: fee,
                        returnURL: order.terms.returnURL.map { ReturnURL.addressing($0, payment.id, of: order.id) },
                        description: payment.reference,
                        buyer: details?.buyer,
                        statementDescriptor: details?.statementDescriptor,
                        lineItems: details?.lineItems ?? [],
                        shipping: details?.shipping,
                        initiation: order.agreement.map { Initiation($0, after: details?.earlierPayment) } ?? .buyer
                    )
                )
            case .capture:
                .capture(
                    applicationFee: attempt.route.takesApplicationFee ? operation.commission : nil,
                    isFinal: operation.isFinal || PlantedBug.restReleased.isPlanted
                )
            case .void, .reverse: .void
            case .refund: .refund(applicationFee: fee)
            }
        self.init(
            order: order.id,
            payment: payment.id,
            attempt: payment.nameAtPSP(of: attempt),
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

extension Initiation {
    /// Who starts a payment under an agreement.
    fileprivate init(_ use: AgreementUse, after earlier: EarlierPayment?) {
        guard let reason = use.charge else {
            self = .buyerStoring(FirstPayment(agreement: use.agreement, type: use.type))
            return
        }
        self = .merchant(
            MerchantCharge(
                agreement: use.agreement,
                type: use.type,
                reason: reason,
                firstReference: earlier?.reference,
                networkTransactionIDs: earlier?.networkTransactionIDs ?? []
            )
        )
    }
}

extension Payment {
    /// The part of an operation's amount that the PSP keeps for the marketplace, if the route says so.
    fileprivate func applicationFee(of operation: Operation, on route: RouteSnapshot) -> Int64? {
        guard route.takesApplicationFee else { return nil }
        let fee = operation.kind == .authorize ? allocation.commission : operation.commission ?? 0
        return fee > 0 ? fee : nil
    }
}
