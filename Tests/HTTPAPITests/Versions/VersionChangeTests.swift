import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("The way back to a version of the API")
struct VersionChangeTests {
    private static let dispute: JSON = [
        "id": "dsp_1", "livemode": false, "order": "ord_1", "order_reference": "cart", "payment": "pay_1",
        "merchant": "mer_1",
        "external_identifier": "airline", "state": "opened", "currency": "USD", "amount": 5, "amount_decimal": "0.05",
        "respond_by": .null, "psp_reference": "d", "fee": 1, "created_at": "2026-11-23T00:00:00.000Z",
    ]
    private static let payment: JSON = [
        "id": "pay_1", "livemode": false, "order": "ord_1", "order_reference": "cart", "external_identifier": "airline",
        "merchant": "mer_1",
        "currency": "USD", "amount": 1000, "amount_decimal": "10.00", "created_at": "2026-11-23T00:00:00.000Z",
        "authorized_at": .null, "captured_at": .null, "disputes": .array([dispute]),
        "allocation": [
            ["kind": "merchant", "party": "airline", "amount": 1000, "amount_decimal": "10.00", "captured": 0]
        ],
        "failure": ["code": "51", "message": "No.", "retryable": true],
        "metadata": ["currency": "kept", "amount_decimal": "kept"],
    ]
    private static let oldPayment: JSON = [
        "id": "pay_1", "external_identifier": "airline", "merchant": "mer_1", "amount": 1000,
        "disputes": [
            ["id": "dsp_1", "state": "opened", "amount": 5, "respond_by": .null, "psp_reference": "d", "fee": 1]
        ],
        "allocation": [["kind": "merchant", "party": "airline", "amount": 1000, "captured": 0]],
        "metadata": ["currency": "kept", "amount_decimal": "kept"],
    ]
    private static let refund: JSON = [
        "id": "rfd_1", "livemode": false, "order": "ord_1", "order_reference": "cart", "amount": 5,
        "amount_decimal": "0.05",
        "refunded_amount": 5, "refunded_amount_decimal": "0.05", "currency": "USD",
        "items": [["payment": "pay_1", "merchant": "mer_1", "amount": 5, "amount_decimal": "0.05"]],
        "created_at": "2026-11-23T00:00:00.000Z",
    ]
    private static let oldRefund: JSON = [
        "id": "rfd_1", "order": "ord_1", "amount": 5, "refunded_amount": 5, "currency": "USD",
        "items": [["payment": "pay_1", "amount": 5]], "created_at": "2026-11-23T00:00:00.000Z",
    ]
    private static let order: JSON = [
        "id": "ord_1", "livemode": true, "currency": "USD", "amount": 1000, "amount_decimal": "10.00",
        "created_at": "t",
        "decided_at": .null,
        "updated_at": "t", "attention": [["payment": "pay_1", "merchant": "mer_1", "external_identifier": "airline"]],
        "metadata": ["decided_at": "kept"], "payments": .array([payment]), "refunds": .array([refund]),
    ]
    private static let oldOrder: JSON = [
        "id": "ord_1", "currency": "USD", "amount": 1000, "created_at": "t", "attention": [["payment": "pay_1"]],
        "metadata": ["decided_at": "kept"], "payments": .array([oldPayment]), "refunds": .array([oldRefund]),
    ]

    private static func older(_ document: JSON, isProblem: Bool = false) -> JSON {
        VersionChange.document(document, isProblem: isProblem, in: .november1)
    }

    @Test("takes out of orders, payments, refunds and their lists what they did not have")
    func objects() {
        #expect(Self.older(Self.order) == Self.oldOrder)
        #expect(Self.older(Self.refund) == Self.oldRefund)
        let page: JSON = ["data": .array([Self.order, Self.refund]), "has_more": true]
        #expect(Self.older(page) == ["data": .array([Self.oldOrder, Self.oldRefund]), "has_more": true])
        // By itself a payment named its order.
        #expect(Self.older(Self.payment)["order"] == "ord_1")
        #expect(Self.older(Self.payment).with("order", nil) == Self.oldPayment)
    }

    @Test("leaves everything else, and the newest version, as they are")
    func others() {
        let merchant: JSON = ["id": "mer_1", "currency": "USD", "decided_at": "t", "amount_decimal": "1.00"]
        for document in [merchant, [], "text", 5, ["data": [1, 2]]] as [JSON] {
            #expect(Self.older(document) == document)
        }
        for document in [Self.order, Self.payment, Self.refund] {
            #expect(VersionChange.document(document, isProblem: false, in: .newest) == document)
        }
    }

    @Test("gives problems the type that they had")
    func problem() {
        let problem: JSON = ["type": "/problems/no_route", "status": 422, "code": "no_route"]
        #expect(Self.older(problem, isProblem: true) == problem.with("type", "urn:tributary:problem:no_route"))
        #expect(Self.older(problem) == problem)
    }

    @Test("exists for every version but the first, in the order of the way back")
    func complete() {
        #expect(VersionChange.all.map(\.version) == APIVersion.all.dropFirst().reversed())
        #expect(APIVersion.all == APIVersion.all.sorted() && APIVersion.all.last == APIVersion.newest)
        for version in APIVersion.all {
            #expect(version.text.wholeMatch(of: /20[0-9]{2}-[01][0-9]-[0-3][0-9]/) != nil)
            #expect(APIVersion(version.text) == version)
        }
    }
}
