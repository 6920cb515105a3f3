import AdapterKit
import Domain
import SpillFiles

/// What the bank says, and the payouts that it should say.
struct BankSide {
    var movements: [BankMovement] = []
    var payouts: [Payout] = []
    private(set) var items: [PayoutItem] = []
    /// To which day the statements of a currency reach.
    private(set) var covered: [Currency: CalendarDay] = [:]

    /// Whether there is a bank's file among the inputs.
    var isPresent: Bool { !movements.isEmpty || !covered.isEmpty }

    mutating func cover(_ currency: Currency, through day: CalendarDay) {
        covered[currency] = max(covered[currency] ?? day, day)
    }

    /// Takes a payout line, if there is a bank to compare it with and it sent money.
    mutating func add(_ line: LineRecord, _ reconciler: Reconciler) throws(ReconciliationFailure) {
        guard isPresent, line.header.has(LineHeader.hasNet), line.header.net < 0 else { return }
        guard items.count < Reconciler.bankLimit else { throw .tooManyBankRows(limit: Reconciler.bankLimit) }
        let texts = [line.batch, line.object, line.entry, line.reference].compactMap { line.text($0) }
        items.append(
            PayoutItem(
                owner: .line(reconciler.place(of: line), reconciler.accounts.names[Int(line.header.account)]),
                currency: Currencies.currency(line.header.netCurrency),
                amount: -line.header.netTrillionths,
                day: line.day,
                references: texts.compactMap { PayoutItem.normal($0) },
                name: texts.first ?? "",
                batch: line.text(line.batch)
            )
        )
    }

    /// Makes items of the recorded payouts, and brings both sides into their order.
    mutating func prepare(_ calendar: BusinessCalendar) {
        for payout in payouts {
            items.append(
                PayoutItem(
                    owner: .recorded(payout),
                    currency: payout.amount.currency,
                    amount: -Scale.trillionths(minorUnits: payout.amount.minorUnits, payout.amount.currency),
                    day: calendar.day(of: payout.paidAt),
                    references: [payout.reference, payout.id.text].compactMap { PayoutItem.normal($0) },
                    name: payout.reference,
                    batch: nil
                )
            )
        }
        payouts = []
        items.sort(by: PayoutItem.precedes)
        movements.sort { ($0.day, $0.place) < ($1.day, $1.place) }
        for movement in movements { cover(movement.currency, through: movement.day) }
    }

    /// Which items a movement names by one of their references.
    func names() -> [String: [Int]] {
        var names: [String: [Int]] = [:]
        for (place, item) in items.enumerated() {
            for reference in Set(item.references) { names[reference, default: []].append(place) }
        }
        return names
    }

    mutating func close(_ places: [Int]) { for place in places { items[place].isOpen = false } }
}
