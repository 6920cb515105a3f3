import PSPSimulator
import StrictJSON
import Testing

@Suite("Braintree's dialect searches", .serialized, .timeLimit(.minutes(10)))
struct BraintreeSearchTests {
    @Test("by every criterion at once, the latest first, page by page")
    func criteria() async throws {
        try await withBraintree { driver, _ in
            for number in 1...3 {
                let amount = Int64(number * 1000)
                _ = try await driver.hold("tok_approve", reference: "att_\(number)", amount: amount)
                try await Task.sleep(for: .milliseconds(2))
            }
            let searches: [(JSON, [JSON])] = [
                (["orderId": ["is": "att_2"]], ["att_2"]), (["orderId": ["is": "att_9"]], []),
                (["orderId": ["startsWith": "att", "isNot": "att_3"]], ["att_2", "att_1"]),
                (["amount": ["value": ["greaterThanOrEqualTo": "20.00"]]], ["att_3", "att_2"]),
                (["amount": ["value": ["is": "10.00"]], "status": ["in": ["AUTHORIZED"]]], ["att_1"]),
                (["amount": ["value": ["is": "10.00"]], "status": ["is": "VOIDED"]], []),
                (["createdAt": ["lessThanOrEqualTo": "2020-01-01T00:00:00.000000Z"]], []),
                (["merchantAccountId": ["is": "shop"], "orderId": ["contains": "_1"]], ["att_1"]),
                (["orderId": ["is": ""]], ["att_3", "att_2"]), (.object([]), ["att_3", "att_2"]),
            ]
            for (input, expected) in searches {
                let (nodes, reply) = try await driver.search(input)
                #expect(nodes?.map { JSON.optional($0["orderId"]) } == expected, "\(input): \(reply.text)")
            }
            let first = try await driver.search(.object([])).reply.json?["data"]?["search"]?["transactions"]
            #expect(first?["pageInfo"]?["hasNextPage"] == true)
            let rest = try await driver.send(
                "query ($after: String) { search { transactions(input: {}, after: $after) { edges { node { orderId } } "
                    + "pageInfo { hasNextPage hasPreviousPage } } } }",
                ["after": .optional(first?["pageInfo"]?["endCursor"])]
            )
            let page: JSON = [
                "edges": [["node": ["orderId": "att_1"]]],
                "pageInfo": ["hasNextPage": false, "hasPreviousPage": false],
            ]
            #expect(rest.json?["data"]?["search"]?["transactions"] == page)
        }
    }

    @Test("by the order that a capture gave, no longer by the one before")
    func renamed() async throws {
        try await withBraintree { driver, _ in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            let input: JSON = ["transactionId": .string(payment), "transaction": ["orderId": "shipped"]]
            let reply = try await driver.mutate("captureTransaction", input, "transaction { orderId amount { value } }")
            let taken: JSON = ["orderId": "shipped", "amount": ["value": "10.00"]]
            #expect(reply.json?["data"]?["captureTransaction"]?["transaction"] == taken)
            #expect(try await driver.find(reference: "att_1")?.word == .nothing)
            #expect(try await driver.find(reference: "shipped")?.payment == payment)
        }
    }

    @Test("refunds, which have their transaction's order unless they have their own")
    func refunds() async throws {
        try await withBraintree { driver, _ in
            let payment = try #require(try await driver.hold("tok_captured")?.payment)
            let own = try #require(try await driver.refund(payment, amount: 100, reference: "back_1").payment)
            let inherited: JSON = ["transactionId": .string(payment), "refund": ["amount": "2.00"]]
            _ = try await driver.mutate("refundTransaction", inherited, "refund { id }")
            let query =
                "query ($input: RefundSearchInput!) { search { refunds(input: $input) { edges { node "
                + "{ orderId amount { value } refundedTransaction { id status } } } } } }"
            for (criteria, value) in [
                (["orderId": ["is": "back_1"]], "1.00"), (["orderId": ["is": "att_1"]], "2.00"),
                (["id": ["is": .string(own)]], "1.00"), (["amount": ["value": ["is": "2.00"]]], "2.00"),
            ] as [(JSON, JSON)] {
                let edges = try await driver.send(query, ["input": criteria]).json?["data"]?["search"]?["refunds"]?[
                    "edges"
                ]
                #expect(edges?.arrayValue?.count == 1)
                #expect(edges?[0]?["node"]?["amount"]?["value"] == value)
                let transaction: JSON = ["id": .string(payment), "status": "SETTLED"]
                #expect(edges?[0]?["node"]?["refundedTransaction"] == transaction)
            }
        }
    }

    @Test("transactions and refunds together, and by the day of their disbursement")
    func payments() async throws {
        try await withBraintree { driver, _ in
            let payment = try #require(try await driver.hold("tok_captured", reference: "att_1")?.payment)
            _ = try await driver.refund(payment, amount: 100, reference: "back_1")
            _ = try await driver.hold("tok_approve", reference: "att_2")
            let query =
                "query ($input: PaymentSearchInput!) { search { payments(input: $input) { edges { node "
                + "{ __typename ... on Transaction { disbursementDetails { date amount { value } } } } } } } }"
            let day: JSON = .string(String(Moment.text(SimulatorClock.system()).prefix(10)))
            let searches: [(JSON, Int)] = [
                (["disbursementDate": ["greaterThanOrEqualTo": "2026-01-01"]], 2), (.object([]), 3),
                (["disbursementDate": ["lessThanOrEqualTo": "2026-01-01"]], 0),
                (["disbursementDate": ["is": day], "type": ["is": "REFUND"]], 1),
                (["type": ["in": ["TRANSACTION"]]], 2),
            ]
            for (input, count) in searches {
                let reply = try await driver.send(query, ["input": input])
                let edges = reply.json?["data"]?["search"]?["payments"]?["edges"]?.arrayValue
                #expect(edges?.count == count, "\(input): \(reply.text)")
            }
            let taken = try await driver.send(query, ["input": ["id": ["is": .string(payment)]]])
            let expected: JSON = [
                "__typename": "Transaction",
                "disbursementDetails": ["date": day, "amount": ["value": "10.00"]],
            ]
            #expect(taken.json?["data"]?["search"]?["payments"]?["edges"]?[0]?["node"] == expected)
        }
    }

    @Test("by identifiers of both kinds, for the account's own only")
    func nodes() async throws {
        try await withBraintree { driver, simulator in
            let payment = try #require(try await driver.hold("tok_captured")?.payment)
            let refund = try #require(try await driver.refund(payment, amount: 100, reference: "back_1").payment)
            _ = try await simulator.act(DashboardAction(.dispute, to: .reference("att_1")))
            let query =
                "query Both($a: ID!, $b: ID!) { a: node(id: $a) { __typename ...payment } b: node(id: $b) "
                + "{ ...payment } } fragment payment on Payment { legacyId amount { value } ... on Transaction "
                + "{ disputes { id status amountDisputed { value } } } }"
            let both: JSON = ["a": .string(payment), "b": .string(refund)]
            let found = try await driver.send(query, both).json?["data"]
            #expect(found?["a"]?["__typename"] == "Transaction" && found?["a"]?["amount"]?["value"] == "10.00")
            #expect(found?["b"]?["__typename"] == nil && found?["b"]?["amount"]?["value"] == "1.00")
            let dispute = found?["a"]?["disputes"]?[0]
            #expect(dispute?["status"] == "OPEN" && dispute?["amountDisputed"]?["value"] == "9.00")
            let more =
                "query ($id: ID!, $legacy: ID!) { node(id: $id) { ... on Dispute { transaction { id } } } "
                + "idFromLegacyId(legacyId: $legacy, type: TRANSACTION) }"
            let names: JSON = ["id": .optional(dispute?["id"]), "legacy": .optional(found?["a"]?["legacyId"])]
            let last = try await driver.send(more, names).json?["data"]
            #expect(last == ["node": ["transaction": ["id": .string(payment)]], "idFromLegacyId": .string(payment)])
            var stranger = driver
            stranger.keys = "pub_other:pri_key_other"
            let alien = try await stranger.send("query ($id: ID!) { node(id: $id) { id } }", ["id": .string(payment)])
            #expect(alien.json?["errors"]?[0]?["extensions"]?["errorClass"] == "NOT_FOUND")
        }
    }
}
