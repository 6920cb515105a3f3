import Domain
package import SQL
package import StatementFiles
import Storage

/// Takes files in, compares them with the books, and makes the files count: all of them or none.
///
/// Rows are stored a chunk at a time under an import that does not count yet, matches and breaks page by page; the last
/// transaction makes the imports count. What dies on the way is begun again with the same files. Breaks, and matches of
/// lines that earlier files left open, stand from when they are stored.
package struct ReconciliationRun: Sendable {
    /// How many expectations are read at once.
    private static let pageSize = 5_000

    private let database: any Database
    private let request: ReconciliationRequest
    private let rules: ReconciliationRules
    private let formats: ReportFormats
    private let psps: [String: String]

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - rules: how to match.
    ///   - formats: what files may be in.
    ///   - psps: the PSP that writes each of the settlement formats.
    ///   - database: the books.
    package init(
        _ request: ReconciliationRequest,
        rules: ReconciliationRules,
        formats: ReportFormats,
        psps: [String: String],
        database: any Database
    ) {
        self.request = request
        self.rules = rules
        self.formats = formats
        self.psps = psps
        self.database = database
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
        let files = try await files()
        let reconciler = Reconciler(rules: rules, scope: request.scope)
        let intakes = try await read(files, into: reconciler, progress: progress)
        let superseding = try await earlierVersions(of: intakes)
        var own = OwnSide(database: database, request: request, superseding: Set(superseding.values.joined()))
        try await own.read(into: reconciler, accounts: accounts(of: files, intakes), progress: progress)
        for intake in intakes { own.imports[intake.input.sha256] = intake.imported?.id }
        let run = request.isDryRun ? nil : breakRun(files, reconciler)
        output.begin(asOf: reconciler.asOf)
        var sink = StoringSink(
            output: output,
            database: database,
            marketplace: request.marketplace,
            run: run,
            imports: own.imports,
            progress: progress
        )
        let lookup = StoredPaymentLookup(database: database, marketplace: request.marketplace)
        let summary = try await reconciler.finish(lookup: lookup, into: &sink)
        output = sink.output
        var result = ReconciliationResult(inputs: inputs(files, intakes), summary: summary)
        guard let run else { return result }
        let closing = ImportClosing(database: database, request: request, run: run)
        let closed = try await closing.finish(
            intakes.compactMap { intake in
                intake.imported.map { file in
                    ImportCompletion(
                        id: file.id,
                        contents: intake.contents,
                        lines: Int64(intake.stored),
                        matches: sink.stored[file.id] ?? 0,
                        superseding: superseding[file.id] ?? []
                    )
                }
            },
            accounts: accounts(of: files, intakes)
        )
        result.recorded = sink.recorded
        result.closed = closed.breaks
        result.entries = closed.entries
        return result
    }

    // MARK: Files

    private struct File: Sendable {
        let path: String
        let digest: FileDigest
        /// The import as which it counts already.
        let known: ImportedFile?
    }

    /// Looks at every file before anything is written.
    private func files() async throws -> [File] {
        var files: [File] = []
        for path in request.paths {
            let digest: FileDigest
            do throws(ReportFileProblem) {
                digest = try FileDigest(ofFileAt: path)
            } catch {
                throw ReconciliationRefusal.unreadable(path: path, error)
            }
            if let other = files.first(where: { $0.digest.sha256 == digest.sha256 }) {
                throw ReconciliationRefusal.twice(path: path, other: other.path)
            }
            let marketplace = request.marketplace
            let found = try await database.read { session in
                try ImportTable.find(sha256: digest.sha256, of: marketplace, in: session)
            }
            let known = found.flatMap { $0.state == .done ? $0 : nil }
            if let known, !request.allowsKnownFiles { throw ReconciliationRefusal.known(path: path, known) }
            files.append(File(path: path, digest: digest, known: known))
        }
        return files
    }

    /// Reads the files that were not taken in before.
    private func read(
        _ files: [File],
        into reconciler: Reconciler,
        progress: (ReconciliationStage) -> Void
    ) async throws -> [FileIntake] {
        let marketplace = request.marketplace
        let known = try await database.read { session in
            try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace)))
        }
        let accounts = PSPAccounts(
            psps: psps,
            accounts: known.map { PSPAccountName(psp: $0.psp, account: $0.id) },
            named: request.psp
        )
        var intakes: [FileIntake] = []
        for file in files where file.known == nil {
            var intake = FileIntake(
                path: file.path,
                digest: file.digest,
                of: request,
                accounts: accounts,
                database: database
            )
            try await intake.read(formats, chosen: request.format, into: reconciler, progress: progress)
            intakes.append(intake)
        }
        return intakes
    }

    /// The imports whose place each of the files takes.
    private func earlierVersions(of intakes: [FileIntake]) async throws -> [ImportID: Set<ImportID>] {
        var earlier: [ImportID: Set<ImportID>] = [:]
        for intake in intakes {
            guard let file = intake.imported else { continue }
            let document = intake.contents.document
            do {
                let found = try await database.read { session in
                    try ImportVersions.earlier(than: file, document: document, in: session)
                }
                earlier[file.id] = Set(found.map(\.id))
            } catch ImportRefusal.overlaps(let other) {
                throw ReconciliationRefusal.overlaps(path: intake.input.path, other)
            }
        }
        return earlier
    }

    /// The PSP accounts that the files are of.
    private func accounts(of files: [File], _ intakes: [FileIntake]) -> [PSPAccountName] {
        let known = files.compactMap(\.known?.account).map { PSPAccountName(psp: $0.psp, account: $0.name) }
        return Set(known + intakes.compactMap(\.input.account)).sorted()
    }

    /// What breaks remember the run by: the same when it is begun again with the same files.
    private func breakRun(_ files: [File], _ reconciler: Reconciler) -> BreakRun {
        let name = files.map(\.digest.sha256).sorted().joined(separator: " ")
        return BreakRun(id: name, asOf: reconciler.asOf?.description ?? "")
    }

    private func inputs(_ files: [File], _ intakes: [FileIntake]) -> [ReconciledInput] {
        files.map { file in
            if let intake = intakes.first(where: { $0.input.path == file.path }) { return intake.input }
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
