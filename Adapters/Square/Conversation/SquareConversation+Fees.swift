import AdapterKit
import Domain

/// What the marketplace keeps of a seller's payment: Square's application fee.
extension SquareConversation {
    /// The fee if the seller is paid, nil otherwise: a token of the marketplace's own pays it everything.
    func fee(_ applicationFee: Int64?) -> Int64? {
        call.merchantAccount != nil && call.settlesToMerchant ? applicationFee : nil
    }

    /// Why Square would refuse a fee; nil if it would not.
    ///
    /// It takes at most 90 % of the payment (description of `app_fee_money`, API version 2025-08-20).
    func obstacle(to fee: Int64?) -> Outcome? {
        guard let fee, Int128(fee) * 10 > Int128(asked) * 9 else { return nil }
        let message = "Square takes an application fee of at most 90 % of the payment."
        return Self.rejected(.unsupported, "INVALID_FEES", message)
    }
}
