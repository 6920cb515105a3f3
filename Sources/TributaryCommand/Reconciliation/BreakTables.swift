import Domain
import Storage
import StrictJSON

/// A break as it is shown.
struct BreakRow {
    let id: BreakID
    let difference: Break
    /// The day that its age is counted to.
    let asOf: CalendarDay?

    /// The names of the columns of comma-separated values.
    static let csvHead = Table(columns: columns).csv

    private static let columns = [
        "id", "type", "currency", "amount", "age_days", "age", "merchant", "psp", "psp_account", "order", "payment",
        "lines", "explanation", "suggestion",
    ]

    /// How old it is, in days; nil if it has no day.
    var ageDays: Int64? {
        guard let asOf, let day = difference.day.flatMap({ CalendarDay($0) }) else { return nil }
        return max(0, asOf.days(since: day))
    }

    private var bucket: String? { ageDays.map { AgeBucket(days: $0).rawValue } }

    /// The row of a table for people.
    var cells: [Table.Cell] {
        [
            .text(difference.type.rawValue), amount, .optional(difference.currency?.code), .optional(bucket),
            .optional(difference.pspAccount), .optional(difference.order?.text), .text(id.text),
            .text(difference.explanation),
        ]
    }

    /// A line of comma-separated values, without its end.
    var csv: String {
        var table = Table(columns: Self.columns)
        let lines = difference.lines.map { "\($0.file.prefix(12)):\($0.member):\($0.row)" }
        let age: Table.Cell = ageDays.map { .integer($0) } ?? .absent
        let names: [String?] = [
            difference.merchant?.text, difference.psp, difference.pspAccount, difference.order?.text,
            difference.payment?.text,
        ]
        var cells: [Table.Cell] = [.text(id.text), .text(difference.type.rawValue)]
        cells += [.optional(difference.currency?.code), amount, age, .optional(bucket)]
        cells += names.map(Table.Cell.optional)
        cells += [lines.joined(separator: " "), difference.explanation, difference.suggestion].map(Table.Cell.text)
        table.add(cells)
        return table.csvRows.joined()
    }

    /// The object.
    var json: JSON {
        .object([
            .init("id", .string(id.text)), .init("type", .string(difference.type.rawValue)),
            .init("currency", .optional(difference.currency?.code)), .init("amount", .integer(difference.amount)),
            .init("age_days", ageDays.map(JSON.integer) ?? .null), .init("age", .optional(bucket)),
            .init("merchant", .optional(difference.merchant?.text)), .init("psp", .optional(difference.psp)),
            .init("psp_account", .optional(difference.pspAccount)),
            .init("order", .optional(difference.order?.text)), .init("payment", .optional(difference.payment?.text)),
            .init("lines", .array(difference.lines.map(\.json))),
            .init("explanation", .string(difference.explanation)), .init("suggestion", .string(difference.suggestion)),
        ])
    }

    private var amount: Table.Cell {
        difference.currency.map { .amount(difference.amount, $0) } ?? .integer(difference.amount)
    }
}

extension LinePlace {
    /// The object: the file by its SHA-256.
    var json: JSON {
        .object([
            .init("file", .string(file)), .init("member", .integer(Int64(member))), .init("row", .integer(Int64(row))),
        ])
    }
}

extension JSON {
    /// The text, or null.
    static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    /// The object with what it is in front.
    func tagged(_ word: String) -> JSON {
        .object([JSON.Member("is", .string(word))] + (objectValue ?? []))
    }
}

extension Table {
    /// A row for each break, as its document has it.
    init(breaks: [JSON], at now: Timestamp) {
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
            let day = found["day"]?.stringValue.flatMap { CalendarDay($0) }
            let age = day.map { max(0, CalendarDay.utc(now).days(since: $0)) }
            add(
                .text(of: found["id"]),
                .text(of: found["type"]),
                .text(of: found["status"]),
                .amount(of: found["amount"], in: found["currency"]),
                .text(of: found["currency"]),
                age.map { .integer($0) } ?? .absent,
                .text(of: found["psp_account"]),
                .text(of: found["merchant"]),
                .text(of: found["order"]),
                .text(of: found["explanation"])
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
