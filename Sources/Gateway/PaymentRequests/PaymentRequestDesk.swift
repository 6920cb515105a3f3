package import Domain
import SQL
import Storage
import StrictJSON

/// Stores and revises payment requests, and tells what would be wrong with one.
package struct PaymentRequestDesk: Sendable {
    /// How long a request can be used, in milliseconds.
    package static let lifeMilliseconds: Int64 = 1_800_000

    private let database: any Database
    private let clock: any GatewayClock
    private let directory: PSPDirectory

    /// A desk over a gateway's database.
    package init(_ gateway: Gateway) {
        database = gateway.database
        clock = gateway.clock
        directory = gateway.directory
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
            let plan = try Self.plan(draft, of: marketplace, capabilities, strict: strict, in: session)
            var ids = IdentifierSource()
            let domains = Set((plan.contexts ?? []).compactMap(\.merchantDomain)).sorted()
            let entry = PaymentRequestTable.Entry(
                id: ids.make(at: now),
                marketplace: marketplace,
                document: draft.document,
                applicationData: ([nonce] + domains).joined(separator: "|"),
                hasContexts: plan.contexts != nil,
                createdAt: now,
                expiresAt: now.adding(milliseconds: Self.lifeMilliseconds)
            )
            try PaymentRequestTable.insert(entry, in: session)
            return PaymentRequest(entry, plan)
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
            let plan = try Self.plan(draft, of: marketplace, capabilities, strict: strict, in: session)
            entry.document = draft.document
            entry.revision += 1
            try PaymentRequestTable.revise(entry, in: session)
            return PaymentRequest(entry, plan)
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
            try Self.plan(draft, of: marketplace, capabilities, strict: strict, in: session)
        }
    }
}
