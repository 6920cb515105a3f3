/// A file that is not packed.
final class PlainSource: MemberSource {
    private let file: SourceFile
    private var isOpen = false

    init(_ file: SourceFile) { self.file = file }

    func nextMember() -> MemberName? {
        guard !isOpen else { return nil }
        isOpen = true
        return MemberName(text: nil)
    }

    func read() throws(ReportFileProblem) -> [UInt8] { try file.next() }

    func finish() {}
}
