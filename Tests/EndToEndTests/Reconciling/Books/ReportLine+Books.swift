import Domain
import PSPSimulator

/// What PSPs would report of payments that are in our books only.
extension ReportLine {
    /// Everything that a PSP would report of a payment.
    static func lines(of payment: Payment, at psp: SettledPSP) -> [ReportLine] {
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
                kind,
                reference: payment.attempt.id.text + suffix,
                changeReference: operation.map { $0.text + suffix },
                merchantAccount: psp.merchantAccount,
                payment: payment.attempt.pspReference ?? "",
                object: object ?? "",
                amount: amount,
                currency: "USD",
                at: at.microseconds / 1000,
                settlesToMerchant: psp.settlesTo == .merchant
            ).withFee
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

    /// The line with what the PSPs of the books take for it.
    var withFee: ReportLine {
        var line = self
        switch kind {
        case .payment: line.fee = 25 + amount / 40
        case .chargeback: line.fee = 1_500
        case .refund, .chargebackReversal, .commission: line.fee = 0
        }
        return line
    }
}

extension [ReportLine] {
    /// The lines in the order in which they happened.
    var inOrder: [ReportLine] { sorted { ($0.at, $0.name) < ($1.at, $1.name) } }
}

extension Int64 {
    /// Cents as decimal dollars.
    var dollars: String { (self < 0 ? "-" : "") + "\(magnitude / 100).\(String(100 + magnitude % 100).suffix(2))" }
}
