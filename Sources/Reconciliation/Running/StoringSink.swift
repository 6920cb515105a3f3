import Domain
import SQL
import Storage

/// Stores what is found under the imports of a run, and hands it on.
struct StoringSink<Output: FindingOutput>: ReconciliationSink {
    /// Where what is found goes on to.
    var output: Output
    /// How many matches and breaks there were.
    private(set) var counts = (matches: 0, breaks: 0)
    /// What became of the breaks.
    private(set) var recorded = BreakTable.Recorded()
    /// How many matches of lines were stored for each import.
    private(set) var stored: [ImportID: Int64] = [:]

    private let database: any Database
    private let marketplace: String
    private let run: BreakRun?
    /// The imports by the SHA-256 of their files: those of this run, and earlier ones that have open rows.
    private let imports: [String: ImportID]
    private let progress: (ReconciliationStage) -> Void

    init(
        output: Output,
        database: any Database,
        marketplace: String,
        run: BreakRun?,
        imports: [String: ImportID],
        progress: @escaping (ReconciliationStage) -> Void
    ) {
        self.output = output
        self.database = database
        self.marketplace = marketplace
        self.run = run
        self.imports = imports
        self.progress = progress
    }

    mutating func take(matches: [Match]) async throws {
        counts.matches += matches.count
        if run != nil { try await store(matches) }
        try output.take(matches)
        progress(.matching(matches: counts.matches, breaks: counts.breaks))
    }

    mutating func take(breaks: [Break]) async throws {
        counts.breaks += breaks.count
        let named = breaks.map { (id: $0.id(of: marketplace), difference: $0) }
        if let run {
            let marketplace = marketplace
            let now = Timestamp(microseconds: try await database.now())
            let names = Dictionary(named.map { ($0.difference.key, $0.id) }, uniquingKeysWith: { first, _ in first })
            let added = try await database.write { session in
                var ids = IdentifierSource()
                return try BreakTable.record(
                    breaks,
                    named: names,
                    run,
                    of: marketplace,
                    at: now,
                    ids: &ids,
                    in: session
                )
            }
            recorded.opened += added.opened
            recorded.kept += added.kept
            recorded.reopened += added.reopened
        }
        try output.take(named)
        progress(.matching(matches: counts.matches, breaks: counts.breaks))
    }

    private mutating func store(_ matches: [Match]) async throws {
        let lines = matches.flatMap(lineMatches)
        let batches = matches.flatMap(batchMatches)
        let entries = matches.flatMap(bankMatches)
        let marketplace = marketplace
        try await database.write { session in
            if !lines.isEmpty { try MatchTable.add(lines, of: marketplace, in: session) }
            if !batches.isEmpty { try MatchTable.add(batches, of: marketplace, in: session) }
            if !entries.isEmpty { try MatchTable.add(entries, of: marketplace, in: session) }
        }
        for line in lines { stored[line.line.file, default: 0] += 1 }
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
