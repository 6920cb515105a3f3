import Domain

/// Something that a PSP would report of a payment.
struct ReportLine: Sendable {
    enum Kind: Sendable {
        case payment, refund, chargeback, chargebackReversal, commission
    }

    let psp: SettledPSP
    let kind: Kind
    /// What the PSP was told that the payment is called.
    let reference: String
    /// What it was told that the capture or refund is called, if it was.
    let changeReference: String?
    /// The merchant's account; empty if the report names none.
    let merchantAccount: String
    /// The PSP's name of the payment.
    let payment: String
    /// The PSP's name of what moved the money.
    let object: String
    /// What it is to the balance, in cents, fees apart.
    let amount: Int64
    let at: Timestamp

    /// What the PSP takes for it, in cents.
    var fee: Int64 {
        switch kind {
        case .payment: 25 + amount / 40
        case .chargeback: 1_500
        case .refund, .chargebackReversal, .commission: 0
        }
    }

    var net: Int64 { amount - fee }
    /// Tells it from every other.
    var name: String { "\(object)_\(kind)" }

    /// Everything that a PSP would report of a payment.
    static func lines(of payment: Payment, _ order: Order) -> [ReportLine] {
        guard let psp = SettledPSP.allCases.first(where: { $0.merchant == payment.externalIdentifier }) else {
            return []
        }
        // Adyen's references carry the merchant's account.
        let suffix = psp == .adyen ? ".\(psp.merchantAccount)" : ""
        func line(
            _ kind: Kind,
            _ amount: Int64,
            _ object: String?,
            _ at: Timestamp,
            _ operation: OperationID? = nil
        ) -> ReportLine {
            ReportLine(
                psp: psp,
                kind: kind,
                reference: payment.attempt.id.text + suffix,
                changeReference: operation.map { $0.text + suffix },
                merchantAccount: psp.merchantAccount,
                payment: payment.attempt.pspReference ?? "",
                object: object ?? "",
                amount: amount,
                at: at
            )
        }
        var lines: [ReportLine] = []
        for operation in payment.attempt.operations where operation.state == .succeeded && operation.doneAmount > 0 {
            guard operation.kind == .capture || operation.givesBack else { continue }
            let sign: Int64 = operation.givesBack ? -1 : 1
            let kind: Kind = operation.givesBack ? .refund : .payment
            let (name, at) = (operation.reference, operation.createdAt)
            lines.append(line(kind, sign * operation.doneAmount, name, at, operation.id))
            if let commission = operation.commission, psp.settlesTo == .merchant {
                lines.append(line(.commission, sign * commission, name, at, operation.id))
            }
        }
        for dispute in payment.disputes {
            lines.append(line(.chargeback, -dispute.amount, dispute.reference, dispute.heardAt))
            guard dispute.state == .won else { continue }
            lines.append(
                line(.chargebackReversal, dispute.amount, dispute.reference, dispute.stateAt ?? dispute.heardAt)
            )
        }
        return lines
    }
}

extension Int64 {
    /// Cents as decimal dollars.
    var dollars: String { (self < 0 ? "-" : "") + "\(magnitude / 100).\(String(100 + magnitude % 100).suffix(2))" }
}

extension Timestamp {
    /// The day and the time of UTC, `2025-10-01 10:00:00`.
    var spaced: String { String(description.prefix(19)).replacing("T", with: " ") }
}
