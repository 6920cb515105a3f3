import Domain
import Storage

/// What applying a declaration comes to: a comparison of what is declared with what is stored, and nothing else.
package struct ApplyPlan: Hashable, Sendable {
    /// What is stored of one marketplace.
    struct Stored {
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
    package struct Mode: OptionSet, Sendable {
        /// The bits.
        package let rawValue: Int

        /// Makes a mode of bits.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Pause what is no longer declared.
        package static let pausesUndeclared = Mode(rawValue: 1)
        /// Resume what is declared and paused.
        package static let resumesDeclared = Mode(rawValue: 2)
    }

    /// One thing and what happens to it.
    package struct Step: Hashable, Sendable {
        /// What happens.
        package enum Action: String, Sendable, CaseIterable {
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
        package let action: Action
        /// What it is: `marketplace`, `psp_account`, `merchant`, `marketplace_callback` or `merchant_callback`.
        package let kind: String
        /// Its name.
        package let id: String
        /// What differed, as the declaration names it.
        package var fields: [String] = []
        /// Whether it takes no new payments afterwards.
        package var isPaused = false
    }

    /// Everything declared or stored, and what happens to it.
    package private(set) var steps: [Step] = []
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
    ///   - declaration: what is declared.
    ///   - stored: what is stored.
    ///   - mode: what to do beyond creating and changing.
    ///   - now: the time that changed accounts carry.
    ///   - ids: makes the identifiers of new merchants.
    /// - Throws: ``DirectoryRefusal/accountElsewhere(id:known:declared:)``, ``DirectoryRefusal/modeChanged(_:known:)``.
    init(
        _ declaration: MarketplaceDocument,
        over stored: Stored,
        _ mode: Mode,
        at now: Timestamp,
        ids: inout IdentifierSource
    ) throws(DirectoryRefusal) {
        if let known = stored.marketplace, known.mode != declaration.marketplace.mode {
            throw .modeChanged(known.id, known: known.mode)
        }
        add(declaration.marketplace, over: stored.marketplace)
        let marketplace = declaration.marketplace.id
        for declared in declaration.accounts {
            let known = stored.accounts.first { $0.id == declared.id }
            if let known, known.psp != declared.psp {
                throw .accountElsewhere(id: declared.id, known: known.psp, declared: declared.psp)
            }
            var account = declared
            account.updatedAt = now
            add(account, over: known, mode)
        }
        var everyone: [Merchant] = []
        for declared in declaration.merchants {
            let known = stored.merchants.first { $0.externalIdentifier == declared.merchant.externalIdentifier }
            everyone.append(declared.merchant.merchant(of: marketplace, id: known?.id ?? ids.make(at: now)))
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
        behind declaration: MarketplaceDocument,
        _ mode: Mode,
        at now: Timestamp
    ) {
        let prunes = mode.contains(.pausesUndeclared)
        let accountIDs = Set(declaration.accounts.map(\.id))
        for var account in stored.accounts where !accountIDs.contains(account.id) {
            let isPruned = prunes && account.status == .active
            steps.append(Step(undeclared: "psp_account", account.id, isPruned, account.status))
            guard isPruned else { continue }
            account.status = .paused
            account.updatedAt = now
            accounts.append(account)
        }
        let names = Set(declaration.merchants.map(\.merchant.externalIdentifier))
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

extension MarketplaceTable.Marketplace {
    /// What differs, as a declaration names it.
    fileprivate func differences(from stored: Self) -> [String] {
        (name == stored.name ? [] : ["name"])
            + (wallets.applePay == stored.wallets.applePay ? [] : ["apple_pay"])
            + (wallets.googlePay == stored.wallets.googlePay ? [] : ["google_pay"])
            + (wallets.orders == stored.wallets.orders ? [] : ["wallet_orders"])
            + profile.differences(from: stored.profile)
    }
}

extension PSPAccount {
    /// What differs, as a declaration names it.
    fileprivate func differences(from stored: PSPAccount) -> [String] {
        (baseURL == stored.baseURL ? [] : ["base_url"])
            + (credentials == stored.credentials ? [] : ["credentials"])
            + (status == stored.status ? [] : ["status"])
    }
}

extension Merchant {
    /// What differs, as a declaration names it.
    fileprivate func differences(from stored: Merchant) -> [String] {
        (name == stored.name ? [] : ["name"])
            + (merchantIdentifier == stored.merchantIdentifier ? [] : ["merchant_identifier"])
            + (domain == stored.domain ? [] : ["domain"])
            + (kind == stored.kind ? [] : ["kind"])
            + (routes == stored.routes ? [] : ["routes"])
            + (statementDescriptor == stored.statementDescriptor ? [] : ["statement_descriptor"])
            + (commission == stored.commission ? [] : ["commission"])
            + (disputeLiability == stored.disputeLiability ? [] : ["dispute_liability"])
            + profile.differences(from: stored.profile)
            + (status == stored.status ? [] : ["status"])
    }
}

extension BusinessProfile {
    /// What differs, as a declaration names it.
    fileprivate func differences(from stored: BusinessProfile) -> [String] {
        (timeZone == stored.timeZone ? [] : ["time_zone"]) + (legal == stored.legal ? [] : ["legal"])
    }
}
