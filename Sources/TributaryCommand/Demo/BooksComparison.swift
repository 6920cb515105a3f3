import Domain
import StrictJSON

/// The gateway's books beside the PSPs' own.
struct BooksComparison {
    /// One attempt in both.
    struct Line {
        /// The payment.
        let payment: Payment
        /// The PSP account.
        let pspAccount: String
        /// What the gateway wrote down.
        let ours: PSPBooks.Amounts
        /// What the PSP wrote down.
        let theirs: PSPBooks.Amounts
        /// The order's currency.
        let currency: Currency
    }

    /// Every attempt of the orders.
    let lines: [Line]
    /// References in the PSPs' books that no attempt of the gateway has.
    let strangers: [String]
    /// What the PSPs noticed that no gateway may do.
    let violations: [String]

    /// Compares orders with the books of each PSP account.
    init(_ orders: [Order], _ books: [String: PSPBooks]) {
        var lines: [Line] = []
        var known: Set<String> = []
        for order in orders {
            for payment in order.payments {
                for attempt in payment.attempts {
                    known.insert(attempt.id.text)
                    let account = attempt.route.pspAccount
                    let theirs = books[account]?.authorizations[attempt.id.text] ?? PSPBooks.Amounts()
                    lines.append(
                        Line(
                            payment: payment,
                            pspAccount: account,
                            ours: PSPBooks.Amounts(attempt),
                            theirs: theirs,
                            currency: order.amount.currency
                        )
                    )
                }
            }
        }
        self.lines = lines
        strangers = books.values.flatMap(\.authorizations.keys).filter { !known.contains($0) }.sorted()
        violations = books.values.flatMap(\.violations).sorted()
    }

    /// Whether every attempt has the same amounts in both, and neither has what the other lacks.
    var agrees: Bool { differences == 0 && strangers.isEmpty && violations.isEmpty }

    /// How many attempts have other amounts at the PSP.
    var differences: Int { lines.count { $0.ours != $0.theirs } }

    /// A row for each attempt.
    var table: Table {
        var table = Table("merchant", "psp", "amount", "status", "gateway's_books", "psp's_own_books", "agree")
        for line in lines {
            table.add(
                .text(line.payment.externalIdentifier),
                .text(line.pspAccount),
                .amount(line.payment.amount, line.currency),
                .text(line.payment.state.rawValue),
                .text(line.ours.words(in: line.currency)),
                .text(line.theirs.words(in: line.currency)),
                .text(line.ours == line.theirs ? "yes" : "NO")
            )
        }
        return table
    }
}

extension PSPBooks.Amounts {
    fileprivate init(_ attempt: Attempt) {
        self.init(
            authorized: attempt.authorized,
            captured: attempt.captured,
            voided: attempt.released,
            refunded: attempt.refunded
        )
    }
}

/// What a PSP wrote down itself, as `GET /books` of a simulator tells it.
struct PSPBooks {
    /// Amounts in minor units.
    struct Amounts: Hashable {
        /// Approved.
        var authorized: Int64 = 0
        /// Taken.
        var captured: Int64 = 0
        /// Released.
        var voided: Int64 = 0
        /// Given back.
        var refunded: Int64 = 0

        /// The amounts that are not zero, in words.
        func words(in currency: Currency) -> String {
            let parts = [
                ("authorized", authorized), ("captured", captured), ("voided", voided), ("refunded", refunded),
            ]
            let shown = parts.filter { $0.1 != 0 }.map { name, amount in
                "\(name) \(Table.Cell.amount(amount, currency).shown)"
            }
            return shown.isEmpty ? "nothing" : shown.joined(separator: ", ")
        }
    }

    /// Its authorizations by the reference that the gateway gave them: the attempt's identifier.
    let authorizations: [String: Amounts]
    /// What the PSP noticed that no gateway may do, for example one reference under two keys.
    let violations: [String]

    /// Reads the books of one account.
    ///
    /// - Throws: ``CommandFailure`` if they have another shape.
    init(_ json: JSON, account: String) throws(CommandFailure) {
        guard let accounts = json["accounts"], let violations = json["violations"]?.arrayValue else {
            throw .finding("the simulator's books cannot be read")
        }
        var authorizations: [String: Amounts] = [:]
        for entry in accounts[account]?["authorizations"]?.arrayValue ?? [] {
            guard let reference = entry["reference"]?.stringValue, let authorized = entry["authorized"]?.integerValue,
                let captured = entry["captured"]?.integerValue, let voided = entry["voided"]?.integerValue,
                let refunded = entry["refunded"]?.integerValue, authorizations[reference] == nil
            else { throw .finding("an authorization in the simulator's books cannot be read") }
            authorizations[reference] = Amounts(
                authorized: authorized,
                captured: captured,
                voided: voided,
                refunded: refunded
            )
        }
        self.authorizations = authorizations
        self.violations = violations.compactMap(\.stringValue)
    }
}
