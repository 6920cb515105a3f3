import AdapterKit
import Domain
import StatementFiles

/// What a whole bank's file gave.
struct BankReading: Equatable {
    var items: [BankItem] = []
    var trailer: BankTrailer

    /// Reads a file, in pieces whose lengths a closure draws.
    init(
        _ reader: any BankReader,
        _ file: [UInt8],
        piece: () -> Int = { .max }
    ) throws(BankProblem) {
        var reader = reader
        var rest = file[...]
        while !rest.isEmpty {
            let length = piece()
            items += try reader.read(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        let (last, trailer) = try reader.finish()
        items += last
        self.trailer = trailer
    }

    init(camt text: String) throws(BankProblem) { try self.init(CamtReader(), Array(text.utf8)) }

    init(mt text: String) throws(BankProblem) { try self.init(MTReader(), Array(text.utf8)) }

    var heads: [BankStatementHead] { items.compactMap { if case .head(let head) = $0 { head } else { nil } } }
    var entries: [BankEntry] { items.compactMap { if case .entry(let entry) = $0 { entry } else { nil } } }
    var ends: [BankStatementEnd] { items.compactMap { if case .end(let end) = $0 { end } else { nil } } }
    var transactions: [BankTransaction] { entries.flatMap(\.transactions) }

    /// What tells each statement from all others.
    var names: [String?] { zip(heads, ends).map { $0.name(endingWith: $1) } }

    /// Each check: what the file states, a sign, what was found.
    var checks: [String] {
        ends.flatMap(\.checks).map { "\($0.subject.rawValue) \($0.stated) \($0.agrees ? "=" : "≠") \($0.found)" }
    }
}

extension [BankSum] {
    /// The sums in one text: `EUR 8.85 -7.00, SEK 0.00 -1.00`.
    var summary: String {
        map { "\($0.currency) \($0.credits.decimal) \($0.debits.decimal)" }.joined(separator: ", ")
    }
}

extension BankEntry {
    /// Booking day, value day, amount and status: `2014-12-31 2015-01-02 8.85 EUR BOOK`.
    var summary: String {
        [bookedOn?.text ?? "-", valueOn?.text ?? "-", signedAmount.description, status.rawValue].joined(separator: " ")
    }
}
