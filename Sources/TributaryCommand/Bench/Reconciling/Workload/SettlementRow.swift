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
    var paymentReference: String { Self.name("pi_", about) }
    /// The PSP's name of the charge or refund.
    var objectReference: String { Self.name(kind == .refund ? "re_" : "ch_", number) }

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

    /// A name with as many digits as Stripe's have, behind at most four characters.
    ///
    /// In one stroke: making names must not be what is measured.
    static func name(_ prefix: String, _ number: Int) -> String {
        var bytes = InlineArray<28, UInt8>(repeating: UInt8(ascii: "0"))
        let start = prefix.utf8.count
        for (place, byte) in prefix.utf8.enumerated() { bytes[place] = byte }
        var (rest, place) = (number, start + 24)
        while rest > 0 {
            place -= 1
            bytes[place] += UInt8(rest % 10)
            rest /= 10
        }
        guard let text = try? UTF8Span(validating: bytes.span.extracting(..<(start + 24))) else {
            preconditionFailure("a name is ASCII")
        }
        return String(copying: text)
    }
}
