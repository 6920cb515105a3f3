import AdapterKit
import AdyenAdapter
import BraintreeAdapter
import CheckoutAdapter
import SimulatorAdapter
import SquareAdapter
import StripeAdapter
import Testing
import WorldpayAdapter

/// A kind of report with the file that shows it; `SOURCE.txt` beside the files says where those come from.
struct SettlementFormat: Sendable, CustomTestStringConvertible {
    let report: any SettlementReport.Type
    let file: String
    /// How many rows of the file are usable; all are.
    let rows: Int

    var testDescription: String { file }
    var isTable: Bool { file.hasSuffix(".csv") }

    static let all: [SettlementFormat] = [
        only(StripeAdapter.self, "stripe-payout-reconciliation.csv", rows: 13),
        only(AdyenAdapter.self, "adyen-settlement-details.csv", rows: 12),
        only(CheckoutAdapter.self, "checkout-financial-actions.csv", rows: 14),
        only(SquareAdapter.self, "square-payout-entries.json", rows: 10),
        only(BraintreeAdapter.self, "braintree-transaction-fees.csv", rows: 7),
        only(SimulatorAdapter.self, "simulator-settlement.csv", rows: 9),
        only(WorldpayAdapter.self, "worldpay-account-statement.json", rows: 4),
    ]

    private static func only(_ adapter: any SettlementReporter.Type, _ file: String, rows: Int) -> SettlementFormat {
        SettlementFormat(report: adapter.settlementReports[0], file: file, rows: rows)
    }

    static func of(_ adapter: any SettlementReporter.Type) throws -> SettlementFormat {
        try #require(all.first { $0.file.hasPrefix(adapter.name + "-") })
    }

    var bytes: [UInt8] { get throws { try SampleFiles.data("settlement/\(file)") } }

    /// The file as text, to be changed.
    var text: String { get throws { try String(decoding: bytes, as: UTF8.self) } }

    /// Reads the file.
    func reading() throws -> SettlementReading { try SettlementReading(report, bytes) }

    /// Reads the file with one text replaced by another, which it must contain.
    func reading(replacing old: String, with new: String) throws -> SettlementReading {
        let text = try text
        try #require(text.contains(old), "\(file) does not contain \(old)")
        return try SettlementReading(report, Array(text.replacing(old, with: new).utf8))
    }
}
