import StrictJSON
import Testing
import TributaryClient
import TributaryTestKit

/// Answers of the API.
enum Sample {
    /// An order, with members and words that no version knows yet.
    static let order = """
        {"id":"ord_1","status":"paid","decision":"accepted","decision_reason":"of_tomorrow","currency":"USD",
        "amount":1000,"authorized_amount":1000,"captured_amount":1000,"refunded_amount":0,"new":{"deep":[1]},
        "reference":null,"metadata":{"trip":"SEA"},"refunds":[],
        "payments":[{"id":"pay_1","external_identifier":"airline-1","status":"teleported","amount":1000,
        "allocation":[{"kind":"merchant","party":"airline-1","amount":950,"captured":950,"refunded":0},{"kind":"tip",
        "party":"airline-1","amount":50,"captured":50,"refunded":0},{"odd":1}],
        "decline":{"code":"05","category":"generic","message":"No.","retryable":true},
        "action":{"type":"redirect","url":"https://bank.example/1"}}],
        "next_actions":[{"payment":"pay_1","action":{"type":"redirect","url":"https://bank.example/1"}}]}
        """
    /// A refund.
    static let refund = """
        {"id":"ref_1","order":"ord_1","status":"pending","amount":250,"refunded_amount":0,"currency":"USD",
        "items":[{"payment":"pay_1","amount":250,"status":"pending"}]}
        """
    /// A page of orders.
    static let page = "{\"data\":[\(order)],\"has_more\":true}"
}

@Suite("A client's calls", .timeLimit(.minutes(10)))
struct CallTests {
    private static func with(
        _ answer: String,
        _ body: (TributaryClient) async throws -> Void
    ) async throws -> ReceivedRequest {
        let server = try ScriptedServer(each: .readRequest, .reply(answer))
        return try await withServer(server) { server in
            let client = TributaryClient(baseURL: "http://127.0.0.1:\(server.port)", key: "tk_test")
            try await body(client)
            await client.close()
            return try #require(server.requests.first)
        }
    }

    @Test("read what they know of an order, and pass over the rest")
    func reading() async throws {
        let request = try await Self.with(Sample.order) { client in
            let order = try await client.order("ord_1")
            #expect(order.status == "paid")
            #expect(order.decisionReason == "of_tomorrow")
            #expect(order.reference == nil)
            #expect(order.metadata == ["trip": "SEA"])
            #expect(!order.isReplayed)
            let payment = try #require(order.payments.first)
            #expect(payment.status == "teleported")
            #expect(payment.allocation.map(\.kind) == ["merchant", "tip"])
            #expect(payment.allocation.map(\.amount) == [950, 50])
            #expect(payment.decline?.isRetryable == true)
            #expect(order.nextActions.map(\.payment) == ["pay_1"])
            #expect(order.nextActions.first?.action.url == "https://bank.example/1")
        }
        #expect(request.line == "GET /v1/orders/ord_1 HTTP/1.1")
        #expect(request.header("Idempotency-Key") == nil)
        #expect(request.header("Tributary-Version") == TributaryClient.apiVersion)
    }

    @Test("write an order as the API reads it")
    func placing() async throws {
        let request = try await Self.with(Sample.order) { client in
            var order = TributaryClient.NewOrder(
                currency: "USD",
                policy: .required(["airline-1"]),
                contexts: [.init("airline-1", amount: 700), .init("hotel-7", amount: 300, reference: "room")]
            )
            order.contexts[0].allocation = [
                .init("tip", amount: 50), .init("shipping", amount: 70, keptBy: "marketplace"),
            ]
            order.contexts[0].statementDescriptor = "AIRLINE"
            order.payment = .applePay(#"{"paymentData":{"version":"EC_v1"}}"#)
            order.paymentRequest = "prq_1"
            order.reference = "cart-1"
            order.capturesAtOnce = false
            order.returnURL = "https://shop.example/back"
            order.metadata = ["b": "2", "a": "1"]
            _ = try await client.place(order, idempotencyKey: "mine")
        }
        #expect(request.header("Idempotency-Key") == "mine")
        let expected: JSON = [
            "reference": "cart-1", "currency": "USD", "amount": 1000,
            "policy": ["type": "required", "external_identifiers": ["airline-1"]], "capture": "manual",
            "return_url": "https://shop.example/back",
            "payment": ["type": "apple_pay", "token": ["paymentData": ["version": "EC_v1"]]],
            "payment_request": "prq_1",
            "contexts": [
                [
                    "external_identifier": "airline-1", "amount": 700,
                    "allocation": [
                        ["kind": "tip", "amount": 50, "kept_by": "merchant"],
                        ["kind": "shipping", "amount": 70, "kept_by": "marketplace"],
                    ],
                    "statement_descriptor": "AIRLINE",
                ],
                ["external_identifier": "hotel-7", "amount": 300, "reference": "room"],
            ],
            "metadata": ["a": "1", "b": "2"],
        ]
        #expect(try JSON.parse(request.body) == expected)
    }

    @Test("act on orders under keys of their own")
    func acting() async throws {
        let refunding = try await Self.with(Sample.refund) { client in
            let share = TributaryClient.RefundShare.items([.init(payment: "pay_1", amount: 250)])
            let refund = try await client.refund("ord_1", share, reason: "late")
            #expect(refund.status == "pending")
            #expect(refund.items.map(\.amount) == [250])
        }
        #expect(refunding.line == "POST /v1/orders/ord_1/refunds HTTP/1.1")
        #expect(try JSON.parse(refunding.body) == ["items": [["payment": "pay_1", "amount": 250]], "reason": "late"])
        let capturing = try await Self.with(Sample.order) { client in
            _ = try await client.capture("ord_1", .only([.init(payment: "pay_1", amount: 5)]))
        }
        #expect(capturing.line == "POST /v1/orders/ord_1/capture HTTP/1.1")
        #expect(try JSON.parse(capturing.body) == ["items": [["payment": "pay_1", "amount": 5]]])
        let canceling = try await Self.with(Sample.order) { client in _ = try await client.cancel("ord_1") }
        #expect(try JSON.parse(canceling.body) == [:])
        let releasing = try await Self.with(Sample.order) { client in
            _ = try await client.release("ord/1", .only(["pay_1"]))
        }
        #expect(releasing.line == "POST /v1/orders/ord%2F1/release HTTP/1.1")
        let keys = [refunding, capturing, canceling, releasing].compactMap { $0.header("Idempotency-Key") }
        #expect(Set(keys).count == 4)
    }

    @Test("that name none of an order's payments are not sent, rather than meant for all of them")
    func naming() async throws {
        let sent = try await Self.with(Sample.order) { client in
            let failed: [TributaryClient.Payment] = []
            let none = TributaryClient.Failure.nothingNamed
            await #expect(throws: none) { try await client.cancel("ord_1", .only(failed.map(\.id))) }
            await #expect(throws: none) { try await client.release("ord_1", .only([])) }
            await #expect(throws: none) { try await client.capture("ord_1", .only([])) }
            await #expect(throws: none) { try await client.refund("ord_1", .items([])) }
            _ = try await client.cancel("ord_1", .only(["pay_1", "pay_2"]))
        }
        #expect(sent.line == "POST /v1/orders/ord_1/cancel HTTP/1.1")
        #expect(try JSON.parse(sent.body) == ["items": [["payment": "pay_1"], ["payment": "pay_2"]]])
    }

    @Test("list orders by what they are looked for")
    func listing() async throws {
        let request = try await Self.with(Sample.page) { client in
            var filter = TributaryClient.OrderFilter()
            filter.reference = "cart 1&2"
            filter.status = "paid"
            filter.limit = 10
            let page = try await client.list(filter)
            #expect(page.hasMore)
            #expect(page.orders.map(\.id) == ["ord_1"])
        }
        #expect(request.line == "GET /v1/orders?reference=cart%201%262&status=paid&limit=10 HTTP/1.1")
    }

    @Test("refuse an answer that is none of the API's")
    func unreadable() async throws {
        _ = try await Self.with("<html>") { client in
            await #expect(throws: TributaryClient.Failure.unreadable(status: 200, idempotencyKey: nil)) {
                try await client.order("ord_1")
            }
        }
    }
}
