import AdapterKit
import Domain
import Gateway
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Reading an order's body")
struct OrderDraftReaderTests {
    private let reader = OrderDraftReader(limits: APILimits())

    @Test("fills in what is not sent")
    func defaults() throws {
        let draft = try reader.draft(OrderBody.trip)
        #expect(draft.amount == (try TestCheckout.dollars(45_000)))
        #expect(draft.policy == .allOrNothing)
        #expect(draft.capture == .automatic)
        #expect(draft.onCaptureFailure == .attention)
        #expect(!draft.acceptsResidual)
        #expect(draft.reference == nil && draft.deadlineMilliseconds == nil && draft.decideBy == nil)
        #expect(draft.onDeadline == nil && draft.returnURL == nil && draft.payment == nil)
        #expect(draft.metadata.isEmpty)
        #expect(draft.contexts.map(\.externalIdentifier) == ["airline", "hotel"])
        #expect(draft.contexts.map(\.amount.minorUnits) == [30_000, 15_000])
        let instrument = OrderDraft.Instrument(credential: .pspToken(Secret("tok_airline")), pspAccount: "sim-a")
        #expect(draft.contexts[0].payment == instrument)
    }

    @Test("takes every field there is")
    func everything() throws {
        let context: JSON = [
            "external_identifier": "airline", "amount": 30_000, "currency": "USD", "merchant_identifier": "merchant.a",
            "merchant_name": "Airline", "merchant_domain": "a.example",
            "commission": ["amount": 100, "tax_amount": 19], "reference": "r-1", "metadata": ["k": "v"],
        ]
        let body: JSON = [
            "reference": "cart-1", "currency": "USD", "amount": 30_001, "residual": "uncharged",
            "policy": ["type": "minimum", "amount": 5], "capture": "manual", "deadline_ms": 1, "on_deadline": "abandon",
            "on_capture_failure": "compensate", "decide_by": "2027-01-15T09:00:00Z",
            "return_url": "https://shop.example/back", "buyer": ["ip": "::1", "email": "a@b", "country": "US"],
            "payment": ["type": "psp_token", "token": "t", "psp_account": "sim-a"], "contexts": [context],
            "metadata": ["z": "1", "a": ""],
        ]
        let draft = try reader.draft(body)
        #expect((draft.reference, draft.acceptsResidual, draft.policy) == ("cart-1", true, .minimum(5)))
        #expect((draft.capture, draft.deadlineMilliseconds, draft.onDeadline) == (.manual, 1, .abandon))
        #expect((draft.onCaptureFailure, draft.returnURL) == (.compensate, "https://shop.example/back"))
        #expect(draft.decideBy == .at(Timestamp(microseconds: 1_800_003_600_000_000)))
        #expect(draft.payment?.credential == .pspToken(Secret("t")))
        #expect(draft.metadata == [MetadataItem(key: "z", value: "1"), MetadataItem(key: "a", value: "")])
        let read = try #require(draft.contexts.first)
        #expect(
            (read.merchantIdentifier, read.merchantName, read.merchantDomain) == ("merchant.a", "Airline", "a.example")
        )
        #expect(read.commission == CommissionCharge(amount: 100, taxAmount: 19))
        #expect((read.reference, read.metadata) == ("r-1", [MetadataItem(key: "k", value: "v")]))
    }

    @Test("takes the customer that a PSP's own token belongs to")
    func customer() throws {
        let body = OrderBody.trip.with("contexts/0/payment/customer", "cus_1")
        let credential = try reader.draft(body).contexts[0].payment?.credential
        #expect(credential == .pspToken(Secret("tok_airline"), customer: Secret("cus_1")))
        #expect(credential.map { "\($0)" }?.contains("cus_1") == false)
    }

    @Test(
        "takes the card's network from beside the token, in whatever case",
        arguments: [
            (["type": "google_pay", "token": "{}", "network": "MASTERCARD"], .mastercard),
            (["type": "google_pay", "token": "{}"], nil), (Self.card.with("network", "visa"), .visa), (Self.card, nil),
            (Self.sheet("MasterCard"), .mastercard), (Self.sheet("AmEx"), .amex), (Self.sheet("Suica"), nil),
        ] as [(JSON, CardNetwork?)]
    )
    func network(payment: JSON, network: CardNetwork?) throws {
        #expect(
            try reader.draft(OrderBody.trip.with("contexts/0/payment", payment)).contexts[0].payment?.network == network
        )
    }

    private static let card: JSON = [
        "type": "network_token", "number": "4242424242424242", "expiry_month": 12, "expiry_year": 2030,
        "cryptogram": "AAAA",
    ]

    private static func sheet(_ network: String) -> JSON {
        [
            "type": "apple_pay",
            "token": [
                "paymentData": ["version": "EC_v1", "data": "AA", "signature": "AA", "header": [:]],
                "paymentMethod": ["network": .string(network), "displayName": "Card 1234"],
            ],
        ]
    }

    @Test(
        "refuses null, which is no way to leave a field out",
        arguments: [
            "reference", "residual", "capture", "deadline_ms", "on_deadline", "on_capture_failure", "decide_by",
            "decide_by_ms", "return_url", "buyer", "payment", "metadata", "contexts/0/commission",
            "contexts/0/merchant_name", "contexts/0/reference", "contexts/0/metadata", "contexts/0/currency",
        ]
    )
    func nulls(_ field: String) throws {
        let refusal = try #require(throws: InvalidDocument.self) {
            try reader.draft(OrderBody.trip.with(field, .null))
        }
        #expect(refusal.violations.map { "\($0.pointer) \($0.code)" } == ["/\(field) wrong_type"])
    }

    @Test("keeps what a network token is made of")
    func networkToken() throws {
        let payment: JSON = [
            "type": "network_token", "number": "4242424242424242", "expiry_month": 12, "expiry_year": 2030,
            "cryptogram": "AAAA", "eci": "5", "source": "google_pay",
        ]
        let draft = try reader.draft(OrderBody.trip.with("contexts/0/payment", payment))
        guard case .networkToken(let token) = draft.contexts[0].payment?.credential else {
            return #expect(Bool(false), "not a network token")
        }
        #expect(token.number.reveal() == "4242424242424242")
        #expect((token.expiryMonth, token.expiryYear, token.eci, token.source) == (12, 2030, "5", .googlePay))
        #expect(!"\(draft)".contains("4242"))
    }

    @Test("takes Apple's token in the shapes that wallets hand over", arguments: [0, 1, 2])
    func applePay(_ wrappings: Int) throws {
        let data: JSON = ["version": "EC_v1", "data": "AA==", "signature": "AA==", "header": ["transactionId": "00"]]
        let wrapped: JSON = ["paymentData": data, "paymentMethod": ["network": "Visa"], "transactionIdentifier": "0A"]
        let token = [data, wrapped, ["token": wrapped]][wrappings]
        let body = OrderBody.trip.with("contexts/0/payment", ["type": "apple_pay", "token": token])
        guard case .encryptedApplePay(let read) = try reader.draft(body).contexts[0].payment?.credential else {
            return #expect(Bool(false), "not an Apple Pay token")
        }
        #expect(read.paymentData.reveal() == data.text)
        #expect(read.network == (wrappings == 0 ? nil : "Visa"))
    }

    @Test(
        "refuses texts and lists beyond their limits",
        arguments: [
            ("reference", .string(String(repeating: "x", count: 129)), "/reference too_long"),
            ("metadata", ["": "v"], "/metadata/ empty"),
            ("metadata", ["k": 1], "/metadata/k wrong_type"),
            ("metadata", ["k": .string(String(repeating: "x", count: 501))], "/metadata/k too_long"),
            ("deadline_ms", 0, "/deadline_ms out_of_range"),
            ("contexts", .array(Array(repeating: OrderBody.trip, count: 51)), "/contexts too_many"),
            ("contexts/0/external_identifier", "", "/contexts/0/external_identifier empty"),
            ("contexts/0/commission/amount", -1, "/contexts/0/commission/amount out_of_range"),
            ("buyer", ["country": "us"], "/buyer/country not_allowed"),
            ("buyer", ["ip": "203.0.113.999"], "/buyer/ip not_allowed"),
            ("capture", "later", "/capture not_allowed"),
        ] as [(String, JSON, String)]
    )
    func limits(_ path: String, _ value: JSON, _ error: String) {
        let body = OrderBody.trip.with(path, value)
        let found = #expect(throws: InvalidDocument.self) { try reader.draft(body) }
        #expect(found?.violations.map { "\($0.pointer) \($0.code)" } == [error])
    }
}
