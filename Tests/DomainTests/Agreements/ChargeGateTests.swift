import Domain
import Testing

@Suite("Agreements: what may be charged")
struct ChargeGateTests {
    @Test(
        "an amount outside the terms is refused with its code",
        arguments: [
            (AgreementTerms.Bound.maximum(5000), Int64(5000), String?.none),
            (.maximum(5000), 1, nil), (.maximum(5000), 5001, "amount_outside_terms"),
            (.fixed(5000), 5000, nil), (.fixed(5000), 4999, "amount_outside_terms"),
            (.fixed(5000), 5001, "amount_outside_terms"),
        ]
    )
    func amounts(bound: AgreementTerms.Bound, amount: Int64, code: String?) throws {
        let agreement = try TestAgreement.active(.recurring, bound)
        #expect(try Self.refusal(of: agreement, TestAgreement.dollars(amount), .recurring)?.code == code)
    }

    @Test("another currency is refused with its code")
    func currency() throws {
        let euro = try #require(Currency(code: "EUR"))
        let refusal = try Self.refusal(
            of: TestAgreement.active(),
            Money(minorUnits: 100, currency: euro),
            .recurring
        )
        #expect(try refusal == .otherCurrency(TestAgreement.dollars(1).currency))
        #expect(refusal?.code == "currency_mismatch")
    }

    @Test(
        "a state in which nothing can be charged is refused with its code",
        arguments: [
            (Agreement.State.pending, "agreement_not_active"), (.suspended, "agreement_suspended"),
            (.ending, "agreement_ended"), (.ended, "agreement_ended"),
        ]
    )
    func states(state: Agreement.State, code: String) throws {
        var agreement = try TestAgreement.active()
        agreement.state = state
        agreement.suspension = state == .suspended ? .consentRevoked : nil
        #expect(try Self.refusal(of: agreement, TestAgreement.dollars(100), .recurring)?.code == code)
    }

    @Test("each type has charges for its own reasons", arguments: AgreementType.allCases, ChargeReason.allCases)
    func reasons(type: AgreementType, reason: ChargeReason) throws {
        var agreement = try TestAgreement.active(type)
        _ = agreement.apply(
            .chargeDeclined(TestAgreement.decline(.temporary, .after(milliseconds: 0))),
            at: TestAgreement.start
        )
        let own: [AgreementType: Set<ChargeReason>] = [
            .recurring: [.recurring], .automaticReload: [.reload], .deferred: [.deferred, .noShow],
        ]
        let isAllowed = reason == .resubmission || own[type]?.contains(reason) == true
        let refusal = try Self.refusal(of: agreement, TestAgreement.dollars(100), reason)
        #expect(refusal == (isAllowed ? nil : .otherReason(type)))
    }

    @Test("nothing is resubmitted that was not declined")
    func resubmission() throws {
        var agreement = try TestAgreement.active()
        let amount = try TestAgreement.dollars(100)
        #expect(try Self.refusal(of: agreement, amount, .resubmission) == .nothingToResubmit)
        _ = agreement.apply(
            .chargeDeclined(TestAgreement.decline(.temporary, .after(milliseconds: 0))),
            at: TestAgreement.start
        )
        #expect(try Self.refusal(of: agreement, amount, .resubmission) == nil)
        _ = agreement.apply(.chargeApproved(placedAt: TestAgreement.day(1)), at: TestAgreement.day(1))
        #expect(try Self.refusal(of: agreement, amount, .resubmission) == .nothingToResubmit)
    }

    @Test("a charge that is not decided counts as a try")
    func open() throws {
        var agreement = try TestAgreement.active()
        let amount = try TestAgreement.dollars(100)
        for _ in 0..<14 {
            _ = agreement.apply(
                .chargeDeclined(TestAgreement.decline(.temporary, .after(milliseconds: 0))),
                at: TestAgreement.start
            )
        }
        #expect(try Self.refusal(of: agreement, amount, .recurring) == nil)
        _ = agreement.apply(.chargePlaced(TestAgreement.order(2)), at: TestAgreement.start)
        let refusal = try Self.refusal(of: agreement, amount, .recurring)
        #expect(refusal == .tooManyTries(until: TestAgreement.day(30)))
        _ = agreement.apply(.chargeDecided(TestAgreement.order(2), isAccepted: false), at: TestAgreement.start)
        #expect(try Self.refusal(of: agreement, amount, .recurring) == nil)
    }

    @Test("a deferred agreement is charged once, unless the charge comes to nothing")
    func once() throws {
        var agreement = try TestAgreement.active(.deferred)
        let (amount, order) = (try TestAgreement.dollars(100), TestAgreement.order(2))
        _ = agreement.apply(.chargePlaced(order), at: TestAgreement.start)
        #expect(try Self.refusal(of: agreement, amount, .noShow) == .charged)
        _ = agreement.apply(.chargeDecided(order, isAccepted: true), at: TestAgreement.start)
        #expect(try Self.refusal(of: agreement, amount, .deferred) == .charged)
        _ = agreement.apply(.chargeDecided(order, isAccepted: false), at: TestAgreement.start)
        #expect(try Self.refusal(of: agreement, amount, .deferred) == nil)
    }

    @Test("a first payment is refused once there is one, and in another currency or to another merchant")
    func firstPayment() throws {
        let (pending, dollars) = (try TestAgreement.pending(), try TestAgreement.dollars(1).currency)
        let euro = try #require(Currency(code: "EUR"))
        var ids = IdentifierSource()
        func refusal(_ agreement: Agreement, _ merchant: MerchantID, _ currency: Currency) -> AgreementRefusal? {
            do throws(AgreementRefusal) {
                try agreement.checkFirstPayment(to: merchant, in: currency)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal(pending, pending.merchant, dollars) == nil)
        #expect(refusal(pending, ids.make(at: TestAgreement.start), dollars) == .otherMerchant)
        #expect(refusal(pending, pending.merchant, euro) == .otherCurrency(dollars))
        var begun = pending
        _ = begun.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: TestAgreement.start)
        #expect(refusal(begun, begun.merchant, dollars) == .begun)
        _ = begun.apply(.firstPaymentFailed, at: TestAgreement.start)
        #expect(refusal(begun, begun.merchant, dollars) == nil)
        // What is still asked of the PSP about the first one is not mixed up with another one.
        _ = begun.apply(.paymentLeft(TestAgreement.order(1)), at: TestAgreement.start)
        #expect(refusal(begun, begun.merchant, dollars) == .begun)
        _ = begun.apply(.leftoverDone(TestAgreement.order(1)), at: TestAgreement.start)
        #expect(refusal(begun, begun.merchant, dollars) == nil)
        _ = begun.apply(.end, at: TestAgreement.start)
        #expect(refusal(begun, begun.merchant, dollars) == .over)
    }

    /// Why a charge is refused, a day after the agreement began; nil if it is not.
    private static func refusal(
        of agreement: Agreement,
        _ amount: Money,
        _ reason: ChargeReason
    ) throws
        -> AgreementRefusal?
    {
        do throws(AgreementRefusal) {
            try agreement.checkCharge(of: amount, for: reason, at: TestAgreement.day(1))
            return nil
        } catch {
            return error
        }
    }
}
