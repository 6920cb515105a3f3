import AdapterKit

/// One row of a made-up settlement report; amounts are in cents of the dollar, signed as they change the balance.
struct SettlementRow {
    /// Its number in the report, from 0, which names everything in it.
    let number: Int
    /// What it is about.
    let kind: SettlementKind
    /// The row of the charge that it is about; its own for a charge.
    let about: Int
    /// Before fees.
    private(set) var gross: Int64
    /// What the PSP took.
    private(set) var fee: Int64
    /// What the balance changed by; of a payout, beside what its batch comes to.
    private(set) var net: Int64
    /// What the buyer paid in.
    private(set) var currency = "usd"
    /// Which merchant's account.
    private(set) var account: Int

    /// Makes a row that adds up.
    init(number: Int, kind: SettlementKind, about: Int, gross: Int64, fee: Int64) {
        self.number = number
        self.kind = kind
        self.about = about
        self.gross = gross
        self.fee = fee
        net = gross - fee
        account = about % 100
    }

    /// Whether our books know of it.
    var isExpected: Bool { kind == .payment || kind == .refund }

    /// The PSP's name of the merchant's account.
    var accountName: String { "acct_1Merchant\(1000 + account)" }
    /// The PSP's name of the payment.
    var paymentReference: String { "pi_" + Self.padded(about) }
    /// The PSP's name of the charge or refund.
    var objectReference: String { (kind == .refund ? "re_" : "ch_") + Self.padded(number) }

    /// The row with more money in it.
    func adding(cents: Int64) -> SettlementRow {
        var row = self
        row.gross += cents
        row.net += cents
        return row
    }

    /// The row with less net than its gross less its fee.
    func lacking(cents: Int64) -> SettlementRow {
        var row = self
        row.net -= cents
        return row
    }

    /// The row as if the buyer had paid the same number in another currency.
    func paid(in currency: String) -> SettlementRow {
        var row = self
        row.currency = currency
        return row
    }

    /// The row as if it were of another merchant's account.
    func moved(toAccount account: Int) -> SettlementRow {
        var row = self
        row.account = account
        return row
    }

    /// A number with as many digits as Stripe's names have.
    static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 24 - digits.utf8.count)) + digits
    }
}
