package import Domain

/// Compares what we say with what the PSPs' books say: the test of the whole product.
package enum BooksCheck {
    /// Where orders at rest and books differ.
    package static func complaints(comparing orders: [Order], with books: [BookedAuthorization]) -> [String] {
        let booked = Dictionary(grouping: books, by: \.reference)
        var complaints: [String] = []
        for attempt in orders.filter(\.isAtRest).flatMap(\.payments).flatMap(\.attempts) {
            complaints += self.complaints(comparing: attempt, with: booked[attempt.id.text] ?? [])
        }
        let known = Set(orders.flatMap(\.payments).flatMap(\.attempts).map(\.id.text))
        complaints += books.filter { !known.contains($0.reference) }.map { "\($0.reference) is in no order" }
        return complaints
    }

    private static func complaints(comparing attempt: Attempt, with books: [BookedAuthorization]) -> [String] {
        var complaints: [String] = []
        func compare(_ what: String, _ ours: Int64, _ theirs: KeyPath<BookedAuthorization, Int64>) {
            let sum = books.reduce(0) { $0 + $1[keyPath: theirs] }
            if ours != sum { complaints.append("\(attempt.id): we say \(what) \(ours), the PSP \(sum)") }
        }
        if books.count(where: { $0.authorized > 0 }) > 1 { complaints.append("\(attempt.id): authorized twice") }
        let captures = attempt.all(.capture).count { $0.state == .succeeded }
        if books.contains(where: { $0.captures > max(1, captures) }) {
            complaints.append("\(attempt.id): captured twice")
        }
        compare("captured", attempt.captured, \.captured)
        compare("refunded", attempt.refunded, \.refunded)
        compare("held", attempt.held, \.held)
        compare("authorized", attempt.authorized, \.authorized)
        return complaints
    }
}
