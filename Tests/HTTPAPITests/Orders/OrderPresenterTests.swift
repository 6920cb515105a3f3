import Domain
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Showing an order")
struct OrderPresenterTests {
    private static let moment = Timestamp(microseconds: 1_800_000_000_000_000)

    @Test("in the order of the documentation, with null for what there is not")
    func order() throws {
        let json = OrderPresenter.json(try Self.order(.open))
        let keys = [
            "id", "livemode", "reference", "version", "status", "decision", "decision_reason", "amount",
            "amount_decimal",
            "payable_amount", "payable_amount_decimal", "currency", "residual", "policy", "capture", "on_deadline",
            "authorized_amount", "authorized_amount_decimal", "captured_amount", "captured_amount_decimal",
            "refunded_amount", "refunded_amount_decimal", "charged_back_amount", "charged_back_amount_decimal",
            "capture_before", "deadline_at", "decide_by", "next_actions", "attention", "created_at", "decided_at",
            "updated_at", "metadata", "payments", "refunds",
        ]
        #expect((json.objectValue ?? []).map(\.key) == keys)
        #expect((json["reference"], json["decision_reason"], json["capture_before"]) == (.null, .null, .null))
        #expect((json["amount"], json["payable_amount"], json["residual"]) == (1500, 1000, 500))
        #expect(json["policy"] == ["type": "required", "external_identifiers": ["airline", "hotel"]])
        #expect((json["amount_decimal"], json["payable_amount_decimal"]) == ("15.00", "10.00"))
        #expect(json["created_at"] == "2027-01-15T08:00:00.000Z")
        #expect((json["decided_at"], json["updated_at"]) == (.null, json["created_at"]))
        #expect((json["status"], json["decision"]) == ("processing", "pending"))
        #expect(json["metadata"] == ["z": "1", "a": "2"])
        #expect(OrderPresenter.answer(try Self.order(.open)).count == json.bytes.count)
    }

    @Test("shows cleared as pending")
    func cleared() throws {
        var order = try Self.order(.succeeded)
        order.decision = Decision(state: .cleared, reason: .policySatisfied, at: Self.moment, countsOn: [])
        let json = OrderPresenter.json(order)
        #expect((json["decision"], json["decided_at"]) == ("pending", .null))
        order.decision.state = .accepted
        #expect(OrderPresenter.json(order)["decided_at"] == "2027-01-15T08:00:00.000Z")
    }

    @Test("tells of a payment by itself all that it takes to understand it")
    func payment() throws {
        var order = try Self.order(.succeeded)
        var operation = order.payments[0].attempts[0].operations[0]
        operation.repliedAt = Self.moment.adding(milliseconds: 250)
        operation.doneAmount = 1000
        var capture = Operation(
            id: operation.id,
            kind: .capture,
            amount: 400,
            origin: .gateway,
            createdAt: Self.moment,
            isFinal: false
        )
        (capture.state, capture.doneAmount) = (.succeeded, 400)
        capture.repliedAt = Self.moment.adding(milliseconds: 500)
        capture.succeededLaterAt = Self.moment.adding(milliseconds: 60_000)
        order.payments[0].attempts[0].operations = [operation, capture]
        let payment = OrderPresenter.payment(order.payments[0], of: order)
        #expect((payment["order"]?.stringValue, payment["order_reference"]) == (order.id.text, .null))
        #expect((payment["currency"], payment["amount"], payment["amount_decimal"]) == ("USD", 1000, "10.00"))
        #expect((payment["captured_amount"], payment["captured_amount_decimal"]) == (400, "4.00"))
        #expect(payment["external_identifier"] == "airline")
        #expect(payment["created_at"] == "2027-01-15T08:00:00.000Z")
        #expect(payment["authorized_at"] == "2027-01-15T08:00:00.250Z")
        #expect(payment["captured_at"] == "2027-01-15T08:01:00.000Z")
        #expect(payment.at("allocation/0/amount_decimal") == "10.00")
        #expect(payment == OrderPresenter.json(order).at("payments/0"))
        let own = OrderPresenter.payment(order.payments[0], of: order, to: .merchant)
        #expect(own == payment.with("order_reference", nil))
    }

    @Test("writes amounts as decimal text with the digits of their currency")
    func decimals() throws {
        let amounts: JSON = ["amount": 1250, "held_amount": 7, "amounts": 3, "amount_at_risk": 4, "fee_amount": "5"]
        let shown: [(String, String, String)] = [
            ("USD", "12.50", "0.07"), ("JPY", "1250", "7"), ("KWD", "1.250", "0.007"),
        ]
        for (code, amount, held) in shown {
            let json = amounts.withDecimals(in: try #require(Currency(code: code)))
            let expected: JSON = [
                "amount": 1250, "amount_decimal": .string(amount), "held_amount": 7,
                "held_amount_decimal": .string(held), "amounts": 3, "amount_at_risk": 4, "fee_amount": "5",
            ]
            #expect(json == expected, "\(code)")
        }
    }

    @Test("says why a payment was declined")
    func declined() throws {
        let decline = Decline(code: "51", category: .insufficientFunds, message: "Not enough.")
        let payment = try #require(OrderPresenter.json(try Self.order(.declined(decline))).at("payments/0"))
        #expect(payment["status"] == "declined")
        let shown: JSON = [
            "code": "51", "category": "insufficient_funds", "message": "Not enough.", "retryable": true,
        ]
        #expect(payment["decline"] == shown)
        #expect(payment["failure"] == ["code": "51", "message": "Not enough.", "retryable": true])
        #expect(payment["rejection"] == nil && payment["action"] == nil)
    }

    @Test("says why a PSP refused the request")
    func rejected() throws {
        let rejection = Rejection(.configuration, code: "no_account", message: "No.")
        let payment = try #require(OrderPresenter.json(try Self.order(.rejected(rejection))).at("payments/0"))
        #expect(payment["rejection"] == ["reason": "configuration", "code": "no_account", "message": "No."])
        #expect(payment["decline"] == nil)
        #expect(payment["failure"] == ["code": "no_account", "message": "No.", "retryable": false])
    }

    @Test("says why nothing reached a PSP, and nothing of failure where there is none")
    func notSent() throws {
        let json = OrderPresenter.json(try Self.order(.notSent(reason: "connection refused")))
        #expect(json.at("payments/0/status") == "not_sent")
        let shown: JSON = ["code": "not_sent", "message": "connection refused", "retryable": true]
        #expect(json.at("payments/0/failure") == shown)
        for state in [OperationState.open, .unknown(reason: "timed out"), .pending] {
            #expect(OrderPresenter.json(try Self.order(state)).at("payments/0/failure") == nil)
        }
    }

    @Test("says what the buyer has to do")
    func action() throws {
        let action = NextAction(kind: .redirect, url: "https://psp.example/3ds", expiresAt: Self.moment)
        let json = OrderPresenter.json(try Self.order(.actionRequired(action)))
        #expect(json["status"] == "requires_action")
        let shown: JSON = [
            "type": "redirect", "url": "https://psp.example/3ds", "expires_at": "2027-01-15T08:00:00.000Z",
        ]
        #expect(json.at("payments/0/action") == shown)
        #expect(json.at("next_actions/0/action") == shown)
        #expect(json.at("next_actions/0/payment") == json.at("payments/0/id"))
        #expect(json.at("next_actions/0/external_identifier") == json.at("payments/0/external_identifier"))
    }

    @Test(
        "asks the buyer for nothing more of a payment that is called off, or that the PSP took",
        arguments: [false, true]
    )
    func actionIsOver(isTaken: Bool) throws {
        let action = NextAction(kind: .redirect, url: "https://psp.example/3ds", expiresAt: Self.moment)
        var order = try Self.order(.actionRequired(action))
        if isTaken {
            var ids = IdentifierSource()
            var capture = Operation(
                id: ids.make(at: Self.moment),
                kind: .capture,
                amount: 1000,
                origin: .psp,
                createdAt: Self.moment
            )
            (capture.state, capture.doneAmount) = (.succeeded, 1000)
            order.payments[0].attempts[0].operations.append(capture)
        } else {
            order.payments[0].canceledAt = Self.moment
        }
        let json = OrderPresenter.json(order)
        let shown = try #require(json.at("payments/0"))
        #expect(shown["action"] == nil && json["next_actions"] == [] && json["status"] != "requires_action")
    }

    @Test("shows what waits for a person beside the status")
    func attention() throws {
        var order = try Self.order(.unknown(reason: "timed out"))
        let operation = order.payments[0].attempt.authorization.id
        order.attention = [
            Attention(
                payment: order.payments[0].id,
                operation: operation,
                reason: .unknownOutcome,
                amountAtRisk: 1000,
                since: Self.moment
            )
        ]
        let shown = try #require(OrderPresenter.json(order).at("attention/0"))
        #expect(shown["operation"]?.stringValue == operation.text)
        #expect((shown["reason"], shown["amount_at_risk"]) == ("unknown_outcome", 1000))
    }

    /// An order of one payment of 10.00 USD out of 15.00, whose authorization stands as given.
    private static func order(_ state: OperationState) throws -> Order {
        var ids = IdentifierSource()
        var operation = Operation(
            id: ids.make(at: moment),
            kind: .authorize,
            amount: 1000,
            origin: .gateway,
            createdAt: moment
        )
        operation.state = state
        let route = RouteSnapshot(psp: "simulator", pspAccount: "sim-a")
        let payment = Payment(
            id: ids.make(at: moment),
            merchant: ids.make(at: moment),
            externalIdentifier: "airline",
            amount: 1000,
            reference: nil,
            metadata: [],
            allocation: [AllocationLine(kind: .merchant, party: "airline", amount: 1000)],
            attempts: [Attempt(id: ids.make(at: moment), route: route, operations: [operation])]
        )
        return Order(
            id: ids.make(at: moment),
            marketplace: "travel",
            reference: nil,
            amount: try TestCheckout.dollars(1500),
            metadata: [MetadataItem(key: "z", value: "1"), MetadataItem(key: "a", value: "2")],
            createdAt: moment,
            terms: OrderTerms(
                policy: .required(["hotel", "airline"]),
                capture: .automatic,
                onDeadline: .abandon,
                onCaptureFailure: .attention,
                deadlineAt: moment,
                decideBy: moment
            ),
            payments: [payment]
        )
    }
}
