/// Why an agreement cannot be paid under.
package enum AgreementRefusal: Error, Hashable, Sendable {
    /// The marketplace has no such agreement.
    case unknown
    /// It is of another merchant.
    case otherMerchant
    /// It is in another currency.
    case otherCurrency(Currency)
    /// Its first payment is made or under way already.
    case begun
    /// Its first payment is still to be made.
    case notActive
    /// It is suspended.
    case suspended(Agreement.Suspension)
    /// It is over.
    case over
    /// Charges under it are of that amount exactly.
    case notTheFixedAmount(Int64)
    /// Charges under it are at most of that amount.
    case aboveMaximum(Int64)
    /// Its type has no charges for that reason.
    case otherReason(AgreementType)
    /// It lets the merchant charge once, and was charged, or is being charged.
    case charged
    /// Nothing was declined that could be tried once more.
    case nothingToResubmit
    /// The method may not be tried again.
    case tryForbidden
    /// The next try has to wait until then.
    case tryTooEarly(Timestamp)
    /// There were too many declined tries; the next may be made then.
    case tooManyTries(until: Timestamp)

    /// The stable code.
    package var code: String {
        switch self {
        case .unknown: "unknown_agreement"
        case .otherMerchant: "agreement_of_another_merchant"
        case .otherCurrency: "currency_mismatch"
        case .begun: "agreement_begun"
        case .notActive: "agreement_not_active"
        case .suspended: "agreement_suspended"
        case .over: "agreement_ended"
        case .notTheFixedAmount, .aboveMaximum: "amount_outside_terms"
        case .otherReason: "reason_outside_terms"
        case .charged: "agreement_charged"
        case .nothingToResubmit: "nothing_to_resubmit"
        case .tryForbidden: "retry_forbidden"
        case .tryTooEarly: "retry_too_early"
        case .tooManyTries: "too_many_tries"
        }
    }

    /// When the same charge could be tried; nil if time alone does not help.
    package var retryAt: Timestamp? {
        switch self {
        case .tryTooEarly(let time), .tooManyTries(let time): time
        default: nil
        }
    }
}

extension Agreement {
    /// Refuses a first payment, which the buyer makes, as the agreement stands.
    package func checkFirstPayment(to merchant: MerchantID, in currency: Currency) throws(AgreementRefusal) {
        guard !isOver else { throw .over }
        guard merchant == self.merchant else { throw .otherMerchant }
        guard currency == terms.currency else { throw .otherCurrency(terms.currency) }
        // What the PSP shows for the agreement has to be of one payment.
        guard state == .pending, firstOrder == nil, leftovers.isEmpty else { throw .begun }
    }

    /// Refuses a charge that the terms, the state, or the rules of the card networks forbid.
    package func checkCharge(of amount: Money, for reason: ChargeReason, at now: Timestamp) throws(AgreementRefusal) {
        switch state {
        case .pending: throw .notActive
        case .suspended: throw .suspended(suspension ?? .methodMissing)
        case .ending, .ended: if !PlantedBug.chargedBehindEnd.isPlanted { throw .over }
        case .active: break
        }
        guard amount.currency == terms.currency else { throw .otherCurrency(terms.currency) }
        switch terms.bound {
        case .fixed(let fixed): if amount.minorUnits != fixed { throw .notTheFixedAmount(fixed) }
        case .maximum(let maximum):
            if amount.minorUnits > maximum, !PlantedBug.agreedMaximumIgnored.isPlanted { throw .aboveMaximum(maximum) }
        }
        guard terms.type.allows(reason) else { throw .otherReason(terms.type) }
        let isFree = terms.type != .deferred || (chargedBy == nil && openCharges.isEmpty)
        guard isFree || PlantedBug.deferredChargedTwice.isPlanted else { throw .charged }
        guard reason != .resubmission || tries.hasOpenDecline else { throw .nothingToResubmit }
        switch tries.verdict(at: now, besideOpen: openCharges.count) {
        case .allowed: break
        case .forbidden: throw .tryForbidden
        case .notBefore(let time): throw .tryTooEarly(time)
        case .tooMany(let time): throw .tooManyTries(until: time)
        }
    }
}

extension AgreementType {
    /// Whether it has charges for a reason.
    func allows(_ reason: ChargeReason) -> Bool {
        switch (self, reason) {
        case (_, .resubmission), (.recurring, .recurring), (.automaticReload, .reload), (.deferred, .deferred),
            (.deferred, .noShow):
            true
        default: false
        }
    }
}
