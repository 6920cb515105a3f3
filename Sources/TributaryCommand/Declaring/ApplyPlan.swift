import Domain
import Settings
import Storage

/// What applying a declaration comes to: a comparison of what is declared with what is stored, and nothing else.
struct ApplyPlan: Hashable {
    /// What is stored of one marketplace.
    struct Stored: Hashable {
        /// The marketplace; nil if it is new.
        var marketplace: MarketplaceTable.Marketplace?
        /// Its PSP accounts, paused ones too.
        var accounts: [PSPAccount] = []
        /// Its merchants, paused ones too.
        var merchants: [Merchant] = []
        /// Its endpoints of callbacks, disabled ones too.
        var endpoints: [CallbackEndpoint] = []
    }

    /// What to do beyond creating and changing.
    struct Mode: OptionSet {
        let rawValue: Int
        /// Pause what is no longer declared.
        static let pausesUndeclared = Mode(rawValue: 1)
        /// Resume what is declared and paused.
        static let resumesDeclared = Mode(rawValue: 2)
    }

    /// One thing and what happens to it.
    struct Step: Hashable {
        /// What happens.
        enum Action: String, CaseIterable {
            /// It is new.
            case created
            /// It differed.
            case changed
            /// It is no longer declared and takes no new payments from now on.
            case paused
            /// It is as declared, or not declared and not pruned.
            case leftAlone = "left_alone"
        }

        /// What happens.
        let action: Action
        /// What it is: `marketplace`, `psp_account`, `merchant`, `marketplace_callback` or `merchant_callback`.
        let kind: String
        /// Its name.
        let id: String
        /// What differed, as the declaration names it.
        var fields: [String] = []
        /// Whether it takes no new payments afterwards.
        var isPaused = false
    }

    /// Everything declared or stored, and what happens to it.
    private(set) var steps: [Step] = []
    /// The marketplace, if it has to be written.
    private(set) var marketplace: MarketplaceTable.Marketplace?
    /// The accounts that have to be written.
    private(set) var accounts: [PSPAccount] = []
    /// The merchants that have to be written.
    private(set) var merchants: [Merchant] = []
    /// The endpoints that have to be written.
    private(set) var endpoints: [EndpointPlan.Change] = []

    /// Compares.
    ///
    /// - Parameters:
    ///   - declaration: what is declared; secrets in files by absolute path, since the server runs elsewhere.
    ///   - stored: what is stored.
    ///   - mode: what to do beyond creating and changing.
    ///   - now: the time that changed accounts carry.
    ///   - ids: makes the identifiers of new merchants.
    /// - Throws: ``CommandFailure`` if an account is to become another PSP's.
    init(
        _ declaration: Declaration,
        over stored: Stored,
        _ mode: Mode,
        at now: Timestamp,
        ids: inout IdentifierSource
    ) throws(CommandFailure) {
        add(MarketplaceTable.Marketplace(declaration), over: stored.marketplace)
        let marketplace = declaration.marketplace.id
        for declared in declaration.pspAccounts {
            let known = stored.accounts.first { $0.id == declared.id }
            if let known, known.psp != declared.psp {
                throw .unusable(
                    "psp_account \(declared.id) is an account at \(known.psp) and has a history there; "
                        + "declare an account at \(declared.psp) under another id"
                )
            }
            add(PSPAccount(declared, of: marketplace, at: now), over: known, mode)
        }
        var everyone: [Merchant] = []
        for declared in declaration.merchants {
            let known = stored.merchants.first { $0.externalIdentifier == declared.externalIdentifier }
            everyone.append(Merchant(declared, of: marketplace, id: known?.id ?? ids.make(at: now)))
            add(everyone[everyone.count - 1], over: known, mode)
        }
        leave(stored, behind: declaration, mode, at: now)
        let names = Set(everyone.map(\.externalIdentifier))
        everyone += stored.merchants.filter { !names.contains($0.externalIdentifier) }
        let callbacks = EndpointPlan(
            declaration,
            merchants: everyone,
            over: stored.endpoints,
            mode,
            at: now,
            ids: &ids
        )
        steps += callbacks.steps
        endpoints = callbacks.changes
    }

    private mutating func add(
        _ declared: MarketplaceTable.Marketplace,
        over known: MarketplaceTable.Marketplace?
    ) {
        guard known != declared else {
            return steps.append(Step(action: .leftAlone, kind: "marketplace", id: declared.id))
        }
        marketplace = declared
        let action: Step.Action = known == nil ? .created : .changed
        steps.append(
            Step(
                action: action,
                kind: "marketplace",
                id: declared.id,
                fields: known.map { declared.differences(from: $0) } ?? []
            )
        )
    }

    private mutating func add(_ declared: PSPAccount, over known: PSPAccount?, _ mode: Mode) {
        var account = declared
        if let known, !mode.contains(.resumesDeclared) { account.status = known.status }
        let fields = known.map { account.differences(from: $0) } ?? []
        if known == nil || !fields.isEmpty { accounts.append(account) }
        steps.append(
            Step(
                action: known == nil ? .created : fields.isEmpty ? .leftAlone : .changed,
                kind: "psp_account",
                id: account.id,
                fields: fields,
                isPaused: account.status == .paused
            )
        )
    }

    private mutating func add(_ declared: Merchant, over known: Merchant?, _ mode: Mode) {
        var merchant = declared
        if let known, !mode.contains(.resumesDeclared) { merchant.status = known.status }
        let fields = known.map { merchant.differences(from: $0) } ?? []
        if known == nil || !fields.isEmpty { merchants.append(merchant) }
        steps.append(
            Step(
                action: known == nil ? .created : fields.isEmpty ? .leftAlone : .changed,
                kind: "merchant",
                id: merchant.externalIdentifier,
                fields: fields,
                isPaused: merchant.status == .paused
            )
        )
    }

    /// What is stored and no longer declared.
    private mutating func leave(
        _ stored: Stored,
        behind declaration: Declaration,
        _ mode: Mode,
        at now: Timestamp
    ) {
        let prunes = mode.contains(.pausesUndeclared)
        let accountIDs = Set(declaration.pspAccounts.map(\.id))
        for var account in stored.accounts where !accountIDs.contains(account.id) {
            let isPruned = prunes && account.status == .active
            steps.append(Step(undeclared: "psp_account", account.id, isPruned, account.status))
            guard isPruned else { continue }
            account.status = .paused
            account.updatedAt = now
            accounts.append(account)
        }
        let names = Set(declaration.merchants.map(\.externalIdentifier))
        for var merchant in stored.merchants where !names.contains(merchant.externalIdentifier) {
            let isPruned = prunes && merchant.status == .active
            steps.append(Step(undeclared: "merchant", merchant.externalIdentifier, isPruned, merchant.status))
            guard isPruned else { continue }
            merchant.status = .paused
            merchants.append(merchant)
        }
    }
}

extension ApplyPlan.Step {
    fileprivate init(undeclared kind: String, _ id: String, _ isPruned: Bool, _ status: Merchant.Status) {
        self.init(
            action: isPruned ? .paused : .leftAlone,
            kind: kind,
            id: id,
            isPaused: isPruned || status == .paused
        )
    }
}
