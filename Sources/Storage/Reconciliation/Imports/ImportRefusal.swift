package import Domain

/// Why a file is not taken in; nothing of it counts then.
package enum ImportRefusal: Error, Hashable, Sendable {
    /// These bytes were taken in before.
    case known(ImportedFile)
    /// The file has a part in common with this one, which counts, but is not another version of it.
    case overlaps(ImportedFile)
    /// Another file came to count meanwhile that met what this one is to meet: reconcile again.
    case overtaken(by: ImportedFile)
    /// There is no such import.
    case unknown(ImportID)
    /// Other rows or matches are stored than were handed in, so that somebody else is at it: begin again.
    case disturbed(ImportID)
    /// The import is not being taken in any more.
    case notImporting(ImportedFile)
}
