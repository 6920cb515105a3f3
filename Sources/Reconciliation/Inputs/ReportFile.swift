/// A file of a PSP that lines are read from.
package struct ReportFile: Hashable, Sendable {
    /// The account whose report it is.
    package let account: PSPAccountName
    /// The SHA-256 of the file as it was handed in, 64 hexadecimal digits in lower case.
    package let sha256: String
    /// The member of an archive, from 0; 0 for a plain file.
    package let member: Int
    /// Whether it was reconciled before, so that only what stayed open of it is handed over: its batches are not
    /// compared again for that alone.
    package let isEarlier: Bool

    /// Names a file.
    package init(account: PSPAccountName, sha256: String, member: Int = 0, isEarlier: Bool = false) {
        self.account = account
        self.sha256 = sha256
        self.member = member
        self.isEarlier = isEarlier
    }
}
