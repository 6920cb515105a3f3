import Domain
import Testing

@Suite("Agreements: what Apple tells of merchant tokens")
struct MerchantTokenTests {
    private static let now = TestAgreement.start
    private static let name = "9bf7e4b0c1d24a5f8e6a3c2b1d0e9f88"

    private static func announcement(_ number: Int64) -> TokenAnnouncement {
        TokenAnnouncement(at: TestAgreement.day(number), event: "evt-\(number)")
    }

    private static func card(_ last4: String?, _ expiry: String?, told number: Int64) throws -> AgreementInput {
        let update = try #require(CardUpdate(last4: last4, expiry: expiry.flatMap { CardUpdate.Expiry($0) }))
        return .cardUpdated(update, of: name, toldBy: announcement(number))
    }

    /// An agreement whose first payment, made with a merchant token, is under way.
    private static func paying() throws -> Agreement {
        var agreement = try TestAgreement.pending()
        _ = agreement.apply(.firstPaymentPlaced(TestAgreement.order(1), candidate: nil), at: now)
        _ = agreement.apply(.tokenNamed(name), at: now)
        return agreement
    }

    private static func active() throws -> Agreement {
        var agreement = try paying()
        _ = agreement.apply(.methodKept(TestAgreement.method(1)), at: now)
        _ = agreement.apply(.firstPaymentSucceeded, at: now)
        return agreement
    }

    private static func permutations<Item>(of items: [Item]) -> [[Item]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let item = rest.remove(at: index)
            return permutations(of: rest).map { [item] + $0 }
        }
    }

    @Test("the PSP's token of a payment with a merchant token is known by Apple's name of it")
    func named() throws {
        let agreement = try Self.active()
        #expect(agreement.state == .active)
        #expect(agreement.method?.merchantTokenIdentifier == Self.name)
        #expect(agreement.merchantTokens == [Self.name])
        var renewed = agreement
        // The PSP names no token, and the expiry is another.
        var method = TestAgreement.method(1)
        method.expiryYear = 2031
        #expect(renewed.apply(.methodRenewed(method), at: Self.now).told == [.agreementUpdated])
        #expect(renewed.method?.merchantTokenIdentifier == Self.name)
    }

    @Test("in every order, once or twice, it comes to the same", arguments: [1, 2])
    func orders(times: Int) throws {
        let news: [AgreementInput] = [
            try Self.card("4242", "12/29", told: 1), try Self.card("1111", nil, told: 2),
            try Self.card(nil, "01/2031", told: 3), .tokenUnlinked(Self.name),
        ]
        for order in Self.permutations(of: news) {
            var agreement = try Self.active()
            for _ in 0..<times { for input in order { _ = agreement.apply(input, at: Self.now) } }
            #expect(agreement.state == .suspended, "\(order)")
            #expect(agreement.suspension == .methodUnlinked, "\(order)")
            #expect(agreement.method?.last4 == "1111", "\(order)")
            #expect(agreement.method?.expiryMonth == 1, "\(order)")
            #expect(agreement.method?.expiryYear == 2031, "\(order)")
            #expect(agreement.unerased == [TestAgreement.method(1).id], "\(order)")
        }
    }

    @Test("told before the first payment is through, it holds once that is", arguments: 0...3)
    func early(place: Int) throws {
        var inputs: [AgreementInput] = [.methodKept(TestAgreement.method(1)), .firstPaymentSucceeded]
        let news = [try Self.card("4242", "12/29", told: 1), .tokenUnlinked(Self.name)]
        switch place {
        case 0: inputs = news + inputs
        case 1: inputs = [news[0], inputs[0], news[1], inputs[1]]
        case 2: inputs = [inputs[0]] + news + [inputs[1]]
        default: inputs += news
        }
        var agreement = try Self.paying()
        for input in inputs { _ = agreement.apply(input, at: Self.now) }
        #expect(agreement.state == .suspended)
        #expect(agreement.suspension == .methodUnlinked)
        #expect(agreement.method?.last4 == "4242")
        #expect(agreement.method?.expiryYear == 2029)
    }

    @Test("an unlinked token lets what is out go on")
    func charging() throws {
        var agreement = try Self.active()
        _ = agreement.apply(.chargePlaced(TestAgreement.order(2)), at: Self.now)
        #expect(agreement.apply(.tokenUnlinked(Self.name), at: Self.now).told == [.agreementSuspended])
        #expect(agreement.openCharges == [TestAgreement.order(2)])
        _ = agreement.apply(.chargeApproved, at: Self.now)
        _ = agreement.apply(.chargeDecided(TestAgreement.order(2), isAccepted: true), at: Self.now)
        #expect(agreement.chargedBy == TestAgreement.order(2))
        #expect(agreement.state == .suspended)
        // A method that is made of another token can be charged.
        var other = TestAgreement.method(2)
        other.merchantTokenIdentifier = "other"
        let step = agreement.apply(.methodKept(other), at: Self.now)
        #expect(step.told == [.agreementActive])
        #expect(step.unlinks == [])
        #expect(agreement.merchantTokens == ["other"])
    }

    @Test("what is told of another token changes nothing")
    func foreign() throws {
        var agreement = try Self.active()
        let before = agreement
        let update = try #require(CardUpdate(last4: "1111", expiry: nil))
        for input: AgreementInput in [
            .tokenUnlinked("other"), .tokenForgotten("other"),
            .cardUpdated(update, of: "other", toldBy: Self.announcement(1)),
            .tokenRenumbered("other", name: "else", toldBy: Self.announcement(1)),
        ] {
            #expect(agreement.apply(input, at: TestAgreement.day(1)) == AgreementStep())
            #expect(agreement == before)
        }
    }

    @Test("a token that is replaced is to be unlinked, and the one in its place is known")
    func replaced() throws {
        var agreement = try Self.active()
        var other = TestAgreement.method(2)
        other.merchantTokenIdentifier = "other"
        #expect(agreement.apply(.methodKept(other), at: Self.now).unlinks == [Self.name])
        #expect(agreement.merchantTokens == [Self.name, "other"])
        _ = agreement.apply(.tokenForgotten(Self.name), at: Self.now)
        #expect(agreement.merchantTokens == ["other"])
    }

    @Test("a token with another number may have another name, and an older announcement changes neither")
    func renumbered() throws {
        var agreement = try Self.active()
        _ = agreement.apply(.tokenRenumbered(Self.name, name: "new", toldBy: Self.announcement(2)), at: Self.now)
        #expect(agreement.method?.merchantTokenIdentifier == "new")
        #expect(agreement.merchantTokens == ["new"])
        #expect(!agreement.isNews(Self.announcement(1), aboutNumberOf: "new"))
        #expect(agreement.isNews(Self.announcement(3), aboutNumberOf: "new"))
        #expect(!agreement.isNews(Self.announcement(3), aboutNumberOf: Self.name))
    }

    @Test("it ends once Apple has unlinked the token, too, and asks for that when nothing is under way")
    func ending() throws {
        var agreement = try Self.active()
        _ = agreement.apply(.chargePlaced(TestAgreement.order(2)), at: Self.now)
        #expect(agreement.apply(.end, at: Self.now).unlinks == [])
        _ = agreement.apply(.methodErased(TestAgreement.method(1).id), at: Self.now)
        #expect(agreement.state == .ending)
        let step = agreement.apply(.chargeDecided(TestAgreement.order(2), isAccepted: true), at: Self.now)
        #expect(step == AgreementStep(unlinks: [Self.name]))
        #expect(agreement.state == .ending)
        #expect(agreement.apply(.tokenForgotten(Self.name), at: Self.now) == AgreementStep())
        #expect(agreement.state == .ended)
        #expect(agreement.token == nil)
        #expect(agreement.merchantTokens == [])
    }

    @Test("what Apple has unlinked by itself is not left to unlink", arguments: [false, true])
    func unlinkedBefore(isOver: Bool) throws {
        var agreement = try Self.active()
        if isOver { _ = agreement.apply(.end, at: Self.now) }
        _ = agreement.apply(.tokenUnlinked(Self.name), at: Self.now)
        if !isOver { #expect(agreement.apply(.end, at: Self.now).unlinks == []) }
        _ = agreement.apply(.methodErased(TestAgreement.method(1).id), at: Self.now)
        #expect(agreement.state == .ended)
    }

    @Test("a first payment that fails leaves no token", arguments: [false, true])
    func failure(isOver: Bool) throws {
        var agreement = try Self.paying()
        if isOver { #expect(agreement.apply(.end, at: Self.now).unlinks == []) }
        let step = agreement.apply(.firstPaymentFailed, at: Self.now)
        #expect(step.unlinks == (isOver ? [Self.name] : []))
        guard isOver else {
            #expect(agreement.state == .pending)
            #expect(agreement.merchantTokens == [])
            return
        }
        #expect(agreement.state == .ending)
        _ = agreement.apply(.tokenForgotten(Self.name), at: Self.now)
        #expect(agreement.state == .ended)
    }

    @Test(
        "an expiry is read as Apple writes it, and as nothing else",
        arguments: [
            ("12/29", 12, 2029), ("01/2031", 1, 2031), ("13/29", 0, 0), ("00/29", 0, 0), ("1/29", 0, 0), ("12/9", 0, 0),
            ("12-29", 0, 0), ("2029-12", 0, 0), ("+1/29", 0, 0), ("12/29/1", 0, 0), ("", 0, 0), ("1２/29", 0, 0),
        ]
    )
    func expiry(_ text: String, _ month: Int, _ year: Int) {
        #expect(CardUpdate.Expiry(text) == (year == 0 ? nil : CardUpdate.Expiry(month: month, year: year)))
    }
}
