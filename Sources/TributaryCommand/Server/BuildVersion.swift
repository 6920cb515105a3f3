import CProcess

/// What this program is: its number, and what it was built from.
enum BuildVersion {
    /// The number; `.ci/package` reads it here.
    static let number = "0.1.0"
    /// The commit that it was built from; nil in a development build.
    static let commit = word { cprocess_commit($0) }
    /// The day of that commit, `YYYY-MM-DD`; nil in a development build.
    static let commitDate = word { cprocess_commit_date($0) }

    /// As `tributary --version` prints it: `0.1.0 (commit 0123abc of 2026-11-24)`.
    static let text = words(commit, commitDate)

    /// The number with a commit and its day, or that there is none.
    static func words(_ commit: String?, _ date: String?) -> String {
        guard let commit else { return "\(number) (development build)" }
        return "\(number) (commit \(commit)\(date.map { " of \($0)" } ?? ""))"
    }

    private static func word(_ byte: (_ place: UInt32) -> UInt8) -> String? {
        var bytes: [UInt8] = []
        while case let next = byte(UInt32(bytes.count)), next != 0 { bytes.append(next) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
