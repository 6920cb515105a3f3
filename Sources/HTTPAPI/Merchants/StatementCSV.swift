import AdapterKit
package import Domain

/// What a movement comes to, in the few columns that people add up; signs are the merchant's.
///
/// Those of the balance come to what it does to the balance, and those of what a PSP pays directly to what that pays.
struct StatementColumns: Hashable {
    /// What was taken from buyers, given back to them, or paid out.
    static let amountItems: [StatementItem] = [
        .gross, .refunds, .chargebacks, .chargebackReversals, .payouts, .payoutReversals,
    ]

    let amount: Int64
    let commission: Int64
    let commissionTax: Int64
    let taxes: Int64
    let tips: Int64
    let shipping: Int64
    let pspFees: Int64
    let borneByMarketplace: Int64
    let adjustments: Int64
    let directAmount: Int64
    let directCommission: Int64
    let directCommissionTax: Int64
    let directTaxes: Int64
    let directTips: Int64
    let directShipping: Int64

    /// Sums up.
    init(_ amounts: StatementAmounts) {
        func balance(_ items: StatementItem...) -> Int64 { items.reduce(0) { $0 + amounts.balance[$1, default: 0] } }
        func direct(_ items: DirectItem...) -> Int64 { items.reduce(0) { $0 + amounts.direct[$1, default: 0] } }
        amount = Self.amountItems.reduce(0) { $0 + amounts.balance[$1, default: 0] }
        commission = balance(.commission, .commissionReturned)
        commissionTax = balance(.commissionTax, .commissionTaxReturned)
        taxes = balance(.taxes, .taxesReturned)
        tips = balance(.tips, .tipsReturned)
        shipping = balance(.shipping, .shippingReturned)
        pspFees = balance(.pspFees)
        borneByMarketplace = balance(.borneByMarketplace)
        adjustments = balance(.adjustments)
        directAmount = direct(.gross, .refunds, .chargebacks, .chargebackReversals)
        directCommission = direct(.commissionByPSP, .commissionInvoiced)
        directCommissionTax = direct(.commissionTaxByPSP, .commissionTaxInvoiced)
        directTaxes = direct(.taxesByPSP, .taxesInvoiced)
        directTips = direct(.tipsByPSP)
        directShipping = direct(.shippingByPSP)
    }

    /// What the movement comes to for what a PSP pays directly.
    var directNet: Int64 {
        directAmount + directCommission + directCommissionTax + directTaxes + directTips + directShipping
    }
    /// What is taken off what buyers paid, or given back with it.
    var taken: Int64 { commission + commissionTax + taxes + tips + shipping + pspFees }
}

/// Writes a statement as comma-separated values: cells as `CSVCell` has them, lines ended by a line feed.
///
/// A row for each movement, with what it comes to and the balance behind it, between a row with the opening and one with
/// the closing balance. Amounts are decimal numbers, empty where they are zero; days and times are local.
package struct StatementCSV: Sendable {
    private static let columns = [
        "date", "time", "utc_offset", "kind", "amount", "commission", "commission_tax", "taxes", "tips", "shipping",
        "psp_fees", "borne_by_marketplace", "adjustments", "net", "balance", "currency", "direct_amount",
        "direct_commission", "direct_commission_tax", "direct_taxes", "direct_tips", "direct_shipping", "direct_net",
        "order", "payment", "refund", "dispute", "payout", "reference", "psp_reference", "paid_on", "entry",
    ]

    private let scope: StatementScope
    private let calendar: LocalCalendar
    private let opening: Int64
    /// What is owed to the merchant behind the rows written so far, in minor units.
    package private(set) var balance: Int64

    /// Begins in front of the first row.
    package init(_ statement: Statement, in calendar: LocalCalendar) {
        scope = statement.scope
        self.calendar = calendar
        opening = statement.opening
        balance = statement.opening
    }

    /// The columns' names and the opening balance.
    package var head: String {
        Self.row(Self.columns.map(CSVCell.text)) + balanceRow("opening_balance", opening, at: scope.from)
    }

    /// The closing balance.
    package func foot(closing: Int64) -> String {
        balanceRow("closing_balance", closing, at: Timestamp(microseconds: scope.to.microseconds - 1))
    }

    /// The rows of the next lines.
    package mutating func rows(_ lines: [StatementLine]) -> String {
        var text = ""
        for line in lines {
            balance += line.amounts.net
            text += Self.row(moment(line.at) + [.text(line.kind.rawValue)] + amounts(line) + source(line))
        }
        return text
    }

    private func moment(_ time: Timestamp) -> [CSVCell] {
        [
            .text(calendar.day(of: time).description), .text(calendar.timeOfDay(at: time)),
            .text("UTC" + calendar.offset(at: time)),
        ]
    }

    private func amounts(_ line: StatementLine) -> [CSVCell] {
        let columns = StatementColumns(line.amounts)
        let parts = [
            columns.amount, columns.commission, columns.commissionTax, columns.taxes, columns.tips, columns.shipping,
            columns.pspFees, columns.borneByMarketplace, columns.adjustments,
        ]
        let direct = [
            columns.directAmount, columns.directCommission, columns.directCommissionTax, columns.directTaxes,
            columns.directTips, columns.directShipping, columns.directNet,
        ]
        return parts.map(part) + [.amount(line.amounts.net, scope.currency), .amount(balance, scope.currency)]
            + [.text(scope.currency.code)] + direct.map(part)
    }

    private func part(_ amount: Int64) -> CSVCell { amount == 0 ? .text("") : .amount(amount, scope.currency) }

    private func source(_ line: StatementLine) -> [CSVCell] {
        [
            line.order?.text ?? "", line.payment?.text ?? "", line.refund?.text ?? "", line.dispute?.text ?? "",
            line.payout?.text ?? "", line.reference ?? "", line.pspReference ?? "",
            line.paidAt.map { calendar.day(of: $0).description } ?? "", line.entry.text,
        ].map(CSVCell.text)
    }

    private func balanceRow(_ kind: String, _ amount: Int64, at time: Timestamp) -> String {
        let empty = CSVCell.text("")
        let cells =
            moment(time) + [.text(kind)] + Array(repeating: empty, count: 10)
            + [.amount(amount, scope.currency), .text(scope.currency.code)]
        return Self.row(cells + Array(repeating: empty, count: Self.columns.count - cells.count))
    }

    private static func row(_ cells: [CSVCell]) -> String { CSVCell.line(cells) + "\n" }
}
