import Domain
import SQL
import Storage
import StrictJSON
import WalletTokens

extension OpenedDraft {
    /// Uses up the draft's tokens and its payment request for an order, in the transaction that writes it down.
    ///
    /// - Throws: ``PlacementRefusal`` if one of them is used up already, or `SQLError`.
    func useUp(for order: Order, in session: any Session) throws {
        for token in tokens {
            let isFirst = try WalletTokenTable.use(
                token.transaction,
                of: token.wallet,
                for: order.id,
                of: order.marketplace,
                at: order.createdAt,
                in: session
            )
            guard isFirst else { throw PlacementRefusal.invalid([Self.replayed(at: token.pointer)]) }
        }
        if let request = draft.paymentRequest {
            let isTaken = try PaymentRequestTable.claim(
                request,
                of: order.marketplace,
                for: order.id,
                at: order.createdAt,
                in: session
            )
            guard isTaken else { throw PlacementRefusal.invalid([Self.requestUsed]) }
        }
        try sightings.record(of: order.marketplace, at: order.createdAt, in: session)
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

extension [OpenedDraft.Sighting] {
    /// Writes down which merchants hashes may be of.
    func record(of marketplace: String, at now: Timestamp, in session: any Session) throws(SQLError) {
        for sighting in self {
            try MerchantHashTable.record(
                sighting.hash,
                of: sighting.merchants,
                marketplace: marketplace,
                at: now,
                in: session
            )
        }
    }
}
