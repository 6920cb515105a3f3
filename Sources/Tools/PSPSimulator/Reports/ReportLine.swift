/// One movement of money as a PSP reports it, whatever the report looks like.
package struct ReportLine: Hashable, Sendable {
    /// What moved it.
    package enum Kind: String, Hashable, Sendable {
        /// A capture, or the capture that came with an authorization.
        case payment
        /// A refund.
        case refund
        /// What a dispute took.
        case chargeback
        /// What a dispute gave back.
        case chargebackReversal = "chargeback_reversal"
        /// The marketplace's share of a payment that is paid to a merchant, or its return.
        case commission
    }

    /// What moved the money.
    package var kind: Kind
    /// What the PSP was told that the payment is called; empty if its reports do not tell.
    package var reference: String
    /// What it was told that the capture or refund is called, if it was.
    package var changeReference: String?
    /// The merchant's account; empty if the report names none.
    package var merchantAccount: String
    /// The PSP's name of the payment.
    package var payment: String
    /// The PSP's name of what moved the money.
    package var object: String
    /// What it is to the balance, fees apart, in minor units.
    package var amount: Int64
    /// What the PSP takes for it, in minor units.
    package var fee: Int64 = 0
    /// The currency's alphabetic code.
    package var currency: String
    /// When, in milliseconds since 1970.
    package var at: Int64
    /// Whether the PSP pays the merchant, and the marketplace no more than its commission.
    package var settlesToMerchant: Bool

    /// Describes a movement without a fee.
    package init(
        _ kind: Kind,
        reference: String,
        changeReference: String? = nil,
        merchantAccount: String,
        payment: String,
        object: String,
        amount: Int64,
        currency: String,
        at: Int64,
        settlesToMerchant: Bool
    ) {
        self.kind = kind
        self.reference = reference
        self.changeReference = changeReference
        self.merchantAccount = merchantAccount
        self.payment = payment
        self.object = object
        self.amount = amount
        self.currency = currency
        self.at = at
        self.settlesToMerchant = settlesToMerchant
    }

    /// What the balance changes by, in minor units.
    package var net: Int64 { amount - fee }

    /// What tells it from every other of the account.
    package var name: String { "\(object)_\(kind.rawValue)" }

    /// Whether it is paid out to the marketplace.
    package var isMarketplaces: Bool { !settlesToMerchant || kind == .commission }

    /// The day in UTC, `2026-11-23`.
    package var day: String { String(Moment.text(at).prefix(10)) }
}

/// The movements of payments in the books.
extension ReportLine {
    /// Everything that a PSP reports of a payment, in no order.
    ///
    /// What failed after all, and captures that were undone before they settled, are left out. The books know that a
    /// merchant is paid by the commission that a request asked for, and where the PSP keeps the merchant's payments in
    /// an account of their own.
    package static func lines(of authorization: Authorization, in layout: any ReportLayout.Type) -> [ReportLine] {
        let payment = ReportedPayment(authorization: authorization, layout: layout)
        let kept = authorization.command.applicationFee
        var lines: [ReportLine] = []
        if authorization.capturesAtOnce, authorization.captured > 0 {
            let at = authorization.capturedAt ?? authorization.createdAt
            let object = layout.capture(nil, of: authorization)
            lines += payment.lines(.payment, authorization.captured, keeping: kept, object, at)
        }
        for operation in authorization.operations.dropFirst() where operation.status == .succeeded {
            let (amount, at) = (operation.amount, operation.at)
            let change = layout.reference(of: operation, of: authorization)
            switch operation.kind {
            case .capture:
                let (own, object) = (operation.applicationFee ?? kept, layout.capture(operation, of: authorization))
                lines += payment.lines(.payment, amount, keeping: own, object, at, change)
            case .refund:
                let own = layout.commission(returnedBy: operation, of: authorization)
                let object = layout.refund(operation, of: authorization)
                lines += payment.lines(.refund, -amount, keeping: own, object, at, change)
            case .authorize, .void, .inquire: break
            }
        }
        for dispute in authorization.disputes {
            let object = layout.dispute(dispute, of: authorization)
            lines.append(payment.line(.chargeback, -dispute.amount, object, dispute.at))
            guard dispute.returned > 0 else { continue }
            let at = dispute.decidedAt ?? dispute.respondBy
            lines.append(payment.line(.chargebackReversal, dispute.returned, object, at))
        }
        return lines
    }
}

/// A payment of which lines are written.
private struct ReportedPayment {
    let authorization: Authorization
    let layout: any ReportLayout.Type

    /// Whether the PSP pays the merchant.
    private var settlesToMerchant: Bool {
        authorization.account.contains(":") || authorization.operations.contains { ($0.applicationFee ?? 0) > 0 }
    }

    func line(
        _ kind: ReportLine.Kind,
        _ amount: Int64,
        _ object: String,
        _ at: Int64,
        _ change: String? = nil
    ) -> ReportLine {
        ReportLine(
            kind,
            reference: layout.reference(of: authorization) ?? "",
            changeReference: change,
            merchantAccount: layout.merchantAccount(of: authorization) ?? "",
            payment: layout.payment(authorization),
            object: object,
            amount: amount,
            currency: authorization.command.currency,
            at: at,
            settlesToMerchant: settlesToMerchant
        )
    }

    /// The line of a capture or refund, and that of what goes to the marketplace of it: of a capture no more than it took.
    func lines(
        _ kind: ReportLine.Kind,
        _ amount: Int64,
        keeping commission: Int64?,
        _ object: String,
        _ at: Int64,
        _ change: String? = nil
    ) -> [ReportLine] {
        let own = line(kind, amount, object, at, change)
        guard let commission, commission > 0, layout.tellsCommission else { return [own] }
        return [own, line(.commission, amount < 0 ? -commission : min(commission, amount), object, at, change)]
    }
}
