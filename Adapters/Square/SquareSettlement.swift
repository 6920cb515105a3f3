package import AdapterKit
package import Domain
import StrictJSON

/// What Square reports of money that it settled.
extension SquareAdapter: SettlementReporter {
    /// The pages of `ListPayoutEntries`.
    package static var settlementReports: [any SettlementReport.Type] { [PagedReport<SquarePayoutPages>.self] }
}

/// The answers of Square's `GET /v2/payouts/{id}/payout-entries`, page by page.
///
/// Amounts are signed integers in minor units; the payout is the sum of the net amounts. The currency's member is
/// `currency` in the schema of money and `currency_code` in the operation's own example; both are read. Source: Square's
/// API description, read in November 2026.
package struct SquarePayoutPages: ReportPages {
    /// `square-payout-entries`.
    package static let format = "square-payout-entries"
    /// `payout_entries`.
    package static let entriesMember = "payout_entries"

    /// False after a page with a cursor, which leads to the next one.
    package private(set) var isComplete = true

    /// Begins before the first page.
    package init() {}

    /// Reads a page.
    package mutating func entries(
        of page: [UInt8],
        number: Int,
        firstRow: Int
    ) throws(SettlementProblem) -> [Result<SettlementLine, RowProblem>] {
        guard let json = try? JSON.parse(page) else { throw .malformedPage(number) }
        if let errors = json["errors"], !errors.isNull, errors.arrayValue?.isEmpty != true { throw .errorPage(number) }
        guard let entries = (json[Self.entriesMember] ?? .array([])).arrayValue else { throw .malformedPage(number) }
        isComplete = json["cursor"]?.stringValue?.isEmpty ?? true
        return entries.enumerated().map { offset, entry in
            do throws(RowProblem) {
                return .success(try SquarePayoutEntry(entry).line(firstRow + offset))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// One entry of a payout.
private struct SquarePayoutEntry {
    private let json: JSON

    init(_ json: JSON) { self.json = json }

    /// The entry as a line.
    ///
    /// - Throws: ``RowProblem`` without an identifier, a type or a net amount.
    func line(_ row: Int) throws(RowProblem) -> SettlementLine {
        let type = try required("type")
        guard let net = try amount("net_amount_money") else { throw .missing(column: "net_amount_money") }
        let kind = SquareActivity.kind(type, isNegative: net.units < 0)
        var line = SettlementLine(row: row, kind: kind, type: type)
        line.entryReference = try required("id")
        line.batch = try required("payout_id")
        line.gross = try amount("gross_amount_money")
        line.fee = try amount("fee_amount_money")
        line.net = net
        line.occurredOn = json["effective_at"]?.stringValue.map { SettlementDate($0) }
        let details = details(type)
        line.paymentReference = details?["payment_id"]?.stringValue
        line.objectReference = (details?["refund_id"] ?? details?["dispute_id"])?.stringValue
        line.submerchant = details?["location_id"]?.stringValue
        return line
    }

    /// The member that Square names for the type: `type_charge_details`.
    ///
    /// Some types share the member of another, so that a member with another name counts if it is the only one.
    private func details(_ type: String) -> JSON? {
        if let own = json["type_\(type.lowercased())_details"], own.objectValue != nil { return own }
        let members = (json.objectValue ?? []).filter {
            $0.key.hasPrefix("type_") && $0.key.hasSuffix("_details") && $0.value.objectValue != nil
        }
        return members.count == 1 ? members[0].value : nil
    }

    private func required(_ key: String) throws(RowProblem) -> String {
        guard let text = json[key]?.stringValue, !text.isEmpty else { throw .missing(column: key) }
        return text
    }

    private func amount(_ key: String) throws(RowProblem) -> SettlementAmount? {
        guard let money = json[key], !money.isNull else { return nil }
        guard let code = (money["currency"] ?? money["currency_code"])?.stringValue, let currency = Currency(code: code)
        else { throw .unknownCurrency(column: key) }
        do throws(AmountProblem) {
            switch money["amount"] {
            case .integer(let units): return try SettlementAmount(minorUnits: units, currency: currency)
            case .number(let text) where !text.contains { ".eE".contains($0) }: throw .overflow
            default: throw .malformed
            }
        } catch {
            throw .amount(column: key, error)
        }
    }
}

/// Square's activity types.
///
/// Source: `ActivityType` of Square's API description, read in November 2026.
private enum SquareActivity {
    /// What an entry is about; a dispute's sign tells whether it is taken or given back.
    static func kind(_ type: String, isNegative: Bool) -> SettlementKind {
        if type == "DISPUTE" || type == "OPEN_DISPUTE" { return isNegative ? .chargeback : .chargebackReversal }
        return kinds[type] ?? .other
    }

    private static let kinds: [String: SettlementKind] = {
        var kinds: [String: SettlementKind] = [:]
        for (kind, types) in types { for type in types.split(separator: " ") { kinds[String(type)] = kind } }
        return kinds
    }()

    private static let types: [(SettlementKind, String)] = [
        (.payment, "CHARGE"),
        (.refund, "REFUND"),
        (.commission, "APP_FEE_REVENUE APP_FEE_REFUND"),
        (
            .fee,
            """
            DEPOSIT_FEE DEPOSIT_FEE_REVERSED FEE GIFT_CARD_LOAD_FEE GIFT_CARD_LOAD_FEE_REFUND LOCAL_OFFERS_FEE \
            PAID_SERVICE_FEE PAID_SERVICE_FEE_REFUND PROCESSING_FEE PROCESSING_FEE_REFUND SUBSCRIPTION_FEE \
            SUBSCRIPTION_FEE_PAID_REFUND SUBSCRIPTION_FEE_REFUND TAX_ON_FEE THIRD_PARTY_FEE THIRD_PARTY_FEE_REFUND \
            UNDO_GIFT_CARD_LOAD_FEE_REFUND UNDO_PROCESSING_FEE_REFUND
            """
        ),
        (.adjustment, "ADJUSTMENT FREE_PROCESSING INITIAL_BALANCE_CHANGE OTHER_ADJUSTMENT"),
        (.payout, "PAYOUT RETURNED_PAYOUT"),
        (.reserve, "HOLD_ADJUSTMENT RELEASE_ADJUSTMENT RESERVE_HOLD RESERVE_RELEASE"),
    ]
}
