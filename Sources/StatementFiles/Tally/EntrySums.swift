import AdapterKit
import Domain

/// The sums of all currencies, booked entries and others apart.
struct EntrySums: Sendable {
    /// By the currency's numeric code.
    private(set) var booked: [Int: EntrySum] = [:]
    private(set) var unbooked: [Int: EntrySum] = [:]

    mutating func add(_ entry: BankEntry) {
        let currency = entry.amount.currency
        if entry.status == .booked {
            booked[currency.numericCode, default: EntrySum(currency: currency)].add(entry)
        } else {
            unbooked[currency.numericCode, default: EntrySum(currency: currency)].add(entry)
        }
    }

    mutating func add(_ other: EntrySums) {
        booked.merge(other.booked) { sum, more in
            var sum = sum
            sum.add(more)
            return sum
        }
        unbooked.merge(other.unbooked) { sum, more in
            var sum = sum
            sum.add(more)
            return sum
        }
    }

    /// Booked and other entries together, if they are all of one currency; nil if there are none, or of several.
    var single: EntrySum? {
        var sums = booked
        sums.merge(unbooked) { sum, more in
            var sum = sum
            sum.add(more)
            return sum
        }
        return sums.count == 1 ? sums.values.first : nil
    }

    static func totals(_ sums: [Int: EntrySum]) throws(BankProblem) -> [BankSum] {
        var totals: [BankSum] = []
        for sum in sums.values.sorted(by: { $0.currency.code < $1.currency.code }) { totals.append(try sum.total()) }
        return totals
    }
}
