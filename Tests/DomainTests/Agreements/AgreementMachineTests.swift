import Domain
import Testing

@Suite("Agreements: their life")
struct AgreementMachineTests {
    private let now = TestAgreement.start

    @Test("the first payment makes it active, with the method that the PSP kept", arguments: [false, true])
    func activation(isMethodLate: Bool) throws {
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: now)
        #expect(agreement.state == .pending)
        let inputs: [AgreementInput] = [.methodKept(TestAgreement.method(1)), .firstPaymentSucceeded]
        let told = (isMethodLate ? inputs.reversed() : inputs).flatMap { agreement.apply($0, at: now).told }
        #expect(agreement.state == .active)
        #expect(agreement.method == TestAgreement.method(1))
        #expect(agreement.firstOrder == TestAgreement.order(1))
        #expect(told == [.agreementActive])
        #expect(agreement.asks == nil)
        #expect(agreement.announced == Int64(told.count))
    }

    @Test("a number that we keep is charged only if the PSP kept nothing")
    func candidate() throws {
        let (number, token) = (TestAgreement.method(7, .networkToken), TestAgreement.method(1))
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: number), at: now)
        #expect(agreement.unerased == [number.id])
        var other = agreement
        var named = agreement
        let scheme = try #require(NetworkTransactionID("MCC0123456789"))
        let told = AgreementInput.firstPaymentNamed(
            reference: "pay_1",
            networkTransactionIDs: [scheme],
            at: number.route
        )
        _ = named.apply(told, at: now)
        #expect(named.apply(.firstPaymentSucceeded, at: now) == AgreementStep(told: [.agreementActive]))
        // Only the scheme's name of the payment is asked after.
        let nameless = agreement.apply(.firstPaymentSucceeded, at: now)
        #expect(nameless == AgreementStep(told: [.agreementActive], asksAfterMilliseconds: 10_000))
        #expect(agreement.apply(.methodAbsent, at: now) == AgreementStep())
        #expect(agreement.state == .active && agreement.method == number)
        #expect(other.apply(.methodKept(token), at: now).removals == [number.id])
        #expect(other.apply(.firstPaymentSucceeded, at: now) == AgreementStep(told: [.agreementActive]))
        #expect(other.method == token)
    }

    @Test("a number that we keep is no method where another route than its own was taken")
    func otherRoute() throws {
        let number = TestAgreement.method(7, .networkToken)
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: number), at: now)
        var own = agreement
        let other = RouteSnapshot(psp: "simulator", pspAccount: "sim-b")
        let named = agreement.apply(.firstPaymentNamed(reference: "1", networkTransactionIDs: [], at: other), at: now)
        #expect(named.removals == [number.id])
        #expect(agreement.apply(.firstPaymentSucceeded, at: now).asksAfterMilliseconds == 10_000)
        #expect(agreement.method == nil)
        let same = AgreementInput.firstPaymentNamed(reference: "1", networkTransactionIDs: [], at: number.route)
        #expect(own.apply(same, at: now) == AgreementStep())
        #expect(own.apply(.firstPaymentSucceeded, at: now).told == [.agreementActive])
        #expect(own.method == number && own.firstReference == "1")
    }

    @Test("of a first payment that fails nothing is kept, and another may be made")
    func failure() throws {
        let number = TestAgreement.method(7, .networkToken)
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: number), at: now)
        #expect(agreement.apply(.firstPaymentFailed, at: now) == AgreementStep(removals: [number.id]))
        _ = agreement.apply(.methodErased(number.id), at: now)
        #expect(agreement.state == .pending)
        #expect(agreement.firstOrder == nil)
        #expect(agreement.method == nil)
        #expect(agreement.unerased == [])
        // What turns up at the PSP afterwards is forgotten there.
        #expect(
            agreement.apply(.methodUnwanted(TestAgreement.method(1).id), at: now).removals == [
                TestAgreement.method(1).id
            ]
        )
        #expect(agreement.method == nil)
    }

    @Test("it ends once every method is erased, and not before")
    func ending() throws {
        var agreement = try TestAgreement.active()
        #expect(agreement.apply(.methodKept(TestAgreement.method(2)), at: now).removals == [TestAgreement.method(1).id])
        let end = agreement.apply(.end, at: now)
        #expect(end == AgreementStep(told: [.agreementEnded], removals: [TestAgreement.method(2).id]))
        #expect(agreement.apply(.end, at: now) == AgreementStep())
        #expect(agreement.state == .ending)
        _ = agreement.apply(.methodErased(TestAgreement.method(2).id), at: now)
        #expect(agreement.state == .ending)
        _ = agreement.apply(.methodErased(TestAgreement.method(1).id), at: now)
        #expect(agreement.state == .ended)
        #expect(agreement.method == nil)
    }

    @Test("what it was charged with is removed once every charge is decided that may yet be sent with it")
    func endedDuringCharges() throws {
        var agreement = try TestAgreement.active()
        for number: UInt128 in 2...3 { _ = agreement.apply(.chargePlaced(TestAgreement.order(number)), at: now) }
        #expect(agreement.apply(.end, at: now) == AgreementStep(told: [.agreementEnded]))
        let first = AgreementInput.chargeDecided(TestAgreement.order(2), isAccepted: true)
        #expect(agreement.apply(first, at: now) == AgreementStep())
        #expect(agreement.state == .ending)
        let last = AgreementInput.chargeDecided(TestAgreement.order(3), isAccepted: false)
        #expect(agreement.apply(last, at: now) == AgreementStep(removals: [TestAgreement.method(1).id]))
        #expect(agreement.apply(last, at: now) == AgreementStep())
        #expect(agreement.state == .ending)
        _ = agreement.apply(.methodErased(TestAgreement.method(1).id), at: now)
        #expect(agreement.state == .ended)
    }

    @Test("a method that a charge replaces is removed once the others are decided; a number that we keep, at once")
    func replacedDuringCharges() throws {
        let (old, new) = (TestAgreement.method(1), TestAgreement.method(2))
        var agreement = try TestAgreement.active()
        for number: UInt128 in 2...3 { _ = agreement.apply(.chargePlaced(TestAgreement.order(number)), at: now) }
        #expect(agreement.apply(.methodKept(new), at: now) == AgreementStep(told: [.agreementUpdated]))
        let first = AgreementInput.chargeDecided(TestAgreement.order(2), isAccepted: true)
        #expect(agreement.apply(first, at: now) == AgreementStep())
        var again = agreement
        let last = AgreementInput.chargeDecided(TestAgreement.order(3), isAccepted: true)
        #expect(agreement.apply(last, at: now) == AgreementStep(removals: [old.id]))
        #expect(agreement.method == new && agreement.state == .active)
        // The charge that is left brings the old one back.
        #expect(again.apply(.methodSpared(old), at: now) == AgreementStep(told: [.agreementUpdated]))
        #expect(again.apply(last, at: now) == AgreementStep(removals: [new.id]))

        let number = TestAgreement.method(7, .networkToken)
        var numbered = try TestAgreement.pending()
        _ = numbered.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: number), at: now)
        _ = numbered.apply(.firstPaymentSucceeded, at: now)
        _ = numbered.apply(.chargePlaced(TestAgreement.order(2)), at: now)
        #expect(numbered.apply(.methodKept(new), at: now).removals == [number.id])
    }

    @Test("ended during the first payment, what that leaves is removed, too", arguments: [false, true])
    func endedEarly(succeeds: Bool) throws {
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: now)
        _ = agreement.apply(.end, at: now)
        #expect(agreement.state == .ending)
        guard succeeds else {
            _ = agreement.apply(.firstPaymentFailed, at: now)
            #expect(agreement.state == .ended)
            return
        }
        #expect(agreement.apply(.methodKept(TestAgreement.method(1)), at: now).removals == [TestAgreement.method(1).id])
        _ = agreement.apply(.firstPaymentSucceeded, at: now)
        #expect(agreement.state == .ending)
        _ = agreement.apply(.methodErased(TestAgreement.method(1).id), at: now)
        #expect(agreement.state == .ended)
    }

    @Test("what turns up at the PSP once it is over makes it no longer so, until the PSP has forgotten it")
    func lateMethod() throws {
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: now)
        _ = agreement.apply(.firstPaymentFailed, at: now)
        _ = agreement.apply(.end, at: now)
        #expect(agreement.state == .ended)
        let unwanted = TestAgreement.method(1).id
        #expect(agreement.apply(.methodUnwanted(unwanted), at: now) == AgreementStep(removals: [unwanted]))
        #expect(agreement.state == .ending)
        _ = agreement.apply(.methodErased(unwanted), at: now)
        #expect(agreement.state == .ended)
    }

    @Test("it does not end while the PSP may have kept something of a payment that came to nothing")
    func leftovers() throws {
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: now)
        _ = agreement.apply(.firstPaymentFailed, at: now)
        let first = AgreementStep(asksAfterMilliseconds: 10_000)
        #expect(agreement.apply(.paymentLeft(TestAgreement.order(1)), at: now) == first)
        #expect(agreement.apply(.paymentLeft(TestAgreement.order(1)), at: now) == first)
        #expect(agreement.leftovers == [Leftover(TestAgreement.order(1))])
        _ = agreement.apply(.end, at: now)
        #expect(agreement.state == .ending)
        let later = AgreementStep(asksAfterMilliseconds: 20_000)
        #expect(agreement.apply(.leftoverNotTold(TestAgreement.order(1)), at: now) == later)
        _ = agreement.apply(.methodUnwanted(TestAgreement.method(1).id), at: now)
        #expect(agreement.apply(.leftoverDone(TestAgreement.order(1)), at: now) == AgreementStep())
        #expect(agreement.state == .ending)
        _ = agreement.apply(.methodErased(TestAgreement.method(1).id), at: now)
        #expect(agreement.state == .ended)
        // An approval that nobody believed in any more.
        #expect(agreement.apply(.paymentLeft(TestAgreement.order(1)), at: now) == first)
        #expect(agreement.state == .ending)
        _ = agreement.apply(.leftoverDone(TestAgreement.order(1)), at: now)
        #expect(agreement.state == .ended)
        #expect(agreement.apply(.leftoverDone(TestAgreement.order(1)), at: now) == AgreementStep())
    }

    @Test("a method whose removal is due is kept, if another payment has left the same")
    func spared() throws {
        var agreement = try TestAgreement.pending()
        let method = TestAgreement.method(1)
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: now)
        _ = agreement.apply(.methodKept(method), at: now)
        #expect(agreement.apply(.firstPaymentFailed, at: now).removals == [method.id])
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(2), candidate: nil), at: now)
        #expect(agreement.apply(.methodSpared(method), at: now) == AgreementStep())
        #expect(agreement.apply(.firstPaymentSucceeded, at: now) == AgreementStep(told: [.agreementActive]))
        #expect(agreement.method == method && agreement.unerased == [method.id])
        #expect(agreement.apply(.methodSpared(method), at: now) == AgreementStep())
        _ = agreement.apply(.end, at: now)
        #expect(agreement.apply(.methodSpared(method), at: now) == AgreementStep())
        #expect(agreement.state == .ending)
    }

    @Test("a method that the PSP does not have any more suspends it, until another is there")
    func gone() throws {
        var agreement = try TestAgreement.active()
        #expect(agreement.apply(.methodGone(TestAgreement.method(7).id), at: now) == AgreementStep())
        let step = agreement.apply(.methodGone(TestAgreement.method(1).id), at: now)
        #expect(step.told == [.agreementSuspended] && agreement.suspension == .methodMissing)
        #expect(agreement.apply(.methodGone(TestAgreement.method(1).id), at: now) == AgreementStep())
        #expect(agreement.apply(.methodKept(TestAgreement.method(2)), at: now).told == [.agreementActive])
        #expect(agreement.state == .active)
    }

    @Test("a decline that takes the consent back suspends it")
    func revocation() throws {
        var agreement = try TestAgreement.active()
        let step = agreement.apply(.chargeDeclined(TestAgreement.decline(.generic, .revoked)), at: now)
        #expect(step.told == [.agreementSuspended])
        #expect(agreement.suspension == .consentRevoked)
    }

    @Test("what changes nothing makes no version")
    func versions() throws {
        var agreement = try TestAgreement.active()
        let version = agreement.version
        #expect(agreement.apply(.methodKept(TestAgreement.method(1)), at: TestAgreement.day(1)) == AgreementStep())
        #expect(agreement.apply(.firstPaymentSucceeded, at: TestAgreement.day(1)) == AgreementStep())
        #expect(agreement.version == version)
    }
}
