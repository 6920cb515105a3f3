/// Names a commission invoice.
public enum InvoiceTag: IdentifierTag {
    /// `inv`.
    public static let prefix = "inv"
}

/// A commission invoice's identifier.
public typealias InvoiceID = Identifier<InvoiceTag>

/// What a marketplace invoices a merchant for a month: its commission, as the books have it, and the tax on that.
///
/// It is issued once, when the month is over, and never changes.
package struct CommissionInvoice: Hashable, Sendable {
    /// A part of the commission, with the tax on it, in minor units; what went back to the merchant is below zero.
    package struct Item: Hashable, Sendable {
        /// What a part of the commission is.
        package enum Kind: String, Sendable, CaseIterable {
            /// Charged on sales, and taken off what the marketplace owes.
            case withheld
            /// Given back with refunds and disputes, and added to what the marketplace owes.
            case returned
            /// Kept by the PSP that pays the merchant, less what was returned.
            case keptByPSP = "kept_by_psp"
            /// Still to be paid, because the PSP paid the merchant all of it; less what was returned.
            case toBePaid = "to_be_paid"
        }

        /// What it is.
        package let kind: Kind
        /// The commission without tax.
        package let net: Int64
        /// The tax on it.
        package let tax: Int64

        /// Makes an item.
        package init(kind: Kind, net: Int64, tax: Int64) {
            self.kind = kind
            self.net = net
            self.tax = tax
        }
    }

    /// Its identifier.
    package let id: InvoiceID
    /// Whose commission it is, in what currency, over what time.
    package let scope: StatementScope
    /// Its number among the marketplace's, from 1 without gaps.
    package let number: Int64
    /// The first and the last day of its time.
    package let days: ClosedRange<CalendarDay>
    /// The time zone whose days these are.
    package let timeZone: String
    /// When it was issued.
    package let issuedAt: Timestamp
    /// Who issues it, as it was then.
    package let issuer: BusinessProfile.LegalEntity
    /// Who gets it, as it was then.
    package let recipient: BusinessProfile.LegalEntity
    /// The rate of tax as it was declared then, in hundredths of a percent; each sale was taxed at its own.
    package let taxBasisPoints: Int64
    /// What was sold, less nothing, tips and shipping included: commission need not be charged on all of it.
    package let volume: Int64
    /// What it is made of; nothing that comes to nothing.
    package let items: [Item]

    /// Makes an invoice.
    package init(
        id: InvoiceID,
        scope: StatementScope,
        number: Int64,
        days: ClosedRange<CalendarDay>,
        timeZone: String,
        issuedAt: Timestamp,
        issuer: BusinessProfile.LegalEntity,
        recipient: BusinessProfile.LegalEntity,
        taxBasisPoints: Int64,
        volume: Int64,
        items: [Item]
    ) {
        self.id = id
        self.scope = scope
        self.number = number
        self.days = days
        self.timeZone = timeZone
        self.issuedAt = issuedAt
        self.issuer = issuer
        self.recipient = recipient
        self.taxBasisPoints = taxBasisPoints
        self.volume = volume
        self.items = items
    }

    /// The number as it is printed: `TRAVEL-000001`.
    package var numberText: String {
        let digits = String(number)
        return scope.marketplace.uppercased() + "-" + String(repeating: "0", count: max(0, 6 - digits.utf8.count))
            + digits
    }

    /// The commission without tax.
    package var net: Int64 { items.reduce(0) { $0 + $1.net } }
    /// The tax on it.
    package var tax: Int64 { items.reduce(0) { $0 + $1.tax } }
    /// Both together; below zero, it is a credit note.
    package var total: Int64 { net + tax }
    /// What of it is still to be paid; the rest was withheld.
    package var due: Int64 { items.filter { $0.kind == .toBePaid }.reduce(0) { $0 + $1.net + $1.tax } }

    /// What the commission of a time is made of.
    package static func items(of amounts: StatementAmounts) -> [Item] {
        func balance(_ item: StatementItem) -> Int64 { amounts.balance[item, default: 0] }
        func direct(_ item: DirectItem) -> Int64 { amounts.direct[item, default: 0] }
        let all = [
            Item(kind: .withheld, net: -balance(.commission), tax: -balance(.commissionTax)),
            Item(kind: .returned, net: -balance(.commissionReturned), tax: -balance(.commissionTaxReturned)),
            Item(kind: .keptByPSP, net: -direct(.commissionByPSP), tax: -direct(.commissionTaxByPSP)),
            Item(kind: .toBePaid, net: -direct(.commissionInvoiced), tax: -direct(.commissionTaxInvoiced)),
        ]
        return all.filter { $0.net != 0 || $0.tax != 0 }
    }

    /// What was sold in a time.
    package static func volume(of amounts: StatementAmounts) -> Int64 {
        amounts.balance[.gross, default: 0] + amounts.direct[.gross, default: 0]
    }
}

/// Why no invoice is issued.
package enum InvoiceRefusal: Error, Hashable, Sendable {
    /// The books of the time may still change; they are closed at this moment.
    case notClosed(Timestamp)
    /// The time overlaps that of another invoice of the merchant in the currency.
    case overlaps(InvoiceID)
    /// There was no commission.
    case nothingToInvoice
    /// It is not declared who the marketplace is by law.
    case issuerUnknown
    /// It is not declared who the merchant is by law.
    case recipientUnknown
}
