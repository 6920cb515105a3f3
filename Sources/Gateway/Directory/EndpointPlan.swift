package import Domain
import SQL
import Storage

/// What applying a declaration comes to for endpoints of callbacks.
struct EndpointPlan {
    /// An endpoint that has to be written.
    struct Change: Hashable, Sendable {
        /// What its callbacks are signed with from now on.
        enum Signing: Hashable, Sendable {
            /// What they were signed with before.
            case asBefore
            /// What is kept there.
            case reference(String)
            /// A secret that is yet to be made.
            case generated
        }

        /// What it is and what people call its owner.
        let step: ApplyPlan.Step
        /// The endpoint's name.
        let id: EndpointID
        /// Whose it is; nil for the marketplace's own.
        let merchant: MerchantID?
        /// Its address.
        let url: String
        /// What its callbacks are signed with.
        let signing: Signing
        /// What is shown to a server that asks for a client certificate.
        let identity: CallbackEndpoint.Identity?
        /// What is stored of it; nil if it is new.
        let known: CallbackEndpoint?
        /// What it is to become, if it is to change.
        let becomes: CallbackEndpoint.State?
    }

    /// Every endpoint declared or stored, and what happens to it.
    private(set) var steps: [ApplyPlan.Step] = []
    /// Those that have to be written.
    private(set) var changes: [Change] = []

    /// Compares.
    ///
    /// - Parameters:
    ///   - declaration: what is declared.
    ///   - merchants: every merchant as it will be stored, declared or not.
    ///   - stored: the endpoints that are stored.
    ///   - mode: what to do beyond creating and changing.
    ///   - now: the time.
    ///   - ids: makes the identifiers of new endpoints.
    init(
        _ declaration: MarketplaceDocument,
        merchants: [Merchant],
        over stored: [CallbackEndpoint],
        _ mode: ApplyPlan.Mode,
        at now: Timestamp,
        ids: inout IdentifierSource
    ) {
        let known = Dictionary(stored.map { ($0.merchant, $0) }) { first, _ in first }
        let declared = Dictionary(declaration.merchants.map { ($0.merchant.externalIdentifier, $0) }) { first, _ in
            first
        }
        let owners: [(merchant: Merchant?, callback: EndpointDocument?)] =
            [(nil, declaration.endpoint)]
            + merchants.map { ($0, declared[$0.externalIdentifier]?.endpoint) }
        for (merchant, callback) in owners {
            let kind = merchant == nil ? "marketplace_callback" : "merchant_callback"
            let name = merchant?.externalIdentifier ?? declaration.marketplace.id
            if let callback {
                let id = known[merchant?.id]?.id ?? ids.make(at: now)
                add(callback, id, kind, name, of: merchant?.id, over: known[merchant?.id], mode)
            } else if let endpoint = known[merchant?.id] {
                leave(endpoint, kind, name, mode)
            }
        }
    }

    private mutating func add(
        _ declared: EndpointDocument,
        _ id: EndpointID,
        _ kind: String,
        _ name: String,
        of merchant: MerchantID?,
        over known: CallbackEndpoint?,
        _ mode: ApplyPlan.Mode
    ) {
        let signing = Self.signing(declared.secret, over: known?.secrets.current)
        let moves = known.map { $0.url != declared.url } ?? false
        // What was declared again, or elsewhere, is to be told again.
        let isBack = known?.reason == .undeclared || moves || mode.contains(.resumesDeclared)
        let enables = known?.state == .disabled && isBack
        var fields = moves ? ["url"] : []
        if known != nil, signing != .asBefore { fields.append("secret") }
        let identity = declared.identity
        if let known, known.identity != identity { fields.append("client_certificate") }
        if enables { fields.append("status") }
        let step = ApplyPlan.Step(
            action: known == nil ? .created : fields.isEmpty ? .leftAlone : .changed,
            kind: kind,
            id: name,
            fields: fields,
            isPaused: known?.state == .disabled && !enables
        )
        steps.append(step)
        guard step.action != .leftAlone else { return }
        changes.append(
            Change(
                step: step,
                id: id,
                merchant: merchant,
                url: declared.url,
                signing: signing,
                identity: identity,
                known: known,
                becomes: enables || moves ? .enabled : nil
            )
        )
    }

    /// What is stored and no longer declared.
    private mutating func leave(
        _ endpoint: CallbackEndpoint,
        _ kind: String,
        _ name: String,
        _ mode: ApplyPlan.Mode
    ) {
        let isPruned = mode.contains(.pausesUndeclared) && endpoint.state == .enabled
        let step = ApplyPlan.Step(
            action: isPruned ? .paused : .leftAlone,
            kind: kind,
            id: name,
            isPaused: isPruned || endpoint.state == .disabled
        )
        steps.append(step)
        guard isPruned else { return }
        changes.append(
            Change(
                step: step,
                id: endpoint.id,
                merchant: endpoint.merchant,
                url: endpoint.url,
                signing: .asBefore,
                identity: endpoint.identity,
                known: endpoint,
                becomes: .disabled
            )
        )
    }

    private static func signing(_ declared: String?, over known: CallbackSecrets.Kept?) -> Change.Signing {
        guard let declared else {
            if case .sealed = known { return .asBefore }
            return .generated
        }
        return known == .reference(declared) ? .asBefore : .reference(declared)
    }
}

/// A secret that was made for an endpoint, at the only moment when it is shown.
package struct MadeSecret: Hashable, Sendable {
    /// What the endpoint is, as a plan's step has it.
    package let kind: String
    /// What people call its owner.
    package let owner: String
    /// The endpoint.
    package let endpoint: EndpointID
    /// The secret.
    package let secret: Secret
}

/// Carries out what applying a declaration comes to for endpoints.
struct EndpointChanges {
    /// How long the secret before goes on signing when a declaration changes it, in milliseconds: a day.
    private static let overlapMilliseconds: Int64 = 86_400_000

    let marketplace: String
    let secrets: SecretMaking?
    let now: Timestamp

    /// Writes endpoints, and answers the secrets that were made for them.
    ///
    /// - Throws: ``DirectoryRefusal/noSealingKey``, what sealing throws, or `SQLError`.
    func write(_ changes: [EndpointPlan.Change], in session: any Session) throws -> [MadeSecret] {
        var made: [MadeSecret] = []
        for change in changes {
            if let secret = try save(change, in: session) {
                made.append(
                    MadeSecret(kind: change.step.kind, owner: change.step.id, endpoint: change.id, secret: secret)
                )
            }
            switch change.becomes {
            case .enabled: _ = try CallbackEndpointTable.enable(change.id, in: session)
            case .disabled: _ = try CallbackEndpointTable.disable(change.id, because: .undeclared, in: session)
            case nil: continue
            }
        }
        return made
    }

    private func save(_ change: EndpointPlan.Change, in session: any Session) throws -> Secret? {
        var made: Secret?
        let kept: CallbackSecrets.Kept?
        switch change.signing {
        case .asBefore: kept = nil
        case .reference(let reference): kept = .reference(reference)
        case .generated:
            guard let secrets else { throw DirectoryRefusal.noSealingKey }
            let new = try secrets(change.id)
            made = new.secret
            kept = new.kept
        }
        if var endpoint = change.known {
            endpoint.url = change.url
            endpoint.identity = change.identity
            if let kept {
                let until = now.adding(milliseconds: Self.overlapMilliseconds)
                endpoint.secrets.rotate(to: kept, until: until, at: now)
            }
            try CallbackEndpointTable.save(endpoint, in: session)
        } else if let kept {
            let endpoint = CallbackEndpoint(
                id: change.id,
                marketplace: marketplace,
                merchant: change.merchant,
                url: change.url,
                secrets: CallbackSecrets(kept),
                identity: change.identity,
                createdAt: now
            )
            try CallbackEndpointTable.save(endpoint, in: session)
        }
        return made
    }
}
