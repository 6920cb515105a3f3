import AdapterKit
import Domain
import SQL
import StatementFiles
import Storage

/// Reads one file, hands its rows to the reconciler, and stores them a chunk at a time.
struct FileIntake {
    /// How many rows are stored in one transaction.
    private static let chunkSize = 2_000

    private let database: any Database
    private let accounts: ReportAccounts
    private let marketplace: String
    private let isStored: Bool
    private let isUnterminatedAllowed: Bool
    private let file: HandedInFile
    private let random: RandomSource
    /// The import that its rows are stored under; nil in a dry run.
    private(set) var imported: ImportedFile?
    /// What its rows would be stored under; nil unless in a dry run.
    private(set) var unstored: UnstoredImport?
    private(set) var input: ReconciledInput
    private(set) var stored = 0
    private(set) var contents = ImportedFile.Contents()
    private var lines: [ImportedLine] = []
    private var entries: [ImportedBankEntry] = []
    private var member = 0
    private var memberName: String?
    /// How many entries of a bank the member has so far.
    private var entryCount = 0
    /// The last row of the member that is a line.
    private var lastRow = 0
    private var source: SettlementFile?
    private var account: String?
    private var currency: Currency?
    private var tally = InputTally()
    /// Whether a settlement report ends inside its last row, which can be read.
    private var endsInsideRow = false

    /// Makes an intake.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - request: whose books, and whether anything is stored.
    ///   - accounts: which PSP account a report is of.
    ///   - database: where rows are stored.
    ///   - random: what identifiers are drawn from.
    init(
        _ file: HandedInFile,
        of request: ReconciliationRequest,
        accounts: ReportAccounts,
        database: any Database,
        random: RandomSource
    ) {
        self.database = database
        self.random = random
        self.accounts = accounts
        self.file = file
        marketplace = request.marketplace
        isStored = !request.isDryRun
        isUnterminatedAllowed = request.allowsUnterminated
        input = ReconciledInput(path: file.path, sha256: file.digest.sha256, byteCount: file.digest.byteCount)
    }

    /// Reads all of the file.
    ///
    /// - Throws: ``ReconciliationRefusal``, ``ReconciliationFailure``, `SQLError`, and `CancellationError`.
    mutating func read(
        _ formats: ReportFormats,
        chosen: String?,
        into reconciler: Reconciler,
        progress: (ReconciliationStage) -> Void
    ) async throws {
        let path = input.path
        do {
            let report = try ReportFile(path: path, formats: formats, chosen: chosen)
            while let item = try report.next() {
                try Task.checkCancellation()
                try await take(item, into: reconciler)
                progress(.reading(path: path, bytes: report.bytesRead, of: report.sizeBytes, rows: tally.rows))
            }
        } catch let problem as ReportFileProblem {
            throw ReconciliationRefusal.unreadable(path: path, problem)
        }
        try await store(all: true)
        try finish()
    }

    private mutating func take(_ item: ReportItem, into reconciler: Reconciler) async throws {
        switch item {
        case .member(let member): try await begin(member)
        case .settlementLines(let lines): try await take(lines, into: reconciler)
        case .settlementEnd(let trailer):
            if let source { for row in trailer.unusable { reconciler.add(row, of: source) } }
            reconciler.countUnusable(trailer.unusableCount - trailer.unusable.count)
            tally.add(trailer)
            let isLastUsable = trailer.unusable.last.map { $0.row < lastRow } ?? true
            if trailer.lacksFinalLineEnd, isLastUsable { endsInsideRow = doubt(lastRow, reconciler) }
        case .bankItems(let items): for item in items { try await take(item, into: reconciler) }
        case .bankEnd(let trailer):
            for entry in trailer.unusable {
                // Behind those that could be read: several may begin in one line.
                entryCount += 1
                let sentence = "Line \(entry.line): \(entry.problem.description)"
                reconciler.add(unusable: sentence, at: place(entryCount))
            }
            reconciler.countUnusable(trailer.unusableCount - trailer.unusable.count)
            tally.add(trailer, of: memberName)
            if trailer.lacksFinalLineEnd, trailer.unusable.isEmpty { doubt(entryCount, reconciler) }
        case .end(let read):
            guard read == file.digest else { throw ReconciliationRefusal.unreadable(path: input.path, .changed) }
        }
    }

    private mutating func begin(_ member: ReportMember) async throws {
        let format = "\(member.format)"
        if !input.formats.contains(format) { input.formats.append(format) }
        (self.member, memberName) = (member.number - 1, member.name)
        (entryCount, lastRow) = (0, 0)
        var account: PSPAccountName?
        if case .settlement(let name) = member.format { account = try accounts.account(ofFormat: name, in: input.path) }
        guard member.number == 1 || account == input.account else {
            throw ReconciliationRefusal.mixed(path: input.path)
        }
        input.account = account
        if member.number == 1 { try file.refuse(ifReadAs: format, of: importAccount) }
        source = account.map { SettlementFile(account: $0, sha256: file.digest.sha256, member: self.member) }
        if isStored, imported == nil { imported = try await beginImport(as: format) }
        if !isStored, unstored == nil {
            unstored = UnstoredImport(marketplace: marketplace, format: format, account: importAccount)
        }
    }

    /// A file that ends inside its last line may have been cut there; what the line says is taken, and doubted.
    ///
    /// - Returns: whether it is doubted.
    @discardableResult private mutating func doubt(_ row: Int, _ reconciler: Reconciler) -> Bool {
        guard !isUnterminatedAllowed, !PlantedBug.cutUnnoticed.isPlanted else { return false }
        input.unusableRows += 1
        reconciler.add(
            unusable: "The last line has no end: the file may be cut inside it.",
            at: place(row),
            about: "/end",
            suggestion: "Ask for the file again; if it is always written so, say --unterminated."
        )
        return true
    }

    private var importAccount: ImportedFile.Account? {
        input.account.map { ImportedFile.Account(psp: $0.psp, name: $0.account) }
    }

    /// Writes down that it is taken in, or finds what was begun before.
    private func beginImport(as format: String) async throws -> ImportedFile {
        let now = Timestamp(microseconds: try await database.now())
        var ids = IdentifierSource(random: random)
        let new = ImportedFile(
            id: ids.make(at: now),
            marketplace: marketplace,
            sha256: file.digest.sha256,
            name: String(input.path.split(separator: "/").last ?? ""),
            format: format,
            account: importAccount,
            size: file.digest.byteCount,
            importedAt: now
        )
        do {
            return try await database.write { session in try ImportTable.begin(new, in: session).file }
        } catch ImportRefusal.known(let known) {
            throw ReconciliationRefusal.known(path: input.path, known)
        }
    }

    private mutating func take(_ new: [SettlementLine], into reconciler: Reconciler) async throws {
        guard let source else { return }
        try reconciler.add(new, of: source)
        for line in new { tally.add(line) }
        lastRow = new.last?.row ?? lastRow
        guard imported != nil else {
            for line in new { unstored?.add(ImportedLine(line, member: member)) }
            return
        }
        lines += new.map { ImportedLine($0, member: member) }
        try await store(all: false)
    }

    private mutating func take(_ item: BankItem, into reconciler: Reconciler) async throws {
        switch item {
        case .head(let head):
            account = head.account?.identifier
            currency = head.account?.currency
            tally.add(head)
        case .entry(let entry):
            guard entry.status == .booked else { return }
            entryCount += 1
            guard let row = ImportedBankEntry(entry, number: entryCount, member: member, account: account) else {
                tally.countUnusable()
                return reconciler.add(unusable: "The entry names no account, or is too large.", at: place(entryCount))
            }
            if let movement = row.movement(in: file.digest.sha256) {
                try reconciler.add(movement)
            } else {
                tally.countUnusable()
                reconciler.add(unusable: "The entry has no day, or a part of a minor unit.", at: place(entryCount))
            }
            currency = row.amount.currency
            tally.add(row)
            guard imported != nil else { return }
            entries.append(row)
            try await store(all: false)
        case .end(let end):
            tally.add(end)
            guard let day = tally.coveredDay, let currency = currency ?? end.balances.first?.amount.currency else {
                return
            }
            reconciler.add(statementThrough: day, currency: currency)
        }
    }

    /// Writes down of stored entries which other files have them: they count again once no such file does any more.
    func mark(_ repeated: [LinePlace: Set<ImportID>]) async throws {
        guard let imported else { return }
        var own: [ImportPlace: Set<ImportID>] = [:]
        for (place, files) in repeated where place.file == input.sha256 {
            own[ImportPlace(file: imported.id, member: place.member, row: place.row)] = files
        }
        guard !own.isEmpty else { return }
        let places = own
        try await database.write(holding: [imported]) { session in
            try BankEntryTable.mark(places, of: imported, in: session)
        }
    }

    private func place(_ entry: Int) -> LinePlace { LinePlace(file: file.digest.sha256, member: member, row: entry) }

    private mutating func store(all: Bool) async throws {
        guard let imported, all || lines.count >= Self.chunkSize || entries.count >= Self.chunkSize else { return }
        let (lines, entries) = (lines, entries)
        guard !lines.isEmpty || !entries.isEmpty else { return }
        try await database.write(holding: [imported]) { session in
            if !lines.isEmpty { try SettlementLineTable.add(lines, to: imported, in: session) }
            if !entries.isEmpty { try BankEntryTable.add(entries, to: imported, in: session) }
        }
        stored += lines.count + entries.count
        self.lines.removeAll(keepingCapacity: true)
        self.entries.removeAll(keepingCapacity: true)
    }

    /// Holds the file to itself, and sums it up.
    private mutating func finish() throws {
        guard tally.rows > 0 || tally.statements > 0 else { throw ReconciliationRefusal.noRows(path: input.path) }
        guard tally.rows == 0 || tally.unusable < tally.rows else {
            throw ReconciliationRefusal.allUnusable(path: input.path, rows: tally.rows)
        }
        // What a single row has lost, nothing in the file tells: in a whole one later it may be another batch's.
        guard !endsInsideRow || tally.rows - tally.unusable > 1 else {
            throw ReconciliationRefusal.cutInOnlyRow(path: input.path)
        }
        input.rows = tally.rows
        input.unusableRows += tally.unusable
        input.sums = tally.sums
        input.disagreements = tally.disagreements
        input.notes = tally.notes
        guard tally.disagreements == 0 else {
            throw ReconciliationRefusal.contradictory(path: input.path, figures: tally.disagreements)
        }
        contents = ImportedFile.Contents(
            document: tally.document,
            rows: Int64(tally.rows),
            unusable: Int64(tally.unusable),
            totals: tally.text,
            firstDay: tally.days?.lowerBound,
            lastDay: tally.days?.upperBound
        )
        unstored?.document = tally.document
    }
}
