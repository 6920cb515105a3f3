import AdapterKit
import Domain
import SQL
import Storage
import StrictJSON

/// Drafts, revisions and the records they are checked against.
extension PaymentRequestDesk {
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
        if revision.contexts != nil, !entry.hasContexts {
            throw PaymentRequestRefusal.invalid([contextsCannotBeAdded])
        }
        draft.amount = amount
        draft.contexts = revision.contexts ?? draft.contexts
        draft.acceptsResidual = revision.acceptsResidual ?? draft.acceptsResidual
        return draft
    }

    /// The draft checked against what is stored.
    static func plan(
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
        let ground = PaymentRequestPlan.Ground(
            label: seller.name,
            merchantIdentifier: seller.merchantIdentifier,
            merchants: Dictionary(uniqueKeysWithValues: merchants.map { ($0.externalIdentifier, $0) }),
            reach: ApplePayReach(
                accounts: Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0) }),
                capabilities: capabilities
            )
        )
        let plan = try PaymentRequestPlan(draft, on: ground)
        if strict, !plan.warnings.isEmpty { throw PaymentRequestRefusal.invalid(plan.warnings) }
        return plan
    }

    private static let contextsCannotBeAdded = Violation(
        pointer: "/contexts",
        code: "contexts_cannot_be_added",
        detail: "A sheet that opened without contexts cannot gain them: it would be canceled."
    )
}

extension PaymentRequest {
    init(_ entry: PaymentRequestTable.Entry, _ plan: PaymentRequestPlan) {
        self.init(
            id: entry.id,
            revision: entry.revision,
            expiresAt: entry.expiresAt,
            applicationData: entry.applicationData,
            plan: plan
        )
    }
}
