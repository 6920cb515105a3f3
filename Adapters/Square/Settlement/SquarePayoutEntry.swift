import AdapterKit
import Domain
import StrictJSON

/// One entry of a payout.
struct SquarePayoutEntry {
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
