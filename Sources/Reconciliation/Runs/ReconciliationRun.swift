package import Domain
package import SQL
package import StatementFiles
import Storage

/// Takes files in, compares them with the books, and makes the files count: all of them or none.
///
/// Rows and their matches are stored a chunk at a time under an import that does not count yet; the last transaction adds
/// breaks and matches of what earlier files left open, and makes the imports count. What dies on the way is begun again
/// with the same files.
package struct ReconciliationRun: Sendable {
    /// How many expectations are read at once.
    private static let pageSize = 5_000

    private let database: any Database
    private let request: ReconciliationRequest
    private let rules: ReconciliationRules
    private let formats: ReportFormats
    private let psps: [String: String]
    private let random: RandomSource

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - rules: how to match.
    ///   - formats: what files may be in.
    ///   - psps: the PSP that writes each of the settlement formats.
    ///   - database: the books.
    ///   - random: what identifiers are drawn from.
    package init(
        _ request: ReconciliationRequest,
        rules: ReconciliationRules,
        formats: ReportFormats,
        psps: [String: String],
        database: any Database,
        random: RandomSource = .system
    ) {
        self.request = request
        self.rules = rules
        self.formats = formats
        self.psps = psps
        self.database = database
        self.random = random
    }

    /// Reconciles.
    ///
    /// - Parameters:
    ///   - output: takes what is found; the files do not count before this returns.
    ///   - progress: told how far it is.
    /// - Returns: the inputs and the counts.
    /// - Throws: ``ReconciliationRefusal``, ``ReconciliationFailure``, `SQLError`, and what the output throws.
    package func run<Output: FindingOutput>(
        into output: inout Output,
        progress: @escaping (ReconciliationStage) -> Void
    ) async throws -> ReconciliationResult {
        let (turn, startedAt) = (try await turn(), Timestamp(microseconds: try await database.now()))
        let files = try await HandedInFile.all(of: request, in: database)
        let reconciler = Reconciler(rules: rules, scope: request.scope)
        for file in files { reconciler.note(day: file.known?.contents.lastDay.flatMap { CalendarDay($0) }) }
        let intakes = try await read(files, into: reconciler, progress: progress)
        try await refuseVersions(among: intakes)
        let replaced = try await earlierVersions(of: intakes)
        let superseding = replaced.mapValues { Set($0.map(\.id)) }
        let released = Set(superseding.values.joined())
        try await passOverRepeatedEntries(of: intakes, reconciler, superseding: released)
        var own = LedgerSide(database: database, request: request, superseding: released)
        let accounts = accounts(of: files, intakes)
        try await own.read(into: reconciler, accounts: accounts, progress: progress)
        let earlier = own.imports
        for intake in intakes { own.imports[intake.input.sha256] = intake.imported?.id }
        output.begin(asOf: reconciler.asOf)
        var sink = StoringSink(
            output: output,
            database: database,
            marketplace: request.marketplace,
            breaks: request.isDryRun ? nil : try FoundBreaks(in: request.scope.spillDirectory),
            imports: own.imports,
            own: intakes.compactMap(\.imported),
            progress: progress
        )
        let lookup = StoredPaymentLookup(
            database: database,
            marketplace: request.marketplace,
            superseding: released,
            reopening: own.reopening
        )
        let summary = try await reconciler.finish(lookup: lookup, into: &sink)
        output = sink.output
        let days = files.compactMap(\.known?.contents.firstDay) + intakes.compactMap(\.contents.firstDay)
        var result = ReconciliationResult(
            inputs: inputs(files, intakes, replaced),
            summary: summary,
            startedAt: startedAt,
            firstDay: days.min().flatMap { CalendarDay($0) }
        )
        guard let breaks = sink.breaks else { return result }
        let closing = ImportClosing(
            request: request,
            run: try await breakRun(reconciler),
            turn: turn,
            completions: completions(of: intakes, sink.stored, superseding),
            matches: sink.waiting,
            reopened: own.reopened,
            canceled: reconciler.canceledLines,
            agreed: reconciler.agreedBatches,
            earlier: earlier,
            breaks: breaks.sealed,
            accounts: accounts,
            random: random
        )
        result.outcome = try await closing.finish(in: database)
        return result
    }

    /// How many reconciliations count by now.
    private func turn() async throws -> Int64 {
        let marketplace = request.marketplace
        return try await database.read { session in try ReconciliationTurn.number(of: marketplace, in: session) }
    }

    private func completions(
        of intakes: [FileIntake],
        _ stored: [ImportID: Int64],
        _ superseding: [String: Set<ImportID>]
    ) -> [ImportCompletion] {
        intakes.compactMap { intake in
            intake.imported.map { file in
                ImportCompletion(
                    id: file.id,
                    begunAt: file.importedAt,
                    contents: intake.contents,
                    lines: Int64(intake.stored),
                    matches: stored[file.id] ?? 0,
                    superseding: superseding[intake.input.sha256] ?? []
                )
            }
        }
    }

    /// Reads the files that were not taken in before.
    private func read(
        _ files: [HandedInFile],
        into reconciler: Reconciler,
        progress: (ReconciliationStage) -> Void
    ) async throws -> [FileIntake] {
        let marketplace = request.marketplace
        let known = try await database.read { session in
            try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace)))
        }
        let accounts = ReportAccounts(
            psps: psps,
            accounts: known.map { PSPAccountName(psp: $0.psp, account: $0.id) },
            named: request.psp
        )
        var intakes: [FileIntake] = []
        for file in files where file.known == nil {
            var intake = FileIntake(
                file,
                of: request,
                accounts: accounts,
                database: database,
                random: random
            )
            try await intake.read(formats, chosen: request.format, into: reconciler, progress: progress)
            intakes.append(intake)
        }
        return intakes
    }

    /// Two files of one run that have lines in common would both count.
    private func refuseVersions(among intakes: [FileIntake]) async throws {
        for (place, one) in intakes.enumerated() {
            for other in intakes[..<place] where one.input.account == other.input.account {
                let isSameDocument = one.contents.document.map { $0 == other.contents.document } ?? false
                var isCommon = isSameDocument && one.input.formats == other.input.formats
                if let file = one.imported?.id, let before = other.imported?.id, !isCommon {
                    isCommon = try await database.read { try ImportVersions.haveCommonLines(file, before, in: $0) }
                } else if let file = one.unstored, let before = other.unstored, !isCommon {
                    isCommon = file.hasCommonLines(with: before)
                }
                if isCommon { throw ReconciliationRefusal.versions(path: one.input.path, other: other.input.path) }
            }
        }
    }

    /// The imports whose place each of the files takes, oldest first, by the files' SHA-256.
    private func earlierVersions(of intakes: [FileIntake]) async throws -> [String: [ImportedFile]] {
        var earlier: [String: [ImportedFile]] = [:]
        for intake in intakes {
            let (stored, unstored, document) = (intake.imported, intake.unstored, intake.contents.document)
            do {
                let found = try await database.read { session in
                    if let stored { return try ImportVersions.earlier(than: stored, document: document, in: session) }
                    return try unstored.map { try ImportVersions.earlier(than: $0, in: session) } ?? []
                }
                earlier[intake.input.sha256] = found
            } catch ImportRefusal.overlaps(let other) {
                throw ReconciliationRefusal.overlaps(path: intake.input.path, other)
            }
        }
        return earlier
    }

    /// Passes over entries of banks that another file of the run has, or one that counts and goes on to.
    private func passOverRepeatedEntries(
        of intakes: [FileIntake],
        _ reconciler: Reconciler,
        superseding released: Set<ImportID>
    ) async throws {
        guard let (accounts, days) = reconciler.bookings else { return }
        let marketplace = request.marketplace
        var counting: [BankMovement] = []
        var place: ImportPlace?
        repeat {
            let after = place
            let page = try await database.read { session in
                try BankEntryTable.counting(
                    on: accounts,
                    of: marketplace,
                    days: days.lowerBound.description...days.upperBound.description,
                    releasing: released,
                    after: after,
                    limit: Self.pageSize,
                    in: session
                )
            }
            // Its file is told apart from others by its import.
            counting += page.compactMap { $0.entry.movement(in: $0.place.file.text) }
            place = page.count == Self.pageSize ? page.last?.place : nil
        } while place != nil
        let own = Dictionary(intakes.map { ($0.input.sha256, $0.imported?.id) }) { first, _ in first }
        let repeated = reconciler.passOver(repeating: counting).mapValues { files in
            Set(files.compactMap { own[$0] ?? ImportID($0) })
        }
        for intake in intakes { try await intake.mark(repeated) }
    }

    /// The PSP accounts that the files are of.
    private func accounts(of files: [HandedInFile], _ intakes: [FileIntake]) -> [PSPAccountName] {
        let known = files.compactMap(\.known?.account).map { PSPAccountName(psp: $0.psp, account: $0.name) }
        return Set(known + intakes.compactMap(\.input.account)).sorted()
    }

    /// What breaks remember the run by.
    private func breakRun(_ reconciler: Reconciler) async throws -> BreakRun {
        var ids = IdentifierSource(random: random)
        let name: ImportID = ids.make(at: Timestamp(microseconds: try await database.now()))
        return BreakRun(id: name.text, asOf: reconciler.asOf?.description ?? "")
    }

    private func inputs(
        _ files: [HandedInFile],
        _ intakes: [FileIntake],
        _ replaced: [String: [ImportedFile]]
    ) -> [ReconciledInput] {
        files.map { file in
            if var input = intakes.first(where: { $0.input.path == file.path })?.input {
                input.replaced = replaced[input.sha256] ?? []
                return input
            }
            var input = ReconciledInput(
                path: file.path,
                sha256: file.digest.sha256,
                byteCount: file.digest.byteCount
            )
            input.isKnown = true
            input.formats = file.known.map { [$0.format] } ?? []
            input.rows = Int(file.known?.contents.rows ?? 0)
            input.unusableRows = Int(file.known?.contents.unusable ?? 0)
            input.account = (file.known?.account).map { PSPAccountName(psp: $0.psp, account: $0.name) }
            return input
        }
    }
}

/// Where a reconciliation is, for whoever waits.
package enum ReconciliationStage: Hashable, Sendable {
    /// A file is read: which, how far, and how many rows so far.
    case reading(path: String, bytes: Int64, of: Int64, rows: Int)
    /// The ledger's side is read.
    case expecting(count: Int)
    /// Both sides are matched: what was found so far.
    case matching(matches: Int, breaks: Int)
}
