/// One of our accounts at a PSP.
package struct PSPAccountName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The PSP's name.
    package let psp: String
    /// The account's name in our settings.
    package let account: String

    /// Makes a name.
    package init(psp: String, account: String) {
        self.psp = psp
        self.account = account
    }

    /// `stripe/eu`.
    package var description: String { "\(psp)/\(account)" }

    /// By PSP, then account.
    package static func < (left: PSPAccountName, right: PSPAccountName) -> Bool {
        (left.psp, left.account) < (right.psp, right.account)
    }
}
