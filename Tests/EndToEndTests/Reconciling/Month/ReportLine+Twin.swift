import Domain
import PSPSimulator

extension ReportLine {
    /// Everything that a PSP would report of a payment in its twin's books.
    ///
    /// The books do not keep when a dispute was decided: the day until which evidence may be sent stands for it.
    static func lines(of authorization: PSPSimulator.Authorization, at psp: SettledPSP) -> [ReportLine] {
        let names = TwinNames(psp: psp, authorization: authorization)
        func line(_ kind: Kind, _ amount: Int64, _ object: String, _ at: Int64, _ change: String? = nil) -> ReportLine {
            ReportLine(
                psp: psp,
                kind: kind,
                reference: names.reference ?? "",
                changeReference: change,
                merchantAccount: names.merchantAccount ?? "",
                payment: names.payment,
                object: object,
                amount: amount,
                at: Timestamp(microseconds: at * 1000)
            )
        }
        var lines: [ReportLine] = []
        func add(_ kind: Kind, _ amount: Int64, _ fee: Int64?, _ object: String, _ at: Int64, _ change: String? = nil) {
            lines.append(line(kind, amount, object, at, change))
            if psp.settlesTo == .merchant, let fee, fee > 0 {
                lines.append(line(.commission, amount < 0 ? -fee : fee, object, at, change))
            }
        }
        let fee = authorization.command.applicationFee
        if authorization.capturesAtOnce, authorization.captured > 0 {
            let at = authorization.capturedAt ?? authorization.createdAt
            add(.payment, authorization.captured, fee, names.capture(nil), at)
        }
        for operation in authorization.operations.dropFirst() where operation.status == .succeeded {
            let change = names.reference(of: operation)
            switch operation.kind {
            case .capture:
                let kept = operation.applicationFee ?? fee
                add(.payment, operation.amount, kept, names.capture(operation), operation.at, change)
            case .refund:
                let back = operation.applicationFee
                add(.refund, -operation.amount, back, names.refund(operation), operation.at, change)
            case .authorize, .void, .inquire: break
            }
        }
        for dispute in authorization.disputes {
            lines.append(line(.chargeback, -dispute.amount, names.dispute(dispute), dispute.at))
            guard dispute.status == .won else { continue }
            lines.append(line(.chargebackReversal, dispute.amount, names.dispute(dispute), dispute.respondBy))
        }
        return lines
    }
}
