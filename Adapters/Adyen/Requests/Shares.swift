import AdapterKit
import Domain
import StrictJSON

/// How an amount is booked among balance accounts (`splits`), which Adyen wants stated at each step.
///
/// Source: the descriptions of `Split` in Adyen's OpenAPI file of Checkout v72.
struct Shares {
    /// Adyen's word for the share of a balance account.
    private static let merchantType = "BalanceAccount"
    /// Adyen's word for the share of the platform's liable account.
    private static let commissionType = "Commission"

    /// The `splits`; nil if the whole is the platform's, which needs none.
    let splits: JSON?
    /// The store, if the merchant has one.
    let store: String?

    /// Divides `total` (in Adyen's unit) of a call between its merchant and the platform; nil if the fee is more.
    ///
    /// A part of zero is left out. References are unique for each operation, as Adyen wants them.
    init?(total: Int64, fee: Int64, call: Call) {
        guard 0...total ~= fee else { return nil }
        let submerchant = call.merchantAccount.flatMap(Submerchant.init)
        store = submerchant?.store
        guard let submerchant, call.settlesToMerchant else {
            splits = nil
            return
        }
        let shares = [
            (Self.merchantType, submerchant.balanceAccount, total - fee), (Self.commissionType, nil, fee),
        ]
        splits = .array(
            shares.filter { $0.2 > 0 }.map { type, account, value in
                .object(omittingAbsent: [
                    "type": .string(type),
                    "account": account.map(JSON.string),
                    "amount": .object([JSON.Member("value", .integer(value))]),
                    "reference": .string("\(call.operation.text).\(type)"),
                ])
            }
        )
    }
}
