import AdapterKit
package import Domain
import SQL
import Storage
import StrictJSON

/// Stores and revises payment requests, and tells what would be wrong with one.
package struct PaymentRequests: Sendable {
    /// How long a request can be used, in milliseconds.
    package static let lifeMilliseconds: Int64 = 1_800_000

    private let database: any Database
    private let clock: any GatewayClock
    private let directory: PSPDirectory
    private let agreements: Agreements
    private let hearsOfTokens: Bool

    /// The payment requests in a gateway's database.
    ///
    /// - Parameters:
    ///   - gateway: the gateway.
    ///   - hearsOfTokens: whether the sheet can name an address at which Apple tells of merchant tokens.
    package init(_ gateway: Gateway, hearsOfTokens: Bool) {
        self.hearsOfTokens = hearsOfTokens
        database = gateway.database
        clock = gateway.clock
        directory = gateway.directory
        agreements = gateway.agreements
    }

    /// Stores a request.
    ///
    /// - Parameters:
    ///   - draft: what is asked for.
    ///   - marketplace: who asks.
    ///   - strict: whether warnings are refused like errors.
    /// - Returns: the first revision.
    /// - Throws: ``PaymentRequestRefusal``, or `SQLError` if the database cannot be reached.
    package func store(
        _ draft: PaymentRequestDraft,
        of marketplace: String,
        strict: Bool
    ) async throws -> PaymentRequest {
        let now = clock.now()
        let nonce = Self.makeNonce()
        let capabilities = directory.capabilities
        return try await database.write { session in
            let plan = try plan(draft, of: marketplace, capabilities, strict: strict, in: session)
            var ids = IdentifierSource()
            var draft = draft
            let agreement = try agree(to: draft, of: marketplace, in: session)
            draft.agreement?.id = agreement
            let domains = Set((plan.contexts ?? []).compactMap(\.merchantDomain)).sorted()
            let entry = PaymentRequestTable.Entry(
                id: ids.make(at: now),
                marketplace: marketplace,
                document: draft.document,
                applicationData: ([nonce] + domains).joined(separator: "|"),
                // Apple takes contexts beside no automatic payment.
                hasContexts: plan.contexts != nil && draft.agreement == nil,
                createdAt: now,
                expiresAt: now.adding(milliseconds: Self.lifeMilliseconds)
            )
            try PaymentRequestTable.insert(entry, in: session)
            return PaymentRequest(entry, plan, agreement: agreement)
        }
    }

    /// Revises a request that is neither used nor past its time.
    ///
    /// - Throws: ``PaymentRequestRefusal``, or `SQLError` if the database cannot be reached.
    package func revise(
        _ id: PaymentRequestID,
        of marketplace: String,
        with revision: PaymentRequestRevision,
        strict: Bool
    ) async throws -> PaymentRequest {
        let now = clock.now()
        let capabilities = directory.capabilities
        return try await database.write { session in
            guard var entry = try PaymentRequestTable.lock(id, of: marketplace, in: session) else {
                throw PaymentRequestRefusal.notFound
            }
            guard entry.usedBy == nil else { throw PaymentRequestRefusal.used }
            guard entry.expiresAt > now else { throw PaymentRequestRefusal.expired }
            let draft = try Self.revised(entry, with: revision)
            let plan = try plan(draft, of: marketplace, capabilities, strict: strict, in: session)
            entry.document = draft.document
            entry.revision += 1
            try PaymentRequestTable.revise(entry, in: session)
            return PaymentRequest(entry, plan, agreement: draft.agreement?.id)
        }
    }

    /// Checks a draft as storing it would, without storing it.
    ///
    /// - Throws: ``PaymentRequestRefusal``, or `SQLError` if the database cannot be reached.
    package func check(
        _ draft: PaymentRequestDraft,
        of marketplace: String,
        strict: Bool
    ) async throws -> PaymentRequestPlan {
        let capabilities = directory.capabilities
        return try await database.read { session in
            try plan(draft, of: marketplace, capabilities, strict: strict, in: session)
        }
    }
}

/// Drafts, revisions and the records they are checked against.
extension PaymentRequests {
    /// 256 random bits in hexadecimal.
    static func makeNonce() -> String {
        let digits = (0..<4).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return digits.joined()
    }

    /// The stored draft with what a revision changes.
    static func revised(
        _ entry: PaymentRequestTable.Entry,
        with revision: PaymentRequestRevision
    ) throws -> PaymentRequestDraft {
        guard var draft = PaymentRequestDraft(document: entry.document),
            let amount = try? Money(minorUnits: revision.amount, currency: draft.amount.currency)
        else { throw SQLError.unexpectedValue(column: "document") }
        if revision.contexts != nil, !entry.hasContexts, draft.agreement == nil {
            throw PaymentRequestRefusal.invalid([contextsCannotBeAdded])
        }
        if draft.agreement != nil, let contexts = revision.contexts, contexts.count == 1,
            contexts[0].externalIdentifier != draft.contexts?.first?.externalIdentifier
        {
            throw PaymentRequestRefusal.invalid([agreementStays])
        }
        draft.amount = amount
        draft.contexts = revision.contexts ?? draft.contexts
        draft.acceptsResidual = revision.acceptsResidual ?? draft.acceptsResidual
        return draft
    }

    /// The draft checked against what is stored.
    private func plan(
        _ draft: PaymentRequestDraft,
        of marketplace: String,
        _ capabilities: [String: Capabilities],
        strict: Bool,
        in session: any Session
    ) throws -> PaymentRequestPlan {
        guard let seller = try PaymentRequestTable.seller(of: marketplace, in: session) else {
            throw SQLError.unexpectedValue(column: "marketplace")
        }
        let names = Set((draft.contexts ?? []).map(\.externalIdentifier)).sorted()
        let answers = try session.rows(
            MerchantTable.named(names, of: marketplace) + [PSPAccountTable.all(of: marketplace)]
        )
        let merchants = try MerchantTable.read(answers[0], answers[1])
        let accounts = try PSPAccountTable.read(answers[2])
        let records = PaymentRequestPlan.Records(
            label: seller.name,
            merchantIdentifier: seller.merchantIdentifier,
            merchants: Dictionary(uniqueKeysWithValues: merchants.map { ($0.externalIdentifier, $0) }),
            reach: ApplePayReach(
                accounts: Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0) }),
                capabilities: capabilities
            ),
            hearsOfTokens: hearsOfTokens
        )
        let plan = try PaymentRequestPlan(draft, on: records)
        if strict, !plan.warnings.isEmpty { throw PaymentRequestRefusal.invalid(plan.warnings) }
        return plan
    }

    /// Makes the agreement that a draft asks the buyer for; nil if it asks for none.
    private func agree(
        to draft: PaymentRequestDraft,
        of marketplace: String,
        in session: any Session
    ) throws -> AgreementID? {
        guard let wanted = draft.agreement, let context = draft.contexts?.first else { return nil }
        let agreement = AgreementDraft(
            externalIdentifier: context.externalIdentifier,
            terms: wanted.terms,
            reference: wanted.reference
        )
        return try agreements.create(agreement, of: marketplace, in: session)?.id
    }

    private static let agreementStays = Violation(
        pointer: "/contexts/0/external_identifier",
        code: "agreement_of_another_merchant",
        detail: "The agreement that the request has made is with another merchant."
    )

    private static let contextsCannotBeAdded = Violation(
        pointer: "/contexts",
        code: "contexts_cannot_be_added",
        detail: "A sheet that opened without contexts cannot gain them: it would be canceled."
    )
}

extension PaymentRequest {
    init(_ entry: PaymentRequestTable.Entry, _ plan: PaymentRequestPlan, agreement: AgreementID?) {
        self.init(
            id: entry.id,
            revision: entry.revision,
            expiresAt: entry.expiresAt,
            applicationData: entry.applicationData,
            agreement: agreement,
            plan: plan
        )
    }
}
