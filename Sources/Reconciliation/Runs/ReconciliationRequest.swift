package import Domain
package import StatementFiles
package import Storage

/// What an operator asks to be reconciled.
package struct ReconciliationRequest: Hashable, Sendable {
    /// The files, in the order in which they were named.
    package var paths: [String]
    /// Whose books.
    package var marketplace: String
    /// Who asks, as the audit trail names them.
    package var actor = AuditActor.instance("reconciliation")
    /// The PSP account that settlement reports are of, or a PSP that the marketplace has one account at; nil if the
    /// report's format says enough.
    package var psp: String?
    /// The name of the format that all files are in; nil to look at them.
    package var format: String?
    /// Which days, in which calendar, counted to which day, how exactly.
    package var scope = ReconciliationScope()
    /// Whether nothing is stored and nothing is posted.
    package var isDryRun = false
    /// What is done with files that were taken in before.
    package var knownFiles = KnownFiles.refused
    /// Whether a file may end inside its last line.
    package var allowsUnterminated = false

    /// What is done with a file that was taken in before.
    package enum KnownFiles: Hashable, Sendable {
        /// It is refused.
        case refused
        /// It is no mistake, and nothing of it changes.
        case passed
        /// If a later version took its place, it is taken in anew, in the place of that one; if it counts, it is refused.
        case reinstated
    }

    /// Makes a request.
    package init(paths: [String], marketplace: String) {
        self.paths = paths
        self.marketplace = marketplace
    }
}

/// What a reconciliation came to.
package struct ReconciliationResult: Sendable {
    /// The files.
    package var inputs: [ReconciledInput]
    /// The counts.
    package var summary: ReconciliationSummary
    /// When the books were looked at first.
    package var startedAt: Timestamp
    /// The first day that a file names; nil if none does.
    package var firstDay: CalendarDay?
    /// What came to count; nil in a dry run.
    package var outcome: Outcome?

    /// What a run changed.
    package struct Outcome: Hashable, Sendable {
        /// What became of the breaks.
        package var recorded = BreakTable.Recorded()
        /// How many breaks of earlier runs are explained now.
        package var closed = 0
        /// How many journal entries were posted.
        package var entries = 0
    }
}

/// Why files are not reconciled; nothing of them counts then.
package enum ReconciliationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file cannot be read.
    case unreadable(path: String, ReportFileProblem)
    /// A file was taken in before.
    case known(path: String, ImportedFile)
    /// A file was taken in before, and a later version took its place; which one counts now, if any does.
    case superseded(path: String, ImportedFile, by: ImportedFile?)
    /// A file is to count again that was one of several in whose place another one came, without one of those.
    case reinstatedInPart(path: String, ImportedFile)
    /// A file is to count again as another format's or account's.
    case reinstatedOtherwise(path: String, ImportedFile)
    /// Two of the files have lines in common.
    case versions(path: String, other: String)
    /// Two of the files have the same bytes.
    case twice(path: String, other: String)
    /// A file holds nothing.
    case noRows(path: String)
    /// None of its rows can be read.
    case allUnusable(path: String, rows: Int)
    /// Nothing of it is whole: it ends inside the only row that can be read.
    case cutInOnlyRow(path: String)
    /// Its own figures contradict each other.
    case contradictory(path: String, figures: Int)
    /// An archive has reports of several PSPs, or a bank's files beside a PSP's.
    case mixed(path: String)
    /// A report's PSP has no account here.
    case noAccount(path: String, psp: String)
    /// A report's PSP has several accounts here, and none was named.
    case severalAccounts(path: String, psp: String, accounts: [String])
    /// What was named is no account of the report's PSP.
    case otherAccount(path: String, psp: String, named: String)
    /// A file has a part in common with one that counts, and is no later version of it.
    case overlaps(path: String, ImportedFile)
    /// Somebody else reconciled meanwhile.
    case disturbed

    /// A sentence for the operator, which says what to do.
    package var description: String {
        switch self {
        case .unreadable(let path, let problem): "\(path): \(problem.description)"
        case .known(let path, let file):
            "\(path) was taken in on \(file.importedAt) as \(file.id); `tributary breaks list` has what it differs by; "
                + "with --again it is no mistake, and changes nothing"
        case .superseded(let path, let file, let later):
            "\(path) was taken in on \(file.importedAt) as \(file.id), and \(Self.name(later)) counts in its place; with "
                + "--again it is no mistake, and changes nothing; if its sender went back to what it says, --reinstate has it "
                + "count again"
        case .reinstatedInPart(let path, let other):
            "\(path) lost its place together with \(Self.name(other)), which would count no more; hand in both with --reinstate"
        case .reinstatedOtherwise(let path, let file):
            "\(path) counted as \(file.format)\(file.account.map { " of \($0.name)" } ?? ""), and can count again as that only"
        case .versions(let path, let other):
            "\(path) and \(other) have lines in common; hand in the later version alone"
        case .twice(let path, let other): "\(path) and \(other) are the same file"
        case .noRows(let path): "\(path) has no rows; is it the right file?"
        case .allUnusable(let path, let rows): "none of the \(rows) rows of \(path) can be read; is it the right file?"
        case .cutInOnlyRow(let path):
            "\(path) ends inside its only row, and may be cut there; ask for the file again, or say --unterminated if it is "
                + "always written so"
        case .contradictory(let path, let figures):
            "\(path) states \(figures) figures that its own entries do not come to; ask for the file again"
        case .mixed(let path): "\(path) holds reports of several PSPs or banks; hand them in one by one"
        case .noAccount(let path, let psp): "\(path) is of \(psp), where this marketplace has no account"
        case .severalAccounts(let path, let psp, let accounts):
            "\(path) is of \(psp); say which account: --psp \(accounts.joined(separator: " or --psp "))"
        case .otherAccount(let path, let psp, let named): "\(path) is of \(psp), and \(named) is no account there"
        case .overlaps(let path, let file):
            "\(path) has lines that \(file.name) (\(file.id)) has as well, and is no later version of it; "
                + "hand in files that do not overlap"
        case .disturbed: "another reconciliation changed the books meanwhile; run it again"
        }
    }

    private static func name(_ file: ImportedFile?) -> String { file.map { "\($0.name) (\($0.id))" } ?? "another file" }
}
