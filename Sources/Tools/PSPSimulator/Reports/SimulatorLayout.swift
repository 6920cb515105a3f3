/// The simulator's own report, as README.md of its adapter documents it.
enum SimulatorLayout: ReportLayout {
    static let tellsCommission = true

    private static let columns = [
        "simulator_movement", "type", "authorization", "reference", "operation", "operation_reference",
        "merchant_account", "gross", "fee", "net", "currency", "at", "payout", "paid_on",
    ]

    static func rows(of line: ReportLine, in batch: ReportBatch) -> [ReportRow] {
        let type =
            switch line.kind {
            case .payment: "capture"
            case .refund: "refund"
            case .chargeback: "dispute"
            case .chargebackReversal: "dispute_won"
            case .commission: "commission"
            }
        return [
            [
                "simulator_movement": line.name, "type": type, "authorization": line.payment,
                "reference": line.reference, "operation": line.object,
                "operation_reference": line.changeReference ?? "", "merchant_account": line.merchantAccount,
                "gross": decimal(line.amount, line.currency), "fee": decimal(line.fee, line.currency),
                "net": decimal(line.net, line.currency), "currency": line.currency, "at": Moment.text(line.at) + "Z",
                "payout": batch.payout(of: line), "paid_on": batch.day,
            ]
        ]
    }

    static func payout(_ amount: Int64, _ currency: String, of batch: ReportBatch) -> ReportRow {
        [
            "simulator_movement": batch.payout, "type": "payout", "operation": batch.payout,
            "gross": decimal(-amount, currency), "fee": decimal(0, currency), "net": decimal(-amount, currency),
            "currency": currency, "at": batch.day + "T00:00:00Z", "payout": batch.payout, "paid_on": batch.day,
        ]
    }

    static func text(of rows: [ReportRow]) -> String { table(columns, rows) }
}

/// The books' own names.
extension SimulatorLayout {
    static func payment(_ authorization: Authorization) -> String { authorization.id }

    static func reference(of authorization: Authorization) -> String? { authorization.command.reference }

    static func merchantAccount(of authorization: Authorization) -> String? {
        authorization.command.metadata["merchant_account"]
    }

    static func capture(_ operation: BookedOperation?, of authorization: Authorization) -> String {
        operation?.id ?? authorization.id
    }

    static func refund(_ operation: BookedOperation, of authorization: Authorization) -> String { operation.id }

    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> String { dispute.id }

    static func reference(of operation: BookedOperation, of authorization: Authorization) -> String? {
        operation.reference
    }
}
