import AdapterKit
import Domain
import StrictJSON
import Testing
import WireFormats

@Suite("An agreement at the twin of every PSP", .timeLimit(.minutes(10)))
struct AgreementTwinTests {
    static let psps = AgreementRequestTests.psps

    @Test("is paid first, charged five times, declined, charged again, and forgotten", arguments: psps)
    func life(psp: String) async throws {
        let twin = try await TwinOfPSP(psp)
        let first = try await twin.pay()
        let credential = try twin.later(first)
        for number in 1...5 {
            let outcome = try await twin.perform(try twin.charge(first, credential, number))
            guard case .succeeded(let success) = outcome else {
                Issue.record("\(psp): \(outcome)")
                return
            }
            #expect(success.amount == 10_000)
            // The card behind the token is shown, and it is the same token; Braintree's twin knows no expiry of it.
            let isTold = ["stripe", "checkout"].contains(psp)
            #expect(success.stored?.token.reveal() == (isTold ? first.stored?.token.reveal() : nil))
            #expect(success.stored?.customer?.reveal() == (isTold ? first.stored?.customer?.reveal() : nil))
        }
        let declined = try await twin.perform(try twin.charge(first, credential, 6, amount: 10_001))
        guard case .declined = declined else {
            Issue.record("\(psp): \(declined)")
            return
        }
        let again = try await twin.perform(try twin.charge(first, credential, 7, type: .automaticReload))
        guard case .succeeded = again else {
            Issue.record("\(psp): \(again)")
            return
        }
        guard first.stored != nil else { return }
        guard case .succeeded = try await twin.remove(first) else {
            Issue.record("\(psp) does not forget")
            return
        }
        switch try await twin.remove(first) {
        case .succeeded: break
        case .rejected(let rejection): #expect(rejection.reason == .notFound)
        case let outcome: Issue.record("\(psp): \(outcome)")
        }
        let isRefused = try await twin.refuses(try twin.charge(first, credential, 8))
        #expect(isRefused, "\(psp) charges what it has forgotten")
    }

    @Test("is not charged without a first payment", arguments: psps)
    func withoutFirst(psp: String) async throws {
        let twin = try await TwinOfPSP(psp)
        let nothing = Success(
            reference: nil,
            amount: 0,
            networkTransactionIDs: [NetworkTransactionID("060720116000099")].compactMap { $0 }
        )
        let call = try twin.charge(nothing, try AgreementSample.credentials(psp).later, 1)
        let isRefused = try await twin.refuses(call)
        #expect(isRefused, "\(psp) charges what was never paid")
    }

    @Test("is not charged to another customer's card", arguments: psps.filter { $0 != "braintree" })
    func anotherCustomer(psp: String) async throws {
        let twin = try await TwinOfPSP(psp)
        let first = try await twin.pay()
        let credential: Credential
        switch try twin.later(first) {
        case .pspToken(let token, _):
            credential = .pspToken(token, customer: Secret(psp == "authorize-net" ? "19999" : "cus_another"))
        case .storedNetworkToken(var token):
            token.number = Secret("5555555555554444")
            credential = .storedNetworkToken(token)
        case let other: credential = other
        }
        let isRefused = try await twin.refuses(try twin.charge(first, credential, 1))
        #expect(isRefused, "\(psp) charges another customer's card")
    }

    @Test("is not charged with a cryptogram", arguments: psps.filter { $0 != "square" && $0 != "braintree" })
    func cryptogram(psp: String) async throws {
        let twin = try await TwinOfPSP(psp)
        let first = try await twin.pay()
        let call = try twin.charge(first, try twin.later(first), 1)
        let isRefused = try await twin.refuses(call) { request in
            let body = String(decoding: request.body, as: UTF8.self)
            let (old, new) =
                switch psp {
                case "stripe":
                    (
                        "off_session=true",
                        "off_session=true&payment_method_options%5Bcard%5D%5Bnetwork_token%5D%5Bcryptogram%5D=AAAA"
                    )
                case "adyen": (#""paymentMethod""#, #""mpiData":{"cavv":"AAAA"},"paymentMethod""#)
                case "checkout": (#""source":{"#, #""source":{"cryptogram":"AAAA","#)
                case "worldpay": (#""paymentInstrument":{"#, #""paymentInstrument":{"cryptogram":"AAAA","#)
                default:
                    (
                        #""profile""#,
                        #""payment":{"creditCard":{"cardNumber":"4242424242424242","expirationDate":"2030-12","#
                            + #""isPaymentToken":true,"cryptogram":"AAAA"}},"profile""#
                    )
                }
            try #require(body.contains(old))
            request.body = Array(body.replacing(old, with: new).utf8)
        }
        #expect(isRefused, "\(psp) takes a cryptogram")
    }

    @Test("is not charged to a single-use payment method at Braintree, nor to another customer's")
    func singleUse() async throws {
        let twin = try await TwinOfPSP("braintree")
        let first = try await twin.pay()
        let call = try twin.charge(first, try twin.later(first), 1)
        let changes: [(String, String)] = [
            (#""paymentMethodId":"paymentmethod_cc_"#, #""paymentMethodId":"fake-valid-nonce_"#),
            (#""paymentInitiator":"RECURRING""#, #""paymentInitiator":"RECURRING","customerId":"another""#),
        ]
        for (old, new) in changes {
            let isRefused = try await twin.refuses(call) { request in
                let body = String(decoding: request.body, as: UTF8.self)
                try #require(body.contains(old))
                request.body = Array(body.replacing(old, with: new).utf8)
            }
            #expect(isRefused, "\(new)")
        }
    }

    @Test("keeps nothing of a first payment that was declined", arguments: psps)
    func declinedFirst(psp: String) async throws {
        let twin = try await TwinOfPSP(psp)
        let credentials: [String: Credential] = [
            "square": .pspToken(Secret("cnon:tok_decline_generic")),
            "authorize-net": .pspToken(Secret("tok_decline_generic")),
        ]
        var token = Sample.networkToken()
        token.number = Secret("9999990000000010")
        let call = try AgreementSample.first(credentials[psp] ?? .networkToken(token))
        guard case .declined = try await twin.perform(call) else {
            Issue.record("\(psp) does not decline")
            return
        }
    }
}
