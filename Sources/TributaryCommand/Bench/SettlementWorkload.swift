import AdapterKit
import Domain

/// A settlement report of any length and the books that it agrees with, but for a handful of breaks that are known.
///
/// Made up, the same every time, and nothing is kept: every row can be asked for by its number. A report is Stripe's
/// itemised payout reconciliation in batches of ten thousand rows, or of a tenth of the report: charges with their fees,
/// one refund in twenty-five, what Stripe charges now and then, and at the end of each batch the payout.
struct SettlementWorkload: Sendable {
    /// The PSP and our account at it.
    static let account = (psp: "stripe", name: "bench")
    /// How a report and the books are made to differ, each as often as ``plantsOfEachType``.
    static let plantedTypes: [BreakType] = [
        .amountMismatch, .currencyMismatch, .feeMismatch, .duplicateLine, .missingInOurs, .missingAtPSP,
        .wrongMerchantAccount, .refundWithoutOrigin, .batchSumMismatch,
    ]
    /// How often each is planted.
    static let plantsOfEachType = 3
    /// The fewest rows that all of them find their place in.
    static let fewestRows = 30 * plantedTypes.count * plantsOfEachType

    /// How many rows the report has beside its header.
    let rows: Int
    /// How many rows a batch has, its payout included.
    let batchRows: Int
    private let plants: [Int: BreakType]

    /// Makes a workload of at least ``fewestRows`` rows.
    init(rows: Int) {
        precondition(rows >= Self.fewestRows, "too few rows")
        self.rows = rows
        batchRows = min(10_000, rows / 10 / 25 * 25)
        let count = Self.plantedTypes.count * Self.plantsOfEachType
        var plants: [Int: BreakType] = [:]
        for number in 0..<count {
            // Behind a multiple of 25 neither a refund stands nor what one is of, and no payout.
            let place = (number + 1) * rows / (count + 1) / 25 * 25 + 3
            let type = Self.plantedTypes[number % Self.plantedTypes.count]
            plants[type == .batchSumMismatch ? Self.payoutRow(behind: place, rows, batchRows) : place] = type
        }
        self.plants = plants
    }

    /// What has to be found, and nothing else: a break's type and what it is about, in order.
    ///
    /// Rows are named as the file counts them, its header being row 1.
    var plantedBreaks: [String] {
        plants.map { row, type in
            switch type {
            case .missingAtPSP: FoundBreak.text(type, about: Self.operation(rows + row).text)
            case .duplicateLine: FoundBreak.text(type, about: Self.fileRow(row + 1))
            default: FoundBreak.text(type, about: Self.fileRow(row))
            }
        }.sorted()
    }

    /// What the PSP reports in a row.
    func row(_ number: Int) -> SettlementRow {
        let row = plainRow(number)
        switch plants[number] {
        case .amountMismatch: return row.adding(cents: 100)
        case .currencyMismatch: return row.paid(in: "eur")
        case .feeMismatch: return row.lacking(cents: 5)
        case .missingInOurs: return row
        case .wrongMerchantAccount: return row.moved(toAccount: row.account + 1)
        case .refundWithoutOrigin: return plainRefund(number, of: rows + number)
        case .batchSumMismatch: return row.lacking(cents: 123)
        default: return plants[number - 1] == .duplicateLine ? plainRow(number - 1) : row
        }
    }

    /// What our books expect at the place of a row.
    func expectations(at number: Int) -> [Expectation] {
        let row = plainRow(number)
        guard row.isExpected else { return [] }
        switch plants[number] {
        case .missingInOurs, .refundWithoutOrigin: return []
        case .missingAtPSP: return [expectation(of: row), expectation(of: plainCharge(rows + number))]
        default: return plants[number - 1] == .duplicateLine ? [] : [expectation(of: row)]
        }
    }

    // MARK: Rows

    private func plainRow(_ number: Int) -> SettlementRow {
        if number == Self.payoutRow(behind: number, rows, batchRows) {
            return SettlementRow(number: number, kind: .payout, about: number, gross: 0, fee: 0)
        }
        if number % 25 == 24 { return plainRefund(number, of: number - 10) }
        if number % 1000 == 500 {
            return SettlementRow(number: number, kind: .fee, about: number, gross: -250, fee: 0)
        }
        return plainCharge(number)
    }

    private func plainCharge(_ number: Int) -> SettlementRow {
        let gross = Int64(1000 + number &* 7919 % 99_000)
        return SettlementRow(number: number, kind: .payment, about: number, gross: gross, fee: 30 + gross * 29 / 1000)
    }

    private func plainRefund(_ number: Int, of charge: Int) -> SettlementRow {
        SettlementRow(number: number, kind: .refund, about: charge, gross: -(plainCharge(charge).gross / 2), fee: 0)
    }

    /// The row of the payout of a row's batch.
    private static func payoutRow(behind row: Int, _ rows: Int, _ batchRows: Int) -> Int {
        min(row / batchRows * batchRows + batchRows, rows) - 1
    }

    private static func fileRow(_ row: Int) -> String { String(row + 2) }

    // MARK: Our books

    private static let merchant = MerchantID(bits: bits(of: 0))
    private static let start = Timestamp(microseconds: 1_794_200_000_000_000)

    private func expectation(of row: SettlementRow) -> Expectation {
        Expectation(
            subject: .operation(Self.operation(row.number)),
            kind: row.kind == .refund ? .refund : .payment,
            order: OrderID(bits: Self.bits(of: row.about)),
            payment: PaymentID(bits: Self.bits(of: row.about)),
            attempt: Self.attempt(row.about),
            merchant: Self.merchant,
            psp: Self.account.psp,
            pspAccount: Self.account.name,
            merchantAccount: row.accountName,
            currency: Self.dollar,
            amount: row.gross,
            commission: nil,
            paymentReference: row.paymentReference,
            objectReference: row.objectReference,
            at: Self.start.adding(milliseconds: Int64(row.number))
        )
    }

    private static let dollar: Currency = {
        guard let dollar = Currency(code: "USD") else { preconditionFailure("ISO 4217 has the dollar") }
        return dollar
    }()

    /// Our operation behind a row.
    static func operation(_ row: Int) -> OperationID { OperationID(bits: bits(of: row)) }

    /// Our attempt behind a charge.
    static func attempt(_ row: Int) -> AttemptID { AttemptID(bits: bits(of: row)) }

    /// What stands for a UUIDv7: a time that rises with the row, and bits that scatter.
    private static func bits(of row: Int) -> UInt128 {
        let high = UInt64(0x0193_2d1e_0000 + row / 10) << 16 | 0x7000
        let low = UInt64(row) &* 0x9E37_79B9_7F4A_7C15 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return UInt128(high) << 64 | UInt128(low)
    }
}

/// What a break comes to where both ways of finding it have to agree: its type, and the row or operation it is about.
enum FoundBreak {
    /// A break of the engine's.
    static func text(_ found: Break) -> String {
        if let line = found.lines.first { return text(found.type, about: String(line.row)) }
        guard case .operation(let operation) = found.subject else { return text(found.type, about: found.key) }
        return text(found.type, about: operation.text)
    }

    /// A break by its type and what it is about.
    static func text(_ type: BreakType, about what: String) -> String { "\(type.rawValue) \(what)" }
}

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

/// The text of a made-up report: Stripe's itemised payout reconciliation.
struct SettlementReportText {
    /// The header, with its line end.
    static let header =
        "automatic_payout_id,automatic_payout_effective_at_utc,balance_transaction_id,created_utc,available_on_utc,"
        + "currency,gross,fee,net,reporting_category,source_id,description,customer_facing_amount,"
        + "customer_facing_currency,charge_id,payment_intent_id,connected_account_id,payment_metadata[attempt],"
        + "payment_metadata[operation],refund_metadata[operation]\n"

    private let workload: SettlementWorkload
    private var next = 0
    /// What the rows of the batch come to so far, in cents.
    private var batchCents: Int64 = 0

    /// Begins a text.
    init(_ workload: SettlementWorkload) { self.workload = workload }

    /// The next rows; empty behind the last.
    mutating func read(rows count: Int) -> [UInt8] {
        var text: [UInt8] = []
        let end = min(next + count, workload.rows)
        text.reserveCapacity((end - next) * 400)
        while next < end {
            write(workload.row(next), to: &text)
            next += 1
        }
        return text
    }

    private mutating func write(_ row: SettlementRow, to text: inout [UInt8]) {
        let batch = SettlementRow.name("po_", next / workload.batchRows)
        let entry = SettlementRow.name("txn_", row.number)
        text += "\(batch),2026-11-20 00:00:00,\(entry),2026-11-09 10:\(10 + row.number % 50):00,".utf8
        text += "2026-11-18 00:00:00,usd,".utf8
        switch row.kind {
        case .payment, .refund:
            batchCents += row.net
            let gross = Self.decimal(row.gross)
            text += "\(gross),\(Self.decimal(row.fee)),\(Self.decimal(row.net)),".utf8
            let (attempt, operation) = (SettlementWorkload.attempt(row.about), SettlementWorkload.operation(row.number))
            let isCharge = row.kind == .payment
            text += "\(isCharge ? "charge" : "refund"),\(row.objectReference),Order \(row.about),\(gross),".utf8
            text += "\(row.currency),\(SettlementRow.name("ch_", row.about)),\(row.paymentReference),".utf8
            text += "\(row.accountName),\(attempt),\(isCharge ? "\(operation)," : ",\(operation)")\n".utf8
        case .payout:
            let amount = Self.decimal(row.net - batchCents)
            batchCents = 0
            text += "\(amount),0.00,\(amount),payout,\(batch),STRIPE PAYOUT,,,,,,,,\n".utf8
        default:
            batchCents += row.net
            let amount = Self.decimal(row.net)
            text += "\(amount),0.00,\(amount),fee,\(SettlementRow.name("fee_", row.number)),Billing,,,,,,,,\n".utf8
        }
    }

    private static func decimal(_ cents: Int64) -> String {
        "\(cents < 0 ? "-" : "")\(cents.magnitude / 100).\(String(100 + cents.magnitude % 100).dropFirst())"
    }
}
