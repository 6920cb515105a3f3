/// What hands over the bytes of a file, or of each file of an archive.
protocol MemberSource: AnyObject {
    /// Goes to the next file; nil if there is none.
    ///
    /// - Returns: its name in the archive; nil inside for a file that is none.
    func nextMember() throws(ReportFileProblem) -> MemberName?

    /// The next bytes of the file; empty at its end.
    func read() throws(ReportFileProblem) -> [UInt8]

    /// Looks, behind the last file, whether the archive is whole.
    func finish() throws(ReportFileProblem)
}
