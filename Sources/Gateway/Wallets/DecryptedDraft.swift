import Domain
import SQL
import Storage
import StrictJSON
import WalletTokens

/// A draft whose wallet tokens are opened: every context has something a PSP takes, or there is a violation.
struct DecryptedDraft {
    /// The draft with what was in its tokens.
    var draft: OrderDraft
    /// Why tokens were refused.
    var violations: [Violation] = []
    /// The contexts whose token was refused, by index: that is all there is to be said of what pays them.
    var unpaid: Set<Int> = []
    /// The tokens that the order uses up.
    var tokens: [UsedToken] = []
    /// What of a token pays a context, and why, by the context's external identifier.
    var choices: [String: [OrderEvent.Detail]] = [:]
    /// Hashes to record.
    var observedHashes: [ObservedHash] = []

    /// A token that can be used once.
    struct UsedToken: Hashable {
        /// The wallet.
        let wallet: String
        /// What the wallet names the token by.
        let transaction: String
        /// Where it stands in the body.
        let pointer: JSONPointer
    }

    /// A hashed merchant identifier, and the ones it may be of.
    struct ObservedHash: Hashable {
        /// The hash.
        let hash: String
        /// The merchant identifiers.
        let merchants: [String]
    }

    /// A draft before anything is opened.
    init(_ draft: OrderDraft) { self.draft = draft }

    /// Uses a token up; one that pays twice in the same order is refused.
    mutating func use(_ token: UsedToken) {
        if tokens.contains(where: { $0.wallet == token.wallet && $0.transaction == token.transaction }) {
            violations.append(
                Violation(
                    pointer: token.pointer.text,
                    code: "credential_covers_one_context",
                    detail: "The same token stands on another context; one credential pays one context."
                )
            )
        }
        tokens.append(token)
    }

    /// Records why the token of these contexts was refused.
    mutating func refuse(_ refusal: TokenRefusal, at pointer: JSONPointer, for contexts: some Sequence<Int>) {
        unpaid.formUnion(contexts)
        violations.append(
            Violation(
                pointer: pointer.text,
                code: refusal.code,
                detail: "The token was refused (\(refusal.stage.rawValue)): \(refusal.detail)"
                    + (refusal.detail.last == "." ? "" : "."),
                stage: refusal.stage.rawValue
            )
        )
    }
}

extension DecryptedDraft {
    /// Uses up the draft's tokens and its payment request for an order, in the transaction that writes it down.
    ///
    /// - Throws: ``PlacementRefusal`` if one of them is used up already, or `SQLError`.
    func useUp(for order: Order, in session: any Session) throws {
        // Tokens and requests are of the world; the order's moments may be of a test clock.
        let now = order.clock.realTime(of: order.createdAt)
        for token in tokens {
            let isFirst = try WalletTokenTable.use(
                token.transaction,
                of: token.wallet,
                for: order.id,
                of: order.marketplace,
                at: now,
                in: session
            )
            guard isFirst else { throw PlacementRefusal.invalid([Self.replayed(at: token.pointer)]) }
        }
        if let request = draft.paymentRequest {
            let isTaken = try PaymentRequestTable.claim(
                request,
                of: order.marketplace,
                for: order.id,
                at: now,
                in: session
            )
            guard isTaken else { throw PlacementRefusal.invalid([Self.requestUsed]) }
        }
        try observedHashes.record(of: order.marketplace, at: now, in: session)
    }

    private static func replayed(at pointer: JSONPointer) -> Violation {
        Violation(
            pointer: pointer.text,
            code: "token_already_used",
            detail: "The token was refused (replay): an order was placed with it; the buyer has to authorize anew.",
            stage: TokenRefusal.Stage.replay.rawValue
        )
    }

    private static let requestUsed = Violation(
        pointer: "/payment_request",
        code: "payment_request_used",
        detail: "An order was placed with it; it serves one sheet."
    )
}

extension [DecryptedDraft.ObservedHash] {
    /// Writes down which merchants hashes may be of.
    func record(of marketplace: String, at now: Timestamp, in session: any Session) throws(SQLError) {
        for observed in self {
            try MerchantHashTable.record(
                observed.hash,
                of: observed.merchants,
                marketplace: marketplace,
                at: now,
                in: session
            )
        }
    }
}
