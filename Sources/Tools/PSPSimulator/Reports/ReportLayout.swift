/// The fields of a report's row, by their names; amounts are decimal numbers of major units.
package typealias ReportRow = [String: String]

/// What a PSP settles together and pays out at once.
package struct ReportBatch: Hashable, Sendable {
    /// The PSP's name of the payout to the marketplace.
    package var payout: String
    /// Its name of the payouts to merchants.
    package var merchantsPayout: String
    /// The batch's number, where the PSP counts them.
    package var number: String
    /// The day on which it is paid out, `2026-11-23`.
    package var day: String

    /// Names a batch.
    package init(payout: String, merchantsPayout: String, number: String, day: String) {
        self.payout = payout
        self.merchantsPayout = merchantsPayout
        self.number = number
        self.day = day
    }

    /// The payout that a line is part of.
    func payout(of line: ReportLine) -> String { line.isMarketplaces ? payout : merchantsPayout }
}

/// What a PSP's reports make of what is in the books: above all their names for it.
package protocol ReportNames {
    /// The payment.
    static func payment(_ authorization: Authorization) -> String
    /// What the caller calls the payment; nil where the reports do not tell it.
    static func reference(of authorization: Authorization) -> String?
    /// The merchant's account; nil where the reports name none, or name it in the caller's reference.
    static func merchantAccount(of authorization: Authorization) -> String?
    /// A capture; without an operation the one that came with the authorization.
    static func capture(_ operation: BookedOperation?, of authorization: Authorization) -> String
    /// A refund.
    static func refund(_ operation: BookedOperation, of authorization: Authorization) -> String
    /// A dispute.
    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> String
    /// What the caller calls a capture or a refund; nil where the reports do not tell it.
    static func reference(of operation: BookedOperation, of authorization: Authorization) -> String?
    /// The commission that goes back with a refund, in minor units.
    static func commission(returnedBy refund: BookedOperation, of authorization: Authorization) -> Int64?
}

extension ReportNames {
    /// What the request said.
    package static func commission(returnedBy refund: BookedOperation, of authorization: Authorization) -> Int64? {
        refund.applicationFee
    }
}

/// How a PSP writes a settlement report.
package protocol ReportLayout: ReportNames, SendableMetatype {
    /// What the report's file name ends in: `csv` or `json`.
    static var fileExtension: String { get }
    /// Whether the report has lines of commission, so that they are paid out with the rest.
    static var tellsCommission: Bool { get }
    /// Whether the report has lines of payouts.
    static var tellsPayouts: Bool { get }
    /// How many decimals the PSP's minor units have in currencies in which they are not those of ISO 4217.
    static var otherDecimals: [String: Int] { get }
    /// The rows of a line; some PSPs write fees in rows of their own.
    static func rows(of line: ReportLine, in batch: ReportBatch) -> [ReportRow]
    /// The row of what is paid out, in minor units.
    static func payout(_ amount: Int64, _ currency: String, of batch: ReportBatch) -> ReportRow
    /// The file of some rows.
    static func text(of rows: [ReportRow]) -> String
}

extension ReportLayout {
    /// `csv`.
    package static var fileExtension: String { "csv" }
    /// False.
    package static var tellsCommission: Bool { false }
    /// True.
    package static var tellsPayouts: Bool { true }
    /// None.
    package static var otherDecimals: [String: Int] { [:] }

    /// What a batch pays the marketplace out, in minor units; 0 where the report does not tell.
    package static func paidOut(_ lines: [ReportLine]) -> Int64 {
        tellsPayouts ? lines.filter(\.isMarketplaces).reduce(0) { $0 + $1.net } : 0
    }

    /// An amount in minor units as a decimal number.
    static func decimal(_ amount: Int64, _ currency: String) -> String {
        ReportAmount.text(amount, decimals: otherDecimals[currency] ?? ReportAmount.decimals(of: currency))
    }

    /// The day and the time of UTC, `2026-11-23 18:00:00`.
    static func spaced(_ milliseconds: Int64) -> String { Moment.text(milliseconds).replacing("T", with: " ") }

    /// Comma-separated values with a header (RFC 4180).
    static func table(_ columns: [String], _ rows: [ReportRow]) -> String {
        let lines = rows.map { row in columns.map { quoted(row[$0] ?? "") }.joined(separator: ",") }
        return ([columns.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { ![UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D].contains($0) }
        return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
    }
}

/// Amounts as reports write them.
enum ReportAmount {
    private static let withoutDecimals: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
        "XPF",
    ]
    private static let withThree: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    /// How many decimals a currency has (ISO 4217).
    static func decimals(of currency: String) -> Int {
        if withoutDecimals.contains(currency) { return 0 }
        if withThree.contains(currency) { return 3 }
        return ["CLF", "UYW"].contains(currency) ? 4 : 2
    }

    /// The decimal number that so many units of the last decimal are.
    static func text(_ amount: Int64, decimals: Int) -> String {
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        let text = decimals == 0 ? padded : "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
        return amount < 0 ? "-" + text : text
    }

    /// The units of the last decimal of what ``text(_:decimals:)`` wrote; nil if it is something else.
    static func minor(_ text: String) -> Int64? { Int64(text.replacing(".", with: "")) }
}
