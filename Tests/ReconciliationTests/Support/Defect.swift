import AdapterKit
import Domain
import Reconciliation
import Testing

/// One thing that goes wrong, for each type of break; each on a payment of its own.
enum Defect: CaseIterable {
    case missingAtPSP, missingInOurs, amountMismatch, currencyMismatch, feeMismatch, duplicateLine
    case duplicatePaidTwice, statusMismatch, splitMismatch, wrongMerchantAccount, late, batchSumMismatch
    case payoutMismatch, payoutAbsent, refundWithoutOrigin, directionMismatch, referenceMismatch, roundingResidue
    case unparseableRow

    var type: BreakType {
        switch self {
        case .missingAtPSP: .missingAtPSP
        case .missingInOurs: .missingInOurs
        case .amountMismatch: .amountMismatch
        case .currencyMismatch: .currencyMismatch
        case .feeMismatch: .feeMismatch
        case .duplicateLine, .duplicatePaidTwice: .duplicateLine
        case .statusMismatch: .statusMismatch
        case .splitMismatch: .splitMismatch
        case .wrongMerchantAccount: .wrongMerchantAccount
        case .late: .late
        case .batchSumMismatch: .batchSumMismatch
        case .payoutMismatch, .payoutAbsent: .payoutMismatch
        case .refundWithoutOrigin: .refundWithoutOrigin
        case .directionMismatch: .directionMismatch
        case .referenceMismatch: .referenceMismatch
        case .roundingResidue: .roundingResidue
        case .unparseableRow: .unparseableRow
        }
    }
}

/// Planting defects in traffic that was paid out already.
extension Traffic {
    /// Plants a defect; what the PSP did with it is in its payout and at the bank too.
    mutating func plant(_ defect: Defect) throws {
        switch defect {
        case .missingAtPSP: try drop(line(day: 0))
        case .late: try drop(line(day: 10))
        case .unparseableRow:
            let place = try line(day: 12)
            inputs.unusable.append(UnusableRow(row: inputs.lines[place].row, problem: .malformed))
            inputs.lines.remove(at: place)
        case .missingInOurs: try forget(line(day: 3, .everything), isKnown: false)
        case .statusMismatch: try forget(line(day: 4), isKnown: true)
        case .refundWithoutOrigin: try addUnknownRefund()
        case .amountMismatch: try change(line(day: 5)) { $0 + 50 }
        case .roundingResidue: try change(line(day: 6)) { $0 + 1 }
        case .directionMismatch: try change(line(day: 7)) { -$0 }
        case .currencyMismatch:
            let place = try line(day: 8)
            let euro = try #require(Currency(code: "EUR"))
            inputs.lines[place].presentment = try SettlementAmount(minorUnits: 4_711, currency: euro)
        case .feeMismatch:
            let place = try line(day: 9)
            let fee = try #require(inputs.lines[place].fee)
            inputs.lines[place].fee = try SettlementAmount(minorUnits: fee.units + 10, currency: fee.currency)
        case .wrongMerchantAccount: try inputs.lines[line(day: 1)].submerchant = "sub-9"
        case .referenceMismatch:
            let place = try line(day: 2, .everything)
            inputs.lines[place].attempt = id(2)
            inputs.lines[place].reference = inputs.lines[place].attempt?.text
            inputs.lines[place].operation = nil
        default: try plantElsewhere(defect)
        }
    }

    private mutating func plantElsewhere(_ defect: Defect) throws {
        switch defect {
        case .splitMismatch:
            let commission = inputs.lines.indices.filter { inputs.lines[$0].kind == .commission }
            try change(#require(commission.last)) { $0 + 5 }
        case .duplicateLine: inputs.otherLines.append(inputs.lines[try line(day: 11)])
        case .duplicatePaidTwice:
            var copy = inputs.lines[try line(day: 11)]
            copy.row = 900_001
            inputs.otherLines.append(copy)
            try payMore(copy, try #require(copy.net?.minorUnits))
        case .batchSumMismatch:
            let place = try #require(inputs.lines.firstIndex { $0.kind == .payout && $0.batch == "batch_3_USD" })
            try payMore(inputs.lines[place], 1_234)
        case .payoutMismatch:
            let place = try #require(inputs.movements.firstIndex { $0.text == "ACME BATCH_4_KWD" })
            inputs.movements[place].amount += 1_000
        case .payoutAbsent: inputs.movements.removeAll { $0.text == "ACME BATCH_5_JPY" }
        default: Issue.record("no such defect")
        }
    }

    /// A payment line of a day that names its payment and stands alone, not taken by another defect.
    private mutating func line(day: Int, _ naming: Naming = .attempt) throws -> Int {
        let plain = inputs.expectations.first { expectation in
            guard expectation.kind == .payment, let row = rowOf[expectation.subject], !taken.contains(row),
                let line = inputs.lines.first(where: { $0.row == row }),
                line.batch?.hasPrefix("batch_\(day)_") == true
            else { return false }
            return naming == .everything
                ? line.objectReference != nil && line.attempt != nil
                : line.attempt != nil && line.objectReference == nil
        }
        let row = try #require(plain.flatMap { rowOf[$0.subject] })
        taken.insert(row)
        return try #require(inputs.lines.firstIndex { $0.row == row })
    }

    private func expectation(of place: Int) throws -> Int {
        let attempt = inputs.lines[place].attempt
        return try #require(inputs.expectations.firstIndex { $0.attempt == attempt && $0.kind == .payment })
    }

    private mutating func drop(_ place: Int) throws {
        let line = inputs.lines.remove(at: place)
        try payMore(line, -(try #require(line.net?.minorUnits)))
    }

    /// Takes the expectations of a line's payment away, and leaves it known or not.
    private mutating func forget(_ place: Int, isKnown: Bool) throws {
        let expectation = inputs.expectations[try expectation(of: place)]
        inputs.expectations.removeAll { $0.attempt == expectation.attempt && $0.kind == .payment }
        guard isKnown else {
            let commission = inputs.lines.firstIndex {
                $0.kind == .commission && $0.attempt == expectation.attempt
            }
            return try drop(#require(commission))
        }
        inputs.directory.byAttempt[expectation.attempt] = PaymentMatchCandidate(
            reference: expectation.attempt.text,
            order: expectation.order,
            payment: expectation.payment,
            attempt: expectation.attempt,
            merchant: expectation.merchant,
            pspAccount: expectation.pspAccount,
            status: "voided"
        )
    }

    private mutating func addUnknownRefund() throws {
        var refund = SettlementLine(row: 900_002, kind: .refund, type: "refund")
        let currency = try #require(Currency(code: "USD"))
        refund.gross = try SettlementAmount(minorUnits: -5_005, currency: currency)
        refund.net = refund.gross
        refund.attempt = id(6)
        refund.entryReference = "entry_unknown"
        refund.batch = "batch_6_USD"
        refund.occurredOn = SettlementDate("2026-11-07 10:00:00")
        inputs.lines.append(refund)
        try payMore(refund, -5_005)
    }

    /// Changes what a line is compared by; its net, its batch's payout and the bank's credit follow.
    private mutating func change(_ place: Int, _ change: (Int64) -> Int64) throws {
        let line = inputs.lines[place]
        let gross = try #require(line.gross)
        let units = change(gross.units)
        let fee = line.fee?.units ?? 0
        inputs.lines[place].gross = try SettlementAmount(minorUnits: units, currency: gross.currency)
        inputs.lines[place].net = try SettlementAmount(minorUnits: units - fee, currency: gross.currency)
        try payMore(line, units - gross.units)
    }

    /// The batch of a line pays out more, and the bank books it.
    private mutating func payMore(_ line: SettlementLine, _ amount: Int64) throws {
        let place = try #require(inputs.lines.firstIndex { $0.kind == .payout && $0.batch == line.batch })
        let net = try #require(inputs.lines[place].net)
        inputs.lines[place].net = try SettlementAmount(minorUnits: net.units - amount, currency: net.currency)
        let text = "ACME \((line.batch ?? "").uppercased())"
        let entry = try #require(inputs.movements.firstIndex { $0.text == text })
        inputs.movements[entry].amount += amount
    }
}
