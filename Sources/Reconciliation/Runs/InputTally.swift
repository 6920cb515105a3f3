import AdapterKit
package import Domain
import StatementFiles
package import Storage
import StrictJSON

/// What the members of one file come to together.
struct InputTally {
    private(set) var rows = 0
    private(set) var unusable = 0
    private(set) var statements = 0
    private(set) var disagreements = 0
    private(set) var sums: [ReconciledInput.Sum] = []
    private(set) var notes: [ReconciledInput.Note] = []
    private(set) var days: ClosedRange<String>?
    /// The last day of the statement that is being read.
    private(set) var coveredDay: CalendarDay?
    private var head: BankStatementHead?
    private var documents: [String] = []

    /// The statements by their names; nil for a file without any.
    var document: String? { documents.isEmpty ? nil : documents.joined(separator: " ") }

    mutating func add(_ trailer: SettlementTrailer) {
        rows += trailer.rows
        unusable += trailer.unusableCount
        for sum in trailer.sums { add(sum.credits, sum.debits) }
    }

    mutating func add(_ trailer: BankTrailer, of member: String?) {
        note(trailer.monthEnds, of: member)
        rows += trailer.rows
        unusable += trailer.unusableCount
        disagreements += trailer.disagreementCount
        for sum in trailer.booked { add(sum.credits, sum.debits) }
    }

    /// Counts an entry that was read and cannot be used.
    mutating func countUnusable() { unusable += 1 }

    mutating func add(_ line: SettlementLine) {
        for date in [line.occurredOn, line.bookedOn, line.paidOn] { note(date?.day) }
    }

    mutating func add(_ head: BankStatementHead) {
        statements += 1
        coveredDay = head.to?.day.flatMap { CalendarDay($0) }
        note(head.to?.day)
        self.head = head
    }

    mutating func add(_ entry: ImportedBankEntry) {
        let day = entry.bookedOn ?? entry.valuedOn
        note(day)
        cover(day)
    }

    mutating func add(_ end: BankStatementEnd) {
        if let name = head?.name(endingWith: end) { documents.append(name) }
        for balance in end.balances {
            note(balance.date?.day)
            cover(balance.date?.day)
        }
    }

    /// The control totals as they are kept.
    var text: String {
        JSON.array(
            sums.map { sum in
                .object([
                    .init("currency", .string(sum.credits.currency.code)),
                    .init("credits", .string(sum.credits.decimal)),
                    .init("debits", .string(sum.debits.decimal)),
                ])
            }
        ).text
    }

    /// Counts dates that no calendar has; they are of one kind, whatever they are.
    private mutating func note(_ dates: MonthEndDates, of member: String?) {
        guard let line = dates.firstLine else { return }
        if !notes.isEmpty {
            notes[0].count += dates.count
            return
        }
        notes.append(
            ReconciledInput.Note(
                code: "month_end_dates",
                count: dates.count,
                firstLine: line,
                member: member,
                text: "Dates of February that the calendar does not have were read as the month's last day."
            )
        )
    }

    private mutating func note(_ day: String?) {
        guard let day else { return }
        days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    private mutating func cover(_ text: String?) {
        guard let day = text.flatMap({ CalendarDay($0) }) else { return }
        if coveredDay.map({ $0 < day }) ?? true { coveredDay = day }
    }

    private mutating func add(_ credits: SettlementAmount, _ debits: SettlementAmount) {
        guard let index = sums.firstIndex(where: { $0.credits.currency == credits.currency }) else {
            sums.append(ReconciledInput.Sum(credits: credits, debits: debits))
            return sums.sort { $0.credits.currency.code < $1.credits.currency.code }
        }
        // A sum beyond 64 bits was refused by the reader of each member already.
        if let sum = try? sums[index].credits.adding(credits) { sums[index].credits = sum }
        if let sum = try? sums[index].debits.adding(debits) { sums[index].debits = sum }
    }
}

/// What is known of a file once it was read.
package struct ReconciledInput: Hashable, Sendable {
    /// What the lines of one currency come to.
    package struct Sum: Hashable, Sendable {
        /// The sum of what raised the balance.
        package var credits: SettlementAmount
        /// The sum of what lowered it, itself not above zero.
        package var debits: SettlementAmount
    }

    /// Something that a person should know of how the file was read.
    package struct Note: Hashable, Sendable {
        /// What it is about, for programs.
        package let code: String
        /// How often it occurs.
        package var count: Int
        /// The line of the first; of the archive's file ``member``, if it is one.
        package let firstLine: Int
        /// The name of the archive's file that has the first.
        package let member: String?
        /// A sentence.
        package let text: String
    }

    /// Its path, as it was named.
    package var path: String
    /// SHA-256 of its bytes.
    package var sha256: String
    /// How many bytes it has.
    package var byteCount: Int64
    /// The formats of what is in it, in its order, each once.
    package var formats: [String] = []
    /// The PSP account whose report it is; nil for a bank's file.
    package var account: PSPAccountName?
    /// How many rows it has, usable or not.
    package var rows = 0
    /// How many of them could not be read.
    package var unusableRows = 0
    /// What its lines come to, in the order of the currencies' codes.
    package var sums: [Sum] = []
    /// How many figures it states that its own rows do not come to.
    package var disagreements = 0
    /// What a person should know of how it was read, each kind once.
    package var notes: [Note] = []
    /// Whether it was taken in before, so that nothing of it was read again.
    package var isKnown = false
    /// The files whose place it takes, oldest first.
    package var replaced: [ImportedFile] = []

    init(path: String, sha256: String, byteCount: Int64) {
        self.path = path
        self.sha256 = sha256
        self.byteCount = byteCount
    }
}
