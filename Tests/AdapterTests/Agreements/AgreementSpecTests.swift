import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What is asked under an agreement, held against each PSP's description,")
struct AgreementSpecTests {
    /// Every request of first payments, charges and the removal of what was stored.
    static func requests(of psp: String) throws -> [WireRequest] {
        let adapter = try AdapterUnderTest.named(psp).adapter
        let (first, later) = try AgreementSample.credentials(psp)
        var requests: [WireRequest] = []
        let others = Sample.credentials.filter { credential in
            credential.kind != .pspToken && adapter.capabilities.agreements.storesCredentials.contains(credential.kind)
        }
        let replies = try AgreementReplies.replies(psp)
        for type in AgreementType.allCases {
            let call = try AgreementSample.first(first, type)
            for count in 0...replies.count {
                let exchanges = replies.prefix(count).map { Exchange(reply: $0) }
                if case .send(let request) = adapter.next(for: call, after: exchanges) { requests.append(request) }
            }
            for credential in others {
                let call = try AgreementSample.first(credential, type)
                if case .send(let request) = adapter.next(for: call, after: []) { requests.append(request) }
            }
            for reason in ChargeReason.allCases {
                requests.append(try AgreementSample.request(psp, try AgreementSample.charge(later, type, reason)))
                let bare = try AgreementSample.charge(later, type, reason, first: nil, transactions: [])
                requests.append(try AgreementSample.request(psp, bare))
            }
        }
        if case .pspToken(let token, let customer) = later {
            let removal = MethodRemoval(agreement: try AgreementSample.agreement, token: token, customer: customer)
            if case .send(let request) = adapter.next(forRemoval: removal, after: []) { requests.append(request) }
        }
        return requests
    }

    private static func violations(_ request: WireRequest, of psp: String) throws -> [String] {
        let base = Sample.settings.baseURL
        return switch psp {
        case "adyen": try JSONBodySpec.adyen.violations(request, baseURL: base + "/v72")
        case "authorize-net": try AuthorizeNetSchemaTests.violations(request)
        case "checkout": try CheckoutSchema().violations(request, baseURL: base)
        case "square": try SquareSpec().violations(request, baseURL: base)
        case "stripe":
            try OpenAPISpec.stripe.violations(request, baseURL: base)
                .filter { !StripeSpecTests.unpublished.contains($0) }
        case "worldpay": try WorldpaySchemaTests.violations(request)
        default: ["\(psp) has no description here"]
        }
    }

    /// The ends of paths that the descriptions beside these tests are reduced by: customers, cards and what deletes.
    private static let unheld = ["/v1/customers", "/detach", "/v2/customers", "/v2/cards", "/disable"]

    @Test("breaks nothing", arguments: AgreementRequestTests.psps.filter { $0 != "braintree" })
    func breaksNothing(psp: String) throws {
        let requests = try Self.requests(of: psp).filter { request in
            !Self.unheld.contains { request.url.hasSuffix($0) } && !request.url.contains("/storedPaymentMethods/")
        }
        #expect(requests.count >= 33)
        for request in requests {
            let body = String(decoding: request.body, as: UTF8.self)
            #expect(try Self.violations(request, of: psp) == [], "\(request): \(body)")
        }
    }
}
