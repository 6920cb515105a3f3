import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Orders that are copied to fill a database", .timeLimit(.minutes(10)))
struct MeasuredTemplateTests {
    private static let digits = "01m84dh8sqe6zav7h1961j8098"

    @Test("an identifier becomes what all copies have and the copy's number, wherever it stands")
    func parts() {
        let document = #"{"operation":"op_\#(Self.digits)","psp":"au_att_\#(Self.digits)"}"#
        let (stem, tail) = ("01m84dh8sqe6", "61j8098")
        #expect(
            MeasuredTemplate.parts(of: document) == [
                .literal(#"{"operation":"op_\#(stem)"#), .orderCode, .literal(#"\#(tail)","psp":"au_att_\#(stem)"#),
                .orderCode, .literal(#"\#(tail)"}"#),
            ]
        )
        #expect(
            MeasuredTemplate.parts(of: "merchant/mer_\(Self.digits)/payable") == [
                .literal("merchant/mer_\(stem)"), .merchantCode, .literal("\(tail)/payable"),
            ]
        )
        #expect(
            MeasuredTemplate.identifiers(in: document) == ["op_\(Self.digits)", "att_\(Self.digits)"].map { $0[...] }
        )
    }

    @Test(
        "what is no identifier stays as it is",
        arguments: [
            "", "paid", "bench-z59bjgmbagui", "ord_01m84dh8sqe6zav7h1961j809", "ord_01m84dh8sqe6zav7h1961j80980",
            "ord_01m84dh8sqe6zav7h1961j8098x", "ord_01m84dh8sqe6zav7h1961j809u", "ORD_01m84dh8sqe6zav7h1961j8098",
            "_01m84dh8sqe6zav7h1961j8098", "Zürich ✈︎",
        ]
    )
    func literals(text: String) {
        #expect(MeasuredTemplate.parts(of: text) == [.literal(text)])
        #expect(MeasuredTemplate.identifiers(in: text).isEmpty)
    }

    @Test("numbers make identifiers that are read again, in the order of the numbers")
    func codes() throws {
        let text = "ord_\(Self.digits)"
        let copies = try [0, 1, 31, 32, 1_000_000, 999_999_999].map { number in
            try #require(OrderID(MeasuredTemplate.identifier(text, number)))
        }
        #expect(copies == copies.sorted())
        #expect(Set(copies).count == copies.count)
        #expect(MeasuredTemplate.code(33) == "0000011")
        #expect(MeasuredTemplate.identifier(text, 33) == "ord_01m84dh8sqe6000001161j8098")
    }

    @Test("a value becomes an expression: times move, bytes stay bytes, other types are cast")
    func expressions() {
        let values: [(SQLValue, String, String)] = [
            (.null, "text", "NULL"), (.null, "boolean", "NULL"), (.integer(1000), "bigint", "1000"),
            (.integer(1_795_444_745_015_057), "bigint", "s.later + 1795444745015057"),
            (.text("it's"), "text", "'it''s'"), (.text("true"), "boolean", "CAST('true' AS boolean)"),
            (.text("ord_\(Self.digits)"), "text", "'ord_01m84dh8sqe6' || s.code || '61j8098'"),
            (
                .bytes(Array("a mer_\(Self.digits)".utf8)), "bytea",
                "convert_to('a mer_01m84dh8sqe6' || s.merchant || '61j8098', 'UTF8')"
            ),
            (.bytes([0xFF, 0x00, 0x0A]), "bytea", "CAST('\\xff000a' AS bytea)"),
        ]
        for (value, type, expression) in values {
            #expect(MeasuredTemplate.expression(for: value, type: type) == expression)
        }
    }

    @Test("identifiers that would become one are refused")
    func ambiguity() {
        let column = MeasuredTemplate.Column(name: "id", type: "text")
        func template(_ ids: [String]) throws -> MeasuredTemplate {
            try MeasuredTemplate([
                MeasuredTemplate.Table(name: "payment", columns: [column], rows: ids.map { [.text($0)] })
            ])
        }
        let other = "pay_01m84dh8sqe6111111161j8098"
        #expect(throws: SQLError.self) { try template(["pay_\(Self.digits)", other]) }
        #expect(throws: Never.self) { try template(["pay_\(Self.digits)", "att_01m84dh8sqe6111111161j8098"]) }
    }

    @Test("copies are orders of their own, which are found and read as those that were placed")
    func copies() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { database in
            var sample = OrderSample()
            let name: OrderID = sample.make()
            let order = try sample.order(["airline", "hotel"], reference: "order-\(name.text)")
            let other = try sample.order(reference: "other")
            let growth = MeasuredGrowth(orders: 1000, merchants: 3)
            let template = try await database.write { [order, other] session in
                for order in [order, other] { try OrderWriter.insert(order, .init(), wakeAt: nil, in: session) }
                return try MeasuredTemplate.read(of: order.id.text, in: session)
            }
            try await database.write { try growth.copyOrders([template, template], 0..<7, in: $0) }
            let found = try await database.read { session in
                try OrderSearch.list(.init(marketplace: "travel"), limit: 100, in: session)
            }
            let ids = (0..<7).map { MeasuredTemplate.identifier(order.id.text, $0) }
            let copies = found.filter { ids.contains($0.id.text) }
            #expect(found.count == 9)
            #expect(copies.map(\.id.text) == ids.reversed())
            #expect(Set(copies.compactMap(\.reference)).count == 7)
            #expect(Set(copies.map { $0.payments[0].merchant }).count == 3)
            for copy in copies {
                let number = try #require(ids.firstIndex(of: copy.id.text))
                #expect(copy.createdAt == growth.time(of: Int64(number), after: order.createdAt))
                #expect(copy.metadata == order.metadata)
                #expect(copy.payments.map(\.externalIdentifier) == ["airline", "hotel"])
            }
        }
    }

    @Test("statements are explained as they run, and answer what they answer")
    func plans() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { database in
            var sample = OrderSample()
            let order = try sample.order(reference: "a")
            let plans = try await database.write { [order] session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                let explaining = ExplainingSession(session)
                let found = try OrderSearch.live(reference: "a", of: "travel", in: explaining)
                #expect(found == order.id)
                return explaining.plans
            }
            #expect(plans.count == 1)
            #expect(plans.allSatisfy { $0.contains("Execution Time") })
        }
    }

    @Test("a plan that reads a large table whole is noticed, alone and in parallel")
    func scans() {
        let plan = """
            Nested Loop  (cost=0.00..1.00 rows=1 width=8)
              ->  Parallel Seq Scan on orders o  (cost=0.00..1.00 rows=1 width=8)
              ->  Index Scan using payment_pkey on payment  (cost=0.00..1.00 rows=1 width=8)
              ->  Seq Scan on merchant  (cost=0.00..1.00 rows=1 width=8)
            """
        #expect(MeasuredPlans.sequentialScans(in: plan, of: ["orders", "payment"]) == ["orders"])
        #expect(MeasuredPlans.sequentialScans(in: plan, of: ["payment"]).isEmpty)
    }

    @Test(
        "sizes are read in ascending order, each once",
        arguments: [
            ("10000", [10_000]), ("1000000,10000", [10_000, 1_000_000]), ("5,5", [5]), ("1000000000", [1_000_000_000]),
        ]
    )
    func sizes(text: String, sizes: [Int64]) { #expect(MeasuredGrowth.sizes(text) == sizes) }

    @Test("what is no list of sizes is refused", arguments: ["", "0", "-1", "+1", "1,", "1 000", "ten", "1000000001"])
    func noSizes(text: String) { #expect(MeasuredGrowth.sizes(text) == nil) }
}
