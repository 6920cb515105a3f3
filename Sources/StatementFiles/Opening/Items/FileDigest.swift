/// A file as it lies on disk, packed or not.
package struct FileDigest: Hashable, Sendable {
    /// SHA-256 of its bytes, 64 lower-case hexadecimal digits.
    package let sha256: String
    /// How many bytes it has.
    package let byteCount: Int64

    /// Makes a digest.
    package init(sha256: String, byteCount: Int64) {
        self.sha256 = sha256
        self.byteCount = byteCount
    }

    /// Reads a file for nothing but its digest.
    ///
    /// - Throws: ``ReportFileProblem``.
    package init(ofFileAt path: String) throws(ReportFileProblem) {
        let file = try SourceFile(path: path)
        self = try file.finish()
        guard byteCount > 0 else { throw .empty }
    }
}
