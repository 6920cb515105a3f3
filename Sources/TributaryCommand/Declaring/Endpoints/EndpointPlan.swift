import Domain
import Settings
import Storage

/// What applying a declaration comes to for endpoints of callbacks.
struct EndpointPlan: Hashable {
    /// An endpoint that has to be written.
    struct Change: Hashable {
        /// What its callbacks are signed with from now on.
        enum Signing: Hashable {
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
        _ declaration: Declaration,
        merchants: [Merchant],
        over stored: [CallbackEndpoint],
        _ mode: ApplyPlan.Mode,
        at now: Timestamp,
        ids: inout IdentifierSource
    ) {
        let known = Dictionary(stored.map { ($0.merchant, $0) }) { first, _ in first }
        let declared = Dictionary(declaration.merchants.map { ($0.externalIdentifier, $0) }) { first, _ in first }
        let owners: [(merchant: Merchant?, callback: CallbackDeclaration?)] =
            [(nil, declaration.marketplace.callback)]
            + merchants.map { ($0, declared[$0.externalIdentifier]?.callback) }
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
        _ declared: CallbackDeclaration,
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
        let identity = declared.clientIdentity.map(CallbackEndpoint.Identity.init)
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

    private static func signing(_ declared: SecretReference?, over known: CallbackSecrets.Kept?) -> Change.Signing {
        guard let declared = declared?.description else {
            if case .sealed = known { return .asBefore }
            return .generated
        }
        return known == .reference(declared) ? .asBefore : .reference(declared)
    }
}

extension CallbackEndpoint.Identity {
    fileprivate init(_ declared: CallbackDeclaration.ClientIdentity) {
        self.init(certificate: declared.certificate.description, key: declared.key.description)
    }
}
