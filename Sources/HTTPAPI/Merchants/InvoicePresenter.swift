package import Domain
package import Printing
import Storage
package import StrictJSON

/// Writes commission invoices as the API shows them, and for print.
package enum InvoicePresenter {
    /// An invoice as JSON.
    package static func json(_ invoice: CommissionInvoice) -> JSON {
        [
            "id": .string(invoice.id.text), "number": .string(invoice.numberText),
            "kind": .string(invoice.total < 0 ? "credit_note" : "invoice"),
            "merchant": .string(invoice.scope.merchant.text), "currency": .string(invoice.scope.currency.code),
            "from": .string(invoice.scope.from.description), "to": .string(invoice.scope.to.description),
            "first_day": .string(invoice.days.lowerBound.description),
            "last_day": .string(invoice.days.upperBound.description), "time_zone": .string(invoice.timeZone),
            "issued_at": .string(invoice.issuedAt.description), "issuer": invoice.issuer.document,
            "recipient": invoice.recipient.document, "volume": .integer(invoice.volume),
            "items": .array(invoice.items.map(json)), "tax_basis_points": .integer(invoice.taxBasisPoints),
            "net": .integer(invoice.net), "tax": .integer(invoice.tax), "total": .integer(invoice.total),
            "due": .integer(invoice.due),
        ]
    }

    private static func json(_ item: CommissionInvoice.Item) -> JSON {
        [
            "kind": .string(item.kind.rawValue), "net": .integer(item.net), "tax": .integer(item.tax),
            "total": .integer(item.net + item.tax),
        ]
    }

    /// An invoice for print, whose days and times are those of `calendar`.
    package static func document(_ invoice: CommissionInvoice, in calendar: LocalCalendar) -> PrintedDocument {
        let currency = invoice.scope.currency
        let title = invoice.total < 0 ? "Credit note" : "Invoice"
        var blocks: [PrintedDocument.Block] = [
            .parties([
                Paper.party("From", invoice.issuer, else: ""), Paper.party("To", invoice.recipient, else: ""),
            ]),
            .facts([
                .init("Number", invoice.numberText),
                .init("Date", calendar.day(of: invoice.issuedAt).description),
                .init(
                    "Time of supply",
                    "\(invoice.days.lowerBound) to \(invoice.days.upperBound) (\(invoice.timeZone))"
                ),
                .init("Currency", currency.code),
                .init("Sales", currency.decimal(invoice.volume)),
                .init("Tax rate", percent(invoice.taxBasisPoints)),
            ]),
            .heading("Commission for payment services"), .table(table(invoice)),
        ]
        if invoice.due != invoice.total {
            let withheld = currency.decimal(invoice.total - invoice.due)
            blocks.append(.note("\(currency) \(withheld) of this was withheld from settlement: do not pay it again."))
        }
        blocks.append(.facts([.init("To be paid", "\(currency) \(currency.decimal(invoice.due))")]))
        blocks.append(
            .note("Each sale was taxed at the rate that held then, and rounded once; the tax is the sum of these.")
        )
        return PrintedDocument(
            title: "\(title) \(invoice.numberText)",
            created: invoice.issuedAt.wholeSeconds,
            blocks: blocks
        )
    }

    /// The name of its file without an ending.
    package static func fileName(_ invoice: CommissionInvoice) -> String {
        "invoice-\(invoice.numberText)-\(invoice.recipient.name)"
    }

    private static func table(_ invoice: CommissionInvoice) -> PrintedDocument.Table {
        let currency = invoice.scope.currency
        func row(_ name: String, _ net: Int64, _ tax: Int64, isSum: Bool = false) -> PrintedDocument.Table.Row {
            .init([name, currency.decimal(net), currency.decimal(tax), currency.decimal(net + tax)], isSum: isSum)
        }
        return .init(
            columns: [
                .init("Item", weight: 4), .init("Net", isNumeric: true), .init("Tax", isNumeric: true),
                .init("Total", isNumeric: true),
            ],
            rows: invoice.items.map { row(words($0.kind), $0.net, $0.tax) }
                + [row("Total \(currency)", invoice.net, invoice.tax, isSum: true)]
        )
    }

    private static func words(_ kind: CommissionInvoice.Item.Kind) -> String {
        switch kind {
        case .withheld: "Commission on sales, withheld from settlement"
        case .returned: "Commission returned with refunds and disputes"
        case .keptByPSP: "Commission kept by the payment provider, less what was returned"
        case .toBePaid: "Commission on sales paid out to you, less what was returned"
        }
    }

    /// `19 %`, `7.5 %`, of hundredths of a percent.
    private static func percent(_ basisPoints: Int64) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest != 0 else { return "\(whole) %" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10) %" : "\(whole).\(rest < 10 ? "0" : "")\(rest) %"
    }
}
