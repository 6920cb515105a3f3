package import Domain
import SQL
import Storage

/// Keeps what is found so that none of it counts before its run ends, and hands it on.
///
/// Matches of the run's own rows are stored under their imports, which do not count yet. Matches of rows that count
/// already, and breaks, are deferred to the run's last transaction.
struct StoringSink<Output: FindingOutput>: ReconciliationSink {
    /// Where what is found goes on to.
    var output: Output
    /// How many matches and breaks there were.
    private(set) var counts = (matches: 0, breaks: 0)
    /// How many matches of lines were stored for each import.
    private(set) var stored: [ImportID: Int64] = [:]
    /// Matches of rows that count already: as many as earlier files left open at most.
    private(set) var waiting = WaitingMatches()
    /// The breaks; nil in a dry run.
    private(set) var breaks: FoundBreaks?

    private let database: any Database
    private let marketplace: String
    /// The imports by the SHA-256 of their files: those of this run, and earlier ones that have open rows.
    private let imports: [String: ImportID]
    /// The imports of this run, in the order in which they are held.
    private let files: [ImportedFile]
    private let own: Set<ImportID>
    private let progress: (ReconciliationStage) -> Void

    init(
        output: Output,
        database: any Database,
        marketplace: String,
        breaks: FoundBreaks?,
        imports: [String: ImportID],
        own files: [ImportedFile],
        progress: @escaping (ReconciliationStage) -> Void
    ) {
        self.output = output
        self.database = database
        self.marketplace = marketplace
        self.breaks = breaks
        self.imports = imports
        self.files = files.sorted { $0.id < $1.id }
        own = Set(files.map(\.id))
        self.progress = progress
    }

    mutating func take(matches: [Match]) async throws {
        counts.matches += matches.count
        if breaks != nil { try await store(matches) }
        try output.take(matches)
        progress(.matching(matches: counts.matches, breaks: counts.breaks))
    }

    mutating func take(breaks found: [Break]) async throws {
        counts.breaks += found.count
        try breaks?.append(found)
        try output.take(found.map { (id: $0.id(of: marketplace), difference: $0) })
        progress(.matching(matches: counts.matches, breaks: counts.breaks))
    }

    private mutating func store(_ matches: [Match]) async throws {
        var now = WaitingMatches()
        for line in matches.flatMap(lineMatches) {
            if own.contains(line.line.file) { now.lines.append(line) } else { waiting.lines.append(line) }
        }
        for batch in matches.flatMap(batchMatches) {
            if own.contains(batch.file) { now.batches.append(batch) } else { waiting.batches.append(batch) }
        }
        // An entry that counts may stand with a payout that is about to be superseded: until then it keeps that.
        for entry in matches.flatMap(bankMatches) {
            if own.contains(entry.entry.file) { now.entries.append(entry) } else { waiting.entries.append(entry) }
        }
        guard !now.isEmpty else { return }
        let (marketplace, found) = (marketplace, now)
        try await database.write(holding: files) { session in try found.add(of: marketplace, in: session) }
        for line in now.lines { stored[line.line.file, default: 0] += 1 }
    }

    /// Each line with what it confirms; of several of both, one with one and the rest with the last.
    private func lineMatches(_ match: Match) -> [LineMatch] {
        guard match.level == .line || match.level == .commission, let last = match.owners.indices.last else {
            return []
        }
        let places = match.lines.compactMap(place)
        var found: [LineMatch] = []
        for (index, line) in places.enumerated() {
            let isLastLine = index == places.indices.last
            let first = min(index, last)
            for (position, owner) in (first...(isLastLine ? last : first)).enumerated() {
                let whose = match.owners[owner]
                found.append(
                    LineMatch(
                        line: line,
                        position: position,
                        rule: match.rule,
                        subject: match.level == .line ? match.subjects[owner] : nil,
                        order: whose.order,
                        payment: whose.payment,
                        attempt: whose.attempt,
                        merchant: whose.merchant
                    )
                )
            }
        }
        return found
    }

    private func batchMatches(_ match: Match) -> [BatchMatch] {
        guard match.level == .batch, let batch = match.batch else { return [] }
        return match.lines.compactMap(place).map { payout in
            BatchMatch(file: payout.file, batch: batch, payout: payout, rule: match.rule)
        }
    }

    private func bankMatches(_ match: Match) -> [BankMatch] {
        guard match.level == .bank || match.level == .payout else { return [] }
        let payouts =
            match.lines.compactMap(place).map(BankMatch.Payout.line) + match.payouts.map(BankMatch.Payout.recorded)
        return match.entries.compactMap(place).flatMap { entry in
            payouts.enumerated().map { position, payout in
                BankMatch(entry: entry, position: position, payout: payout, rule: match.rule)
            }
        }
    }

    private func place(_ place: LinePlace) -> ImportPlace? {
        imports[place.file].map { ImportPlace(file: $0, member: place.member, row: place.row) }
    }
}

/// Takes what a reconciliation finds, as it is found, in a stable order.
package protocol FindingOutput {
    /// Is told, before anything else, the day that ages are counted to; nil if nothing names a day.
    mutating func begin(asOf: CalendarDay?)
    /// Takes matches.
    mutating func take(_ matches: [Match]) throws
    /// Takes breaks, each with its identifier.
    mutating func take(_ breaks: [(id: BreakID, difference: Break)]) throws
}

/// Matches that are about to be stored.
struct WaitingMatches: Sendable {
    var lines: [LineMatch] = []
    var batches: [BatchMatch] = []
    var entries: [BankMatch] = []

    var isEmpty: Bool { lines.isEmpty && batches.isEmpty && entries.isEmpty }

    /// Stores them.
    func add(of marketplace: String, in session: any Session) throws(SQLError) {
        if !lines.isEmpty { try MatchTable.add(lines, of: marketplace, in: session) }
        if !batches.isEmpty { try MatchTable.add(batches, of: marketplace, in: session) }
        if !entries.isEmpty { try MatchTable.add(entries, of: marketplace, in: session) }
    }
}
