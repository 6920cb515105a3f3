import Domain

/// Finds entries of banks' statements that another file has: a camt.053 what a camt.052 had, an export what one before it had.
///
/// They are one movement of money, so that the first that counts is compared, and no other is.
struct RepeatedEntries {
    /// What an entry has in common with every repetition.
    private struct Booking: Hashable {
        let account: String
        let currency: Currency
        let amount: Int64
        let day: CalendarDay

        init(_ entry: BankMovement) {
            (account, currency, amount, day) = (entry.account, entry.currency, entry.amount, entry.day)
        }
    }

    /// A member of a file.
    private struct Member: Hashable {
        let file: String
        let number: Int

        init(_ entry: BankMovement) { (file, number) = (entry.place.file, entry.place.member) }
    }

    /// What stands for a reference in banks' files, as references are compared, and names nothing.
    private static let placeholders: Set<String> = ["nonref", "notprovided"]

    private var known: [Booking: [Member: [BankMovement]]] = [:]

    /// Takes entries of files that count.
    mutating func add(_ entries: [BankMovement]) {
        for entry in entries { known[Booking(entry), default: [:]][Member(entry), default: []].append(entry) }
    }

    /// Takes entries that are to count, and answers where those stand that another member of a file has already, each with
    /// the files that have it.
    ///
    /// Of two that one member writes alike, another that has them once repeats one, and one that has them twice both.
    mutating func take(_ entries: [BankMovement]) -> [LinePlace: Set<String>] {
        var repeated: [LinePlace: Set<String>] = [:]
        var order: [Member] = []
        let members = Dictionary(grouping: entries, by: { Member($0) })
        for entry in entries where order.last != Member(entry) && !order.contains(Member(entry)) {
            order.append(Member(entry))
        }
        for own in order.compactMap({ members[$0] }) {
            var left = known
            for entry in own {
                let files = Self.find(entry, &left)
                if !files.isEmpty { repeated[entry.place] = files }
            }
            add(own)
        }
        return repeated
    }

    /// Takes an entry out of every member that has it, and answers whose those are.
    private static func find(_ entry: BankMovement, _ left: inout [Booking: [Member: [BankMovement]]]) -> Set<String> {
        guard var others = left[Booking(entry)] else { return [] }
        var files: Set<String> = []
        for (member, entries) in others {
            guard let place = entries.firstIndex(where: { areSame($0, entry) }) else { continue }
            others[member]?.remove(at: place)
            files.insert(member.file)
        }
        left[Booking(entry)] = others
        return files
    }

    /// Whether two of one booking are the same: written alike, or with the bank's name and no two references of the payer.
    private static func areSame(_ one: BankMovement, _ other: BankMovement) -> Bool {
        if !one.hash.isEmpty, one.hash == other.hash { return true }
        guard let bank = name(one.bankReference), bank == name(other.bankReference) else { return false }
        guard let payer = name(one.payerReference), let second = name(other.payerReference) else { return true }
        return payer == second
    }

    private static func name(_ text: String?) -> String? {
        text.flatMap { PayoutItem.normal($0) }.flatMap { placeholders.contains($0) ? nil : $0 }
    }
}
