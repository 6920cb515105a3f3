import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("Payments under an agreement, at every PSP,")
struct AgreementRequestTests {
    /// Every PSP but the simulator, which has its own dialect.
    static let psps = ["adyen", "authorize-net", "braintree", "checkout", "square", "stripe", "worldpay"]

    /// What each PSP's documents promise.
    static let support: [String: AgreementSupport] = [
        "adyen": AgreementSupport(
            storesCredentials: [.networkToken, .encryptedApplePay],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read]
        ),
        "authorize-net": AgreementSupport(
            storesCredentials: [.pspToken],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read, .write]
        ),
        "braintree": AgreementSupport(
            storesCredentials: [.pspToken, .networkToken],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read]
        ),
        "checkout": AgreementSupport(
            storesCredentials: [.pspToken, .networkToken, .encryptedApplePay],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read]
        ),
        "square": AgreementSupport(storesCredentials: [.pspToken], merchantInitiated: [.pspToken]),
        "stripe": AgreementSupport(
            storesCredentials: [.pspToken, .networkToken, .encryptedApplePay],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read]
        ),
        "worldpay": AgreementSupport(
            merchantInitiated: [.storedNetworkToken],
            networkTransactionID: [.read, .write]
        ),
    ]

    @Test("are told what the PSP's documents promise", arguments: psps)
    func capabilities(psp: String) throws {
        let capabilities = try AdapterUnderTest.named(psp).adapter.capabilities
        #expect(capabilities.agreements == Self.support[psp])
        #expect(capabilities.agreements.storesCredentials.isSubset(of: capabilities.credentials))
        #expect(!capabilities.credentials.contains(.storedNetworkToken))
    }

    @Test("are charged without a cryptogram, a return or a step of the buyer's", arguments: psps, ChargeReason.allCases)
    func charges(psp: String, reason: ChargeReason) throws {
        let credential = try AgreementSample.credentials(psp).later
        for type in AgreementType.allCases {
            let request = try AgreementSample.request(psp, try AgreementSample.charge(credential, type, reason))
            let body = String(decoding: request.body, as: UTF8.self)
            #expect(request.canMoveMoney)
            #expect(!body.contains("ryptogram") && !body.contains("mpiData") && !body.contains(Sample.cryptogram))
            #expect(!body.contains("shop.example") || psp == "adyen", "\(body)")
            let again = try AgreementSample.request(psp, try AgreementSample.charge(credential, type, reason))
            #expect(again == request)
        }
    }

    @Test("are never charged to a credential that its PSP does not take for it", arguments: psps)
    func refused(psp: String) throws {
        let taken = try AdapterUnderTest.named(psp).adapter.capabilities.agreements.merchantInitiated
        let stored = Credential.storedNetworkToken(StoredNetworkToken(Sample.networkToken()))
        for credential in Sample.credentials + [stored] where !taken.contains(credential.kind) {
            let outcome = try AgreementSample.outcome(psp, try AgreementSample.charge(credential))
            guard case .rejected(let rejection) = outcome else {
                Issue.record("\(psp) takes \(credential.kind)")
                continue
            }
            #expect(rejection.reason == .unsupported)
        }
        guard
            case .outcome(.rejected) = try AdapterUnderTest.named(psp).adapter.next(
                for: try Sample.call(.authorize, credential: stored),
                after: []
            )
        else {
            Issue.record("\(psp) takes a network token without its cryptogram from a buyer")
            return
        }
    }

    @Test("are first paid with what the PSP keeps, and with nothing else", arguments: psps)
    func first(psp: String) throws {
        let support = try AdapterUnderTest.named(psp).adapter.capabilities.agreements
        for type in AgreementType.allCases {
            let call = try AgreementSample.first(try AgreementSample.credentials(psp).first, type)
            #expect(try AgreementSample.request(psp, call) == (try AgreementSample.request(psp, call)))
        }
        let stored = Credential.storedNetworkToken(StoredNetworkToken(Sample.networkToken()))
        for credential in Sample.credentials + [stored] {
            let isKept = support.storesCredentials.contains(credential.kind)
            let isNumber = credential.kind == .networkToken && support.merchantInitiated.contains(.storedNetworkToken)
            guard !isKept, !isNumber else { continue }
            let outcome = try AgreementSample.outcome(psp, try AgreementSample.first(credential))
            guard case .rejected = outcome else {
                Issue.record("\(psp) stores \(credential.kind)")
                continue
            }
        }
    }

    @Test("say why they are charged where the PSP has a word for it")
    func reasons() throws {
        let words: [(String, [ChargeReason: String], (JSON) -> JSON?)] = [
            (
                "checkout", [.deferred: "Delayed_charge", .noShow: "No_show", .resubmission: "Resubmission"],
                { $0["processing"]?["merchant_initiated_reason"] }
            ),
            (
                "authorize-net", [.deferred: "delayedCharge", .noShow: "noShow", .resubmission: "resubmission"],
                {
                    $0["createTransactionRequest"]?["transactionRequest"]?["subsequentAuthInformation"]?["reason"]
                }
            ),
        ]
        for (psp, reasons, read) in words {
            for reason in ChargeReason.allCases {
                let call = try AgreementSample.charge(try AgreementSample.credentials(psp).later, .deferred, reason)
                let body = try JSON.parse(try AgreementSample.request(psp, call).body)
                #expect(read(body)?.stringValue == reasons[reason], "\(psp) \(reason)")
            }
        }
    }

    @Test("go without what nobody told: the scheme's reference, and the PSP's own of the first payment")
    func unknownFirst() throws {
        for psp in Self.psps {
            let credential = try AgreementSample.credentials(psp).later
            let call = try AgreementSample.charge(credential, first: nil, transactions: [])
            let body = String(decoding: try AgreementSample.request(psp, call).body, as: UTF8.self)
            #expect(!body.contains(AgreementSample.transaction) && !body.contains("pay_first"))
            #expect(!body.contains("null"))
        }
    }
}
