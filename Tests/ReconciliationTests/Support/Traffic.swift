import AdapterKit
import Domain
import Reconciliation
import SeededRandom
import Testing

/// Random traffic in which books, reports and bank agree: every kind of effect, and every way a report names one.
struct Traffic {
    /// How a report names a payment.
    enum Naming: CaseIterable {
        case everything, attempt, operation, object, payment, text, nothing
    }

    /// 2026-11-01.
    static let firstDay = CalendarDay(number: 20758)
    /// How many days it goes on; settled and paid out two days later.
    static let days = 13
    static let currencies = ["USD", "JPY", "KWD"]

    var inputs = Inputs()
    private var random: SeededRandom
    private var source: IdentifierSource
    private var row = 2
    /// The row of each expectation that has one of its own.
    private(set) var rowOf: [Domain.Expectation.Subject: Int] = [:]
    /// Rows that a defect was planted in.
    var taken: Set<Int> = []

    init(seed: UInt64, payments: Int) throws {
        random = SeededRandom(seed: seed)
        source = IdentifierSource(random: SeededRandom(seed: seed &+ 1))
        for number in 0..<payments { try addPayment(number) }
    }

    // MARK: Making it

    private static func moment(_ day: Int) -> Timestamp {
        Timestamp(microseconds: Int64(firstDay.number) * 86_400_000_000)
            .adding(milliseconds: Int64(day) * 86_400_000 + 36_000_000)
    }

    mutating func id<Tag>(_ day: Int) -> Identifier<Tag> { source.make(at: Self.moment(day)) }

    private mutating func addPayment(_ number: Int) throws {
        let day = number % Self.days
        let currency = try #require(Currency(code: Self.currencies[number % 3]))
        let naming = Naming.allCases[number % Naming.allCases.count]
        let amount = Int64(10_000 + number * 1_000_000 + Int(random.next() % 900_000))
        let payment = try expectation(.payment, number, day, currency, amount)
        switch number % 11 {
        case 3 where naming == .everything || naming == .attempt || naming == .payment:
            try addLine(payment, naming, amount: amount / 3, day)
            try addLine(payment, naming, amount: amount - amount / 3, day)
        case 5 where naming == .attempt || naming == .payment:
            var second = payment
            second.subject = .operation(id(day))
            second.amount = amount / 2
            second.objectReference = "cap_\(number)b"
            inputs.expectations.append(second)
            try addLine(payment, naming, amount: amount + amount / 2, day)
        default:
            try addLine(payment, naming, amount: amount, day)
            rowOf[payment.subject] = inputs.lines.last?.row
        }
        if naming == .everything, let commission = payment.commission {
            try addCommission(payment, commission, day)
        }
        if number % 4 == 1, naming != .nothing { try addRefund(payment, number, day, naming) }
        if number % 9 == 2, naming != .nothing { try addChargeback(payment, number, day) }
    }

    private mutating func expectation(
        _ kind: Domain.Expectation.Kind,
        _ number: Int,
        _ day: Int,
        _ currency: Currency,
        _ amount: Int64
    ) throws -> Domain.Expectation {
        let expectation = Domain.Expectation(
            subject: .operation(id(day)),
            kind: kind,
            order: id(day),
            payment: id(day),
            attempt: id(day),
            merchant: id(day),
            psp: Inputs.account.psp,
            pspAccount: Inputs.account.account,
            merchantAccount: "sub-\(number % 5)",
            currency: currency,
            amount: amount,
            commission: amount / 10,
            paymentReference: "pay_\(number)",
            objectReference: "cap_\(number)",
            at: Self.moment(day)
        )
        inputs.expectations.append(expectation)
        return expectation
    }

    private mutating func addRefund(_ payment: Domain.Expectation, _ number: Int, _ day: Int, _ naming: Naming) throws {
        var refund = payment
        refund.subject = .operation(id(day))
        refund.kind = .refund
        refund.amount = -payment.amount / 4
        refund.commission = 0
        refund.objectReference = "ref_\(number)"
        inputs.expectations.append(refund)
        try addLine(refund, naming, amount: refund.amount, day)
        rowOf[refund.subject] = inputs.lines.last?.row
    }

    private mutating func addChargeback(_ payment: Domain.Expectation, _ number: Int, _ day: Int) throws {
        var chargeback = payment
        let dispute: DisputeID = id(day)
        chargeback.subject = .chargeback(dispute)
        chargeback.kind = .chargeback
        chargeback.amount = -payment.amount
        chargeback.commission = nil
        chargeback.objectReference = "dis_\(number)"
        inputs.expectations.append(chargeback)
        try addLine(chargeback, .attempt, amount: chargeback.amount, day)
        chargeback.subject = .chargebackReversal(dispute)
        chargeback.kind = .chargebackReversal
        chargeback.amount = payment.amount
        inputs.expectations.append(chargeback)
        try addLine(chargeback, .object, amount: chargeback.amount, day)
    }

    private mutating func addCommission(_ payment: Domain.Expectation, _ commission: Int64, _ day: Int) throws {
        var line = SettlementLine(row: row, kind: .commission, type: "commission")
        row += 1
        line.gross = try SettlementAmount(minorUnits: commission, currency: payment.currency)
        line.net = line.gross
        line.attempt = payment.attempt
        line.paymentReference = payment.paymentReference
        finish(&line, day, payment.currency)
    }

    private mutating func addLine(_ payment: Domain.Expectation, _ naming: Naming, amount: Int64, _ day: Int) throws {
        let kind = try #require(SettlementKind(rawValue: payment.kind.rawValue))
        var line = SettlementLine(row: row, kind: kind, type: kind.rawValue)
        row += 1
        let fee = kind == .payment ? amount / 40 : 0
        line.gross = try SettlementAmount(minorUnits: amount, currency: payment.currency)
        line.fee = try SettlementAmount(minorUnits: fee, currency: payment.currency)
        line.net = try SettlementAmount(minorUnits: amount - fee, currency: payment.currency)
        line.submerchant = payment.merchantAccount
        name(&line, payment, naming)
        finish(&line, day, payment.currency)
    }

    private func name(_ line: inout SettlementLine, _ payment: Domain.Expectation, _ naming: Naming) {
        if naming == .everything || naming == .attempt {
            line.attempt = payment.attempt
            line.reference = payment.attempt.text
        }
        if naming == .everything || naming == .operation, case .operation(let id) = payment.subject {
            line.operation = id
        }
        if naming == .everything || naming == .object { line.objectReference = payment.objectReference }
        if naming == .everything || naming == .payment { line.paymentReference = payment.paymentReference }
        if naming == .text { line.reference = "Order \(payment.attempt.text.uppercased())/1" }
    }

    private mutating func finish(_ line: inout SettlementLine, _ day: Int, _ currency: Currency) {
        line.entryReference = "entry_\(line.row)"
        line.batch = "batch_\(day)_\(currency.code)"
        line.occurredOn = SettlementDate("\(Self.firstDay.adding(days: Int32(day))) 10:00:00", zone: "UTC")
        inputs.lines.append(line)
    }

    // MARK: Paying it out

    /// A payout line for each batch, and a credit at the bank; merchants' payouts, and debits.
    mutating func payOut() throws {
        let batches = Dictionary(grouping: inputs.lines) { $0.batch ?? "" }
        for (batch, lines) in batches.sorted(by: { $0.key < $1.key }) {
            let parts = batch.split(separator: "_")
            let day = Self.firstDay.adding(days: try #require(Int32(parts[1])) + 2)
            let currency = try #require(Currency(code: String(parts[2])))
            var fee = SettlementLine(row: row, kind: .fee, type: "fee")
            fee.net = try SettlementAmount(minorUnits: -37, currency: currency)
            fee.batch = batch
            fee.entryReference = "entry_\(row)"
            var payout = SettlementLine(row: row + 1, kind: .payout, type: "payout")
            row += 2
            let sum = lines.compactMap(\.net?.minorUnits).reduce(-37, +)
            payout.net = try SettlementAmount(minorUnits: -sum, currency: currency)
            payout.batch = batch
            payout.entryReference = "entry_\(payout.row)"
            payout.paidOn = SettlementDate(day.description)
            inputs.lines += [fee, payout]
            addMovement(sum, currency, day.adding(days: 1), "ACME \(batch.uppercased())")
        }
        for number in 0..<6 { try addPayout(number) }
    }

    private mutating func addMovement(_ amount: Int64, _ currency: Currency, _ day: CalendarDay, _ text: String) {
        inputs.movements.append(
            BankMovement(
                place: LinePlace(file: Inputs.bankFile, row: inputs.movements.count + 1),
                account: "DE00",
                currency: currency,
                amount: amount,
                day: day,
                text: text
            )
        )
    }

    private mutating func addPayout(_ number: Int) throws {
        let currency = try #require(Currency(code: "USD"))
        let payout = Payout(
            id: id(number),
            marketplace: "market",
            merchant: id(number),
            amount: try Money(minorUnits: Int64(777 + number), currency: currency),
            paidAt: Self.moment(number),
            reference: "merchant-payout-\(number)",
            origin: .operator,
            recordedAt: Self.moment(number),
            state: .paid
        )
        inputs.payouts.append(payout)
        let day = Self.firstDay.adding(days: Int32(number) + 1)
        addMovement(-payout.amount.minorUnits, currency, day, number < 3 ? "REF \(payout.reference)" : "unnamed")
    }
}
