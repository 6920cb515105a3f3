import Domain
import Storage
import StrictJSON

/// Writes down what the marketplace and the merchant are to be told of a payout: the same.
struct PayoutCallbacks: Sendable {
    let presentation: Presentation
    /// The merchant's external identifier.
    let name: String

    /// What is told of a payout as it stands.
    ///
    /// - Parameters:
    ///   - payout: the payout.
    ///   - covers: what it pays for.
    ///   - number: which number in its series it has.
    /// - Returns: a callback for the marketplace, and one for the merchant.
    func callbacks(for payout: Payout, paying covers: JSON, number: Int64) -> [NewCallback] {
        let (kind, time): (Announcement.Kind, Timestamp) =
            switch payout.state {
            case .paid: (.payoutPaid, payout.recordedAt)
            case .failed(let failure): (.payoutFailed, failure.at)
            }
        let document = presentation.payout(payout, name, covers)
        let payload = CallbackEnvelope.text(kind, number, at: time, [JSON.Member("payout", document)])
        var ids = IdentifierSource()
        return [nil, payout.merchant].map { merchant in
            NewCallback(
                id: ids.make(at: time),
                marketplace: payout.marketplace,
                merchant: merchant,
                order: nil,
                payment: nil,
                type: kind.rawValue,
                sequence: number,
                payload: payload,
                at: time
            )
        }
    }
}
