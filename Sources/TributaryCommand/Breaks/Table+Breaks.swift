import Domain
import Storage

extension Table {
    /// A row for each break.
    init(breaks: [StoredBreak], at now: Timestamp) {
        self.init(
            "id",
            "type",
            "state",
            "amount",
            "currency",
            "age_days",
            "psp_account",
            "merchant",
            "order",
            "explanation"
        )
        for found in breaks {
            let difference = found.difference
            let row = BreakRow(id: found.id, difference: difference, asOf: .utc(now))
            add(
                .text(found.id.text),
                .text(difference.type.rawValue),
                .text(found.state.rawValue),
                difference.currency.map { .amount(difference.amount, $0) } ?? .integer(difference.amount),
                .optional(difference.currency?.code),
                row.ageDays.map { .integer($0) } ?? .absent,
                .optional(difference.pspAccount),
                .optional(difference.merchant?.text),
                .optional(difference.order?.text),
                .text(difference.explanation)
            )
        }
    }

    /// How many breaks there are of each age, and what is at risk, whatever its sign.
    init(agesOf breaks: [StoredBreak], at now: Timestamp) {
        self.init("age", "currency", "breaks", "at_risk")
        for bucket in AgeBucket.allCases {
            let own = breaks.filter { found in
                BreakRow(id: found.id, difference: found.difference, asOf: .utc(now)).ageDays
                    .map { AgeBucket(days: $0) == bucket } ?? false
            }
            let currencies = Set(own.compactMap(\.difference.currency)).sorted { $0.code < $1.code }
            for currency in currencies {
                let rows = own.filter { $0.difference.currency == currency }
                let risk = rows.reduce(Int128(0)) { $0 + Int128($1.difference.amount.magnitude) }
                add(
                    .text(bucket.rawValue),
                    .text(currency.code),
                    .integer(Int64(rows.count)),
                    .amount(Int64(clamping: risk), currency)
                )
            }
        }
    }
}

extension CalendarDay {
    /// The day of UTC that a moment is in.
    static func utc(_ moment: Timestamp) -> CalendarDay { BusinessCalendar.utc.day(of: moment) }
}
