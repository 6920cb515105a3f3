package import Domain

/// What is agreed with a PSP, and how its reports are to be read.
package struct PSPTerms: Hashable, Sendable {
    /// Which field of a line names the merchant's account below ours.
    package enum MerchantField: String, Hashable, Sendable, CaseIterable {
        /// ``AdapterKit/SettlementLine/submerchant``.
        case submerchant
        /// ``AdapterKit/SettlementLine/account``, where there is no submerchant.
        case account
        /// None.
        case none
    }

    /// The terms of a PSP for which none are given.
    package static let standard = PSPTerms()

    /// After how many days an effect that no line confirms is late.
    package var expectedWithinDays: Int64 = 3
    /// After how many days it is missing.
    package var missingAfterDays: Int64 = 7
    /// Within how many days of its date a payout is at the bank.
    package var bankWithinDays: Int64 = 5
    /// The agreed fee of a payment's line; nil if fees are not compared with one.
    package var fee: FeeSchedule?
    /// Whether a line's net has to be its gross less its fee.
    package var linesAddUp = true
    /// Whether a payment whose commission no line has is a break where the account's report has such lines at all.
    package var everyCommissionHasALine = false
    /// Which field names the merchant's account.
    package var merchantField = MerchantField.submerchant

    /// Makes the standard terms.
    package init() {}

    /// The first term that is out of its range, by its name in a file of rules; nil if none is.
    var problem: String? {
        let days: ClosedRange<Int64> = 0...3660
        if !(days ~= expectedWithinDays) { return "expected_within_days" }
        if !(days ~= missingAfterDays) || missingAfterDays < expectedWithinDays { return "missing_after_days" }
        return days ~= bankWithinDays ? nil : "bank_within_days"
    }
}

/// What a PSP agreed to take of a payment.
package struct FeeSchedule: Hashable, Sendable {
    /// Of the amount, in hundredths of a percent, 0 to 10,000.
    package let basisPoints: Int64
    /// A fixed part of each payment, in minor units, by currency; a currency that is not there has none.
    package let fixed: [Currency: Int64]
    /// By how many minor units a fee may differ, from 0.
    package let toleranceMinorUnits: Int64

    /// Makes a schedule; nil if a value is out of its range.
    package init?(basisPoints: Int64, fixed: [Currency: Int64] = [:], toleranceMinorUnits: Int64 = 0) {
        let range = 0...ReconciliationRule.toleranceLimit
        guard 0...10_000 ~= basisPoints, range ~= toleranceMinorUnits, fixed.values.allSatisfy({ range ~= $0 }) else {
            return nil
        }
        self.basisPoints = basisPoints
        self.fixed = fixed
        self.toleranceMinorUnits = toleranceMinorUnits
    }

    /// The agreed fee of an amount, in minor units, rounded half up once.
    func fee(ofMinorUnits amount: Int64, _ currency: Currency) -> Int64 {
        let part = (Int128(amount.magnitude) * Int128(basisPoints) + 5_000) / 10_000
        return Int64(clamping: part + Int128(fixed[currency] ?? 0))
    }
}
