import Domain
import Testing

@Suite("Agreements: a method that no reply told")
struct MethodLookupTests {
    private let now = TestAgreement.start

    /// An agreement whose first payment has succeeded, and nobody told what was kept of it.
    private func untold() throws -> (agreement: Agreement, step: AgreementStep) {
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: now)
        let step = agreement.apply(.firstPaymentSucceeded, at: now)
        return (agreement, step)
    }

    @Test("is asked after ten seconds later, and nobody is told anything before")
    func asked() throws {
        let (agreement, step) = try untold()
        #expect(step == AgreementStep(asksAfterMilliseconds: 10_000))
        #expect(agreement.state == .pending)
        #expect(agreement.asks == 0)
        #expect(throws: AgreementRefusal.begun) {
            try agreement.checkFirstPayment(to: agreement.merchant, in: agreement.terms.currency)
        }
        #expect(throws: AgreementRefusal.notActive) {
            try agreement.checkCharge(of: TestAgreement.dollars(1), for: .recurring, at: now)
        }
    }

    @Test("makes the agreement active once it is found, however late", arguments: [0, 3, 6, 40])
    func found(afterAsking times: Int) throws {
        var (agreement, _) = try untold()
        let before = (0..<times).flatMap { _ in agreement.apply(.methodNotTold, at: now).told }
        #expect(before == (times < 6 ? [] : [.agreementSuspended]))
        let step = agreement.apply(.methodKept(TestAgreement.method(1)), at: now)
        #expect(step == AgreementStep(told: [.agreementActive]))
        #expect(agreement.state == .active && agreement.suspension == nil)
        #expect(agreement.asks == nil)
        #expect(agreement.apply(.methodNotTold, at: now) == AgreementStep())
        #expect(agreement.apply(.methodAbsent, at: now) == AgreementStep())
        #expect(agreement.state == .active)
    }

    @Test("is asked after ever more seldom, and for ever")
    func pauses() throws {
        var (agreement, _) = try untold()
        var pauses: [Int64] = []
        for _ in 0..<16 {
            pauses.append(try #require(agreement.apply(.methodNotTold, at: now).asksAfterMilliseconds))
        }
        #expect(pauses.prefix(6) == [20_000, 40_000, 80_000, 160_000, 320_000, 640_000])
        #expect(pauses.suffix(3) == [21_600_000, 21_600_000, 21_600_000])
        #expect(agreement.suspension == .methodMissing)
    }

    @Test("suspends the agreement if the PSP keeps none")
    func absent() throws {
        var (agreement, _) = try untold()
        #expect(agreement.apply(.methodAbsent, at: now) == AgreementStep(told: [.agreementSuspended]))
        #expect(agreement.suspension == .methodMissing)
        #expect(agreement.asks == nil)
        #expect(agreement.apply(.methodAbsent, at: now) == AgreementStep())
        // The reply itself may still come.
        #expect(agreement.apply(.methodKept(TestAgreement.method(1)), at: now).told == [.agreementActive])
        #expect(agreement.state == .active)
    }

    @Test("keeps an agreement that was ended from being over, until the PSP has answered", arguments: [false, true])
    func ended(isFound: Bool) throws {
        var (agreement, _) = try untold()
        #expect(agreement.apply(.end, at: now) == AgreementStep(told: [.agreementEnded]))
        #expect(agreement.state == .ending)
        #expect(agreement.apply(.methodNotTold, at: now).told == [])
        #expect(agreement.state == .ending)
        guard isFound else {
            #expect(agreement.apply(.methodAbsent, at: now) == AgreementStep())
            #expect(agreement.state == .ended)
            return
        }
        let method = TestAgreement.method(1)
        #expect(agreement.apply(.methodKept(method), at: now) == AgreementStep(removals: [method.id]))
        #expect(agreement.state == .ending)
        _ = agreement.apply(.methodErased(method.id), at: now)
        #expect(agreement.state == .ended && agreement.method == nil)
    }

    @Test("of a second first payment is asked after, though the PSP still has to forget that of the one before")
    func second() throws {
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: now)
        _ = agreement.apply(.methodKept(TestAgreement.method(1)), at: now)
        #expect(agreement.apply(.firstPaymentFailed, at: now).removals == [TestAgreement.method(1).id])
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(2), candidate: nil), at: now)
        #expect(agreement.apply(.firstPaymentSucceeded, at: now) == AgreementStep(asksAfterMilliseconds: 10_000))
    }
}
