import AdapterKit
import Domain

/// What a whole report gave: its lines in order, and its control totals.
struct SettlementReading: Equatable {
    var lines: [SettlementLine]
    var trailer: SettlementTrailer

    /// Reads a file in pieces of that many bytes.
    init(
        _ type: any SettlementReport.Type,
        _ file: [UInt8],
        piece: Int = .max
    ) throws(SettlementProblem) {
        var report = type.init()
        lines = []
        var rest = file[...]
        while !rest.isEmpty {
            lines += try report.read(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        trailer = try report.finish()
        lines += trailer.lines
    }

    /// The problems of the unusable rows, `ROW: PROBLEM`.
    var unusable: [UnusableRow] { trailer.unusable }
}

extension SettlementLine {
    /// Row, kind, type and amounts in one text, for tables of expectations: `2 payment charge 1.00/0.10/0.90 USD`.
    var summary: String {
        let amounts = [gross, fee, net].map { $0?.decimal ?? "-" }.joined(separator: "/")
        let codes = [gross, fee, net].compactMap { $0?.currency.code }
        let currencies = codes.reduce(into: [String]()) { list, code in if !list.contains(code) { list.append(code) } }
        return "\(row) \(kind.rawValue) \(type) \(amounts) \(currencies.joined(separator: ">"))"
    }
}

extension SettlementSum {
    /// The sums in one text: `EUR gross 1.00 fee 0.10 net 0.90 = 1.00 -0.10`.
    var summary: String {
        "\(currency) gross \(gross.decimal) fee \(fee.decimal) net \(net.decimal) = \(credits.decimal) \(debits.decimal)"
    }
}
