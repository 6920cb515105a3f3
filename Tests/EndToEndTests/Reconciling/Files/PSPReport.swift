import Domain

/// A PSP's report of a batch and what it paid out of it, row by row and field by field, so that a test can get at each.
struct PSPReport: Sendable {
    typealias Row = [String: String]

    let psp: SettledPSP
    /// The rows of lines; amounts are decimal dollars.
    var rows: [Row]
    /// What the batch pays out, in cents; at zero there is no row of it.
    var paidOut: Int64

    /// What the PSP would write of the books' month.
    init(_ psp: SettledPSP, _ books: SettledBooks) {
        self.psp = psp
        let layout = Self.layout(psp)
        let lines = books.lines(at: psp)
        rows = lines.enumerated().flatMap { layout.rows(of: $0.element, number: $0.offset) }
        // Of what Square pays merchants, only commission is paid to the marketplace.
        let own = lines.filter { psp.settlesTo == .marketplace || $0.kind == .commission }
        paidOut = psp.tellsPayouts ? own.reduce(0) { $0 + $1.net } : 0
    }

    private static func layout(_ psp: SettledPSP) -> any ReportLayout.Type {
        switch psp {
        case .stripe: StripeLayout.self
        case .adyen: AdyenLayout.self
        case .checkout: CheckoutLayout.self
        case .square: SquareLayout.self
        case .braintree: BraintreeLayout.self
        }
    }

    /// The file.
    var text: String {
        let layout = Self.layout(psp)
        let all = rows + (paidOut == 0 ? [] : [layout.payout(paidOut)])
        return layout.text(of: all)
    }

    /// The first row of a payment of an order.
    func row(of order: String) -> Int? { rows.firstIndex { row in row.values.contains("\(psp)_\(order)") } }
}

/// How a PSP writes a report.
protocol ReportLayout {
    /// The rows of a line; some PSPs write fees in rows of their own.
    static func rows(of line: ReportLine, number: Int) -> [PSPReport.Row]
    /// The row of what is paid out, in cents.
    static func payout(_ amount: Int64) -> PSPReport.Row
    /// The file of some rows.
    static func text(of rows: [PSPReport.Row]) -> String
}

extension ReportLayout {
    /// Comma-separated values with a header.
    static func table(_ columns: [String], _ rows: [PSPReport.Row]) -> String {
        let lines = rows.map { row in columns.map { row[$0] ?? "" }.joined(separator: ",") }
        return ([columns.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
    }
}
