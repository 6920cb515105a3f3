import Domain

/// Which PSP account a settlement report is of.
package struct ReportAccounts: Sendable {
    private let psps: [String: String]
    private let accounts: [PSPAccountName]
    private let named: String?

    /// Makes a directory.
    ///
    /// - Parameters:
    ///   - psps: the PSP that writes each format.
    ///   - accounts: the marketplace's accounts.
    ///   - named: the account, or the PSP, that the operator named.
    package init(psps: [String: String], accounts: [PSPAccountName], named: String?) {
        self.psps = psps
        self.accounts = accounts
        self.named = named
    }

    /// The account that a report in a format is of.
    ///
    /// - Throws: ``ReconciliationRefusal``.
    func account(ofFormat format: String, in path: String) throws(ReconciliationRefusal) -> PSPAccountName {
        let psp = psps[format] ?? format
        let own = accounts.filter { $0.psp == psp }
        guard let first = own.first else { throw .noAccount(path: path, psp: psp) }
        if let named {
            if let account = own.first(where: { $0.account == named }) { return account }
            guard named == psp else { throw .otherAccount(path: path, psp: psp, named: named) }
        }
        guard own.count == 1 else {
            throw .severalAccounts(path: path, psp: psp, accounts: own.map(\.account).sorted())
        }
        return first
    }
}
