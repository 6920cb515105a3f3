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
