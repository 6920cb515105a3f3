import Domain
import Foundation
import Settings
import Storage

/// Checks what a declaration refers to by loading it: PSP accounts, wallet keys, endpoints of callbacks.
struct DeclarationCheck {
    /// What makes it unusable, in sentences.
    let problems: [String]
    /// What does not work as far as this shell can see, in sentences; it may where the server runs.
    let absences: [String]
    /// What will need a look soon, in sentences.
    let warnings: [String]

    /// Loads everything, by this machine's clock; `allowsLoopback` says whether callbacks may go to this machine.
    init(_ declaration: Declaration, allowsLoopback: Bool, surroundings: Surroundings) {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let marketplace = MarketplaceTable.Marketplace(declaration)
        let declared = declaration.pspAccounts.map { PSPAccount($0, of: marketplace.id, at: now) }
        var accounts = AccountCheck(declared, surroundings: surroundings)
        accounts.checkTokens(
            declaration.merchants.flatMap { merchant in
                merchant.routes.map { (merchant.externalIdentifier, $0.pspAccount, $0.applePay) }
            },
            of: declared
        )
        var ids = IdentifierSource()
        accounts.checkPayees(
            of: declaration.merchants.map { Merchant($0, of: marketplace.id, id: ids.make(at: now)) },
            among: declared
        )
        let own = declaration.merchants.first { $0.kind == .marketplace }
        let wallets = WalletCheck(
            marketplace.wallets,
            merchantIdentifier: own?.merchantIdentifier,
            merchantIdentifiers: Set(declaration.merchants.compactMap(\.merchantIdentifier)),
            at: now,
            surroundings: surroundings
        )
        let callbacks = CallbackCheck(
            declaration,
            allowsLoopback: allowsLoopback,
            at: now,
            surroundings: surroundings
        )
        problems = accounts.problems + wallets.problems + callbacks.problems
        absences = accounts.absences + wallets.absences + callbacks.absences
        warnings = wallets.warnings + callbacks.warnings
    }
}
