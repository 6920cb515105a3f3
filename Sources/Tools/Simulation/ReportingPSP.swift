import Domain
import PSPSimulator

/// What a PSP settles in a run, period by period, and the reports that it writes of it in its own format.
struct ReportingPSP: Sendable {
    /// A line of a report, and the payment that it is of.
    struct Movement: Hashable, Sendable {
        /// The line.
        var line: ReportLine
        /// The payment, by its name in the twin's books.
        let authorization: String
        /// The attempt as which the gateway knows it.
        let attempt: String
    }

    /// What is settled together, and paid out at once.
    struct Period: Sendable {
        /// How the PSP names it.
        let batch: ReportBatch
        /// What was settled, as the last report of it says.
        var movements: [Movement]
        /// Whether the bank has booked its payout.
        var isPaid = false
    }

    /// Where it is among the PSPs of the run.
    let place: Int
    /// The PSP.
    let twin: PSPTwin
    /// How it writes.
    let layout: any ReportLayout.Type
    /// What was settled so far.
    private(set) var periods: [Period] = []

    /// A PSP whose reports the gateway reads; nil for others.
    init?(_ line: SimulatedNetwork.Line) {
        guard let layout = line.twin.dialect.reportLayout else { return nil }
        (place, twin, self.layout) = (line.place, line.twin, layout)
    }

    /// Whether its report tells of each payment; Worldpay's statement tells transfers.
    var tellsPayments: Bool { twin.dialect != .worldpay }

    /// Whether fees stand in rows of their own, which nobody knows whose they are: the marketplace bears them.
    var writesFeesApart: Bool { twin.dialect == .checkout }

    /// Whether a later version of a report is known for what it is: Braintree's and Worldpay's name no batches.
    var namesBatches: Bool { tellsPayments && layout.tellsPayouts }

    /// All that was reported, as the last report of each period says.
    var movements: [Movement] { periods.flatMap(\.movements) }

    /// What a period pays out, in minor units; 0 where the reports do not tell.
    func paidOut(_ period: Period) -> Int64 { layout.paidOut(period.movements.map(\.line)) }

    /// Ends a period of all movements that are in none yet.
    ///
    /// - Returns: whether there are any.
    mutating func close(_ movements: [Movement], on day: CalendarDay) -> Bool {
        let known = Set(self.movements.map(\.line.name))
        let new = movements.filter { !known.contains($0.line.name) }
        guard !new.isEmpty else { return false }
        let number = periods.count + 1
        let digits = String(String(1000 + number).dropFirst())
        let name = "\(twin)".uppercased()
        let batch = ReportBatch(
            payout: "PO\(name)\(digits)",
            merchantsPayout: "PM\(name)\(digits)",
            number: "\(number)",
            day: day.description
        )
        periods.append(Period(batch: batch, movements: new))
        return true
    }

    /// Brings periods up to what the books say of their movements now; answers those that changed.
    mutating func correct(_ movements: [Movement]) -> [Int] {
        let present = Dictionary(movements.map { ($0.line.name, $0) }) { first, _ in first }
        return periods.indices.filter { place in
            let now = periods[place].movements.compactMap { present[$0.line.name] }
            guard now != periods[place].movements else { return false }
            periods[place].movements = now
            return true
        }
    }

    /// Changes the movements of a period, which it writes differently from now on.
    mutating func change(_ place: Int, _ body: (inout [Movement]) -> Void) { body(&periods[place].movements) }

    /// The bank has booked the payout of a period.
    mutating func pay(_ place: Int) { periods[place].isPaid = true }

    /// The report of a period, or of the first movements of it.
    func report(_ place: Int, first count: Int = .max) -> [UInt8] {
        let period = periods[place]
        let lines = period.movements.prefix(count).map(\.line)
        var rows = lines.flatMap { layout.rows(of: $0, in: period.batch) }
        let paid = layout.paidOut(lines)
        if paid != 0, let currency = lines.first?.currency {
            rows.append(layout.payout(paid, currency, of: period.batch))
        }
        return Array(layout.text(of: rows).utf8)
    }
}
