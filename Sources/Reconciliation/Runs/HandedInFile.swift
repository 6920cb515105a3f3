import Domain
import SQL
import StatementFiles
import Storage

/// A file that was handed in, looked at before anything is read or written.
struct HandedInFile: Sendable {
    let path: String
    let digest: FileDigest
    /// The import as which it was taken in before, unless it is to be taken in anew.
    let known: ImportedFile?
    /// The import as which it counted before another file took its place, if it is to count again.
    let before: ImportedFile?

    /// Looks at every file that is named.
    ///
    /// - Throws: ``ReconciliationRefusal``, `SQLError`.
    static func all(of request: ReconciliationRequest, in database: any Database) async throws -> [HandedInFile] {
        var files: [HandedInFile] = []
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
            files.append(try await look(at: path, digest, request, database))
        }
        try await refuseParts(among: files, database)
        return files
    }

    private static func look(
        at path: String,
        _ digest: FileDigest,
        _ request: ReconciliationRequest,
        _ database: any Database
    ) async throws -> HandedInFile {
        let marketplace = request.marketplace
        let (found, replaced) = try await database.read { session in
            (
                try ImportTable.find(sha256: digest.sha256, of: marketplace, in: session),
                try ImportTable.findSuperseded(sha256: digest.sha256, of: marketplace, in: session)
            )
        }
        let counted = found.flatMap { $0.state == .done ? $0 : nil }
        guard let known = counted ?? replaced, request.knownFiles != .passed else {
            return HandedInFile(path: path, digest: digest, known: counted ?? replaced, before: nil)
        }
        guard counted == nil else { throw ReconciliationRefusal.known(path: path, known) }
        guard request.knownFiles == .reinstated else {
            let succession = try await database.read { try ImportVersions.succession(of: known, in: $0) }
            throw ReconciliationRefusal.superseded(path: path, known, by: succession.counting)
        }
        return HandedInFile(path: path, digest: digest, known: nil, before: known)
    }

    /// Refuses a part without the others: one file took the place of all, and what only the others said would count no more.
    private static func refuseParts(among files: [HandedInFile], _ database: any Database) async throws {
        let named = Set(files.map(\.digest.sha256))
        for file in files {
            guard let before = file.before else { continue }
            let succession = try await database.read { try ImportVersions.succession(of: before, in: $0) }
            if let other = succession.others.first(where: { !named.contains($0.sha256) }) {
                throw ReconciliationRefusal.reinstatedInPart(path: file.path, other)
            }
        }
    }

    /// What is reinstated counts as what it was: under another account, what took its place would count beside it.
    ///
    /// - Throws: ``ReconciliationRefusal/reinstatedOtherwise(path:_:)``.
    func refuse(ifReadAs format: String, of account: ImportedFile.Account?) throws(ReconciliationRefusal) {
        guard let before else { return }
        guard format == before.format, account == before.account else {
            throw .reinstatedOtherwise(path: path, before)
        }
    }
}
