import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("What files have to confirm", .timeLimit(.minutes(10)))
struct ExpectationTests {
    /// What an expectation is about, in words.
    static func words(_ expectation: Domain.Expectation) -> String {
        let commission = expectation.commission.map { " of which \($0)" } ?? ""
        let voided = expectation.isVoided ? " voided" : ""
        return "\(expectation.kind.rawValue) \(expectation.amount)\(commission)\(voided)"
    }

    @Test(
        "is every effect, gross, whoever is settled",
        arguments: DatabaseEngine.allCases,
        [
            ("airline", "sim-a", ["payment 10000", "refund -3000"]),
            ("hotel", "sim-b", ["payment 10000 of which 500", "refund -3000 of which -150"]),
            ("taxi", "sim-c", ["payment 10000", "refund -3000"]),
        ]
    )
    func effects(
        _ engine: DatabaseEngine,
        _ example: (merchant: String, account: String, words: [String])
    )
        async throws
    {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.sell(example.merchant, 10_000, as: "p1")
            let soldAt = shop.now
            order = try await shop.refund(order, 3_000, as: "p1")
            order = try await shop.dispute(order, .opened, 2_000)
            order = try await shop.dispute(order, .won, 2_000)
            let all = try await shop.expectations(of: example.account)
            let words = example.words + ["chargeback -2000", "chargeback_reversal 2000"]
            #expect(all.map(Self.words) == words)
            #expect(all.map(\.at) == all.map(\.at).sorted())
            #expect(all[0].at == soldAt)
            #expect(all.allSatisfy { $0.attempt == order.payments[0].attempt.id && $0.paymentReference == "p1" })
            #expect(all.map(\.objectReference) == ["p1-capture-10000", "p1-refund-3000", "dp_1", "dp_1"])
            #expect(all.allSatisfy { $0.merchant == order.payments[0].merchant && $0.psp == "simulator" })
            let others = ["sim-a", "sim-b", "sim-c"].filter { $0 != example.account }
            for other in others { #expect(try await shop.expectations(of: other) == []) }
        }
    }

    @Test(
        "is what a dispute took and gave back, also if nothing was heard of it before it was won",
        arguments: DatabaseEngine.allCases,
        [[DisputeNotice.State.won], [.won, .opened], [.won, .won]]
    )
    func wonUnheard(_ engine: DatabaseEngine, _ states: [DisputeNotice.State]) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.sell("airline", 10_000, as: "p1")
            for state in states { order = try await shop.dispute(order, state, 2_000) }
            let all = try await shop.expectations(of: "sim-a")
            #expect(all.map(Self.words) == ["payment 10000", "chargeback -2000", "chargeback_reversal 2000"])
            #expect(all.dropFirst().map(\.objectReference) == ["dp_1", "dp_1"])
            let audit = LedgerAudit(of: "travel")
            for part in LedgerAudit.Part.allCases {
                let page = try await database.read { try audit.page(part, after: nil, in: $0) }
                #expect(page.findings.isEmpty, "\(part): \(page.findings)")
            }
        }
    }

    @Test(
        "is nothing that has to be of what failed after all or was voided, of which a PSP may report both or neither",
        arguments: DatabaseEngine.allCases
    )
    func undone(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let failed = try await shop.sell("airline", 10_000, as: "p1")
            let rejection = Rejection(.unsupported, code: "r", message: "It came back.")
            let about = Notice.Subject(attempt: failed.payments[0].attempt.id.text, object: "p1-capture-10000")
            _ = try await shop.step(failed) { machine in
                let isHeard = machine.hear(Notice(about: about, .reversed(.capture, rejection)))
                #expect(isHeard)
            }
            var voided = try await shop.sell("airline", 5_000, as: "p2")
            voided = try await shop.step(voided) { _ = try $0.refund(RefundRequest(.all)) }
            let asked = try #require(voided.payments[0].attempt.operations.last)
            voided = try await shop.step(voided) { machine in
                let tooEarly = Rejection(.notSettledYet, code: "e", message: "It has not settled.")
                machine.hear(Report(operation: asked.id, outcome: .rejected(tooEarly)))
            }
            voided = try await shop.answer(voided, "p2")
            #expect(voided.payments[0].attempt.operations.map(\.kind) == [.authorize, .capture, .refund, .reverse])
            let all = try await shop.expectations(of: "sim-a")
            #expect(
                all.map(Self.words) == [
                    "payment 10000 voided", "payment -10000 voided", "payment 5000 voided", "refund -5000 voided",
                ]
            )
        }
    }

    @Test(
        "is of a second authorization what the attempt's name stands by at the PSP that made it",
        arguments: DatabaseEngine.allCases
    )
    func second(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.hold("airline", 10_000, as: "p1")
            let attempt = order.payments[0].attempt
            var taken = Success(reference: "p2", amount: 10_000)
            taken.capturedAmount = 10_000
            let second = Notice(
                about: .init(attempt: attempt.id.text, payment: "p2"),
                .outcome(.authorize, .succeeded(taken))
            )
            order = try await shop.step(order) { $0.adoptSecondAuthorization(second, of: attempt) }
            #expect(order.payments[0].attempts.map(\.captured) == [0, 10_000])
            let all = try await shop.expectations(of: "sim-a")
            #expect(all.map(Self.words) == ["payment 10000"])
            #expect(all.map(\.attempt) == [attempt.id] && all.map(\.paymentReference) == ["p2"])
        }
    }

    @Test("comes in pages, in one order, of one time", arguments: DatabaseEngine.allCases)
    func pages(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            for number in 0..<4 {
                var order = try await shop.sell("airline", 1_000 + Int64(number), as: "p\(number)")
                order = try await shop.dispute(order, .opened, 500)
                _ = try await shop.refund(order, 100, as: "p\(number)")
            }
            let all = try await shop.expectations(of: "sim-a")
            #expect(all.count == 12)
            for limit in [1, 2, 5, 12] {
                let scope = ExpectationScope(marketplace: "travel", pspAccount: "sim-a")
                var (paged, last): ([Domain.Expectation], ExpectationTable.Place?) = ([], nil)
                repeat {
                    let place = last
                    let page = try await database.read {
                        try ExpectationTable.page(scope, after: place, limit: limit, in: $0)
                    }
                    #expect(page.expectations.count <= 2 * limit)
                    paged += page.expectations
                    last = page.last
                } while last != nil
                #expect(paged == all)
            }
            let (from, to) = (all[3].at, all[7].at)
            let scope = ExpectationScope(marketplace: "travel", pspAccount: "sim-a", from: from, to: to)
            let part = try await database.read {
                try ExpectationTable.page(scope, after: nil, limit: 100, in: $0).expectations
            }
            #expect(part == Array(all[3..<7]))
            let other = ExpectationScope(marketplace: "other", pspAccount: "sim-a")
            let none = try await database.read {
                try ExpectationTable.page(other, after: nil, limit: 100, in: $0).expectations
            }
            #expect(none == [])
        }
    }

    @Test("is read by index alone", arguments: DatabaseEngine.allCases)
    func plans(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            let scope = ExpectationScope(marketplace: "travel", pspAccount: "sim-a")
            let questions = [
                ("effect_posted", ExpectationTable.operations(scope, after: nil, limit: 100)),
                (
                    "effect_withdrawn",
                    UnmatchedTable.reopened(of: "sim-a", marketplace: "travel", before: scope.to, limit: 100)
                ),
                ("journal_entry_disputed", ExpectationTable.disputes(scope, after: nil, limit: 100, database.dialect)),
            ]
            for (index, question) in questions {
                let plan = try await database.write { session in
                    if session.dialect == .sqlite {
                        return try session.rows("EXPLAIN QUERY PLAN \(question)").map { try $0.text("detail") }
                            .joined(separator: "\n")
                    }
                    try session.run("SET LOCAL enable_seqscan = off")
                    return try session.rows("EXPLAIN \(question)").map { try $0.text("QUERY PLAN") }
                        .joined(separator: "\n")
                }
                #expect(plan.contains(index), "\(plan)")
                // The effects that a page looks at are no table, nor are the postings in an entry's document.
                let scans = plan.split(separator: "\n").filter { line in
                    line.contains("Seq Scan")
                        || (line.contains("SCAN ") && !line.hasSuffix("SCAN o") && !line.hasSuffix("SCAN e")
                            && !line.contains("VIRTUAL TABLE"))
                }
                #expect(scans.isEmpty, "\(plan)")
            }
        }
    }

    @Test("a payment is known by each of its names, in its marketplace alone", arguments: DatabaseEngine.allCases)
    func known(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let order = try await shop.dispute(try await shop.sell("airline", 10_000, as: "p1"), .opened, 100)
            let payment = order.payments[0]
            let capture = try #require(payment.attempt.operations.last)
            let names = [
                payment.attempt.id.text, payment.id.text, order.id.text, "p1", "part airline", capture.id.text,
                "p1-capture-10000", "dp_1",
            ]
            let found = try await database.read { session in
                try PaymentCandidateTable.find(names + ["unknown", "p1"], of: "travel", in: session)
            }
            #expect(found.map(\.reference) == names.sorted())
            let expected = PaymentMatchCandidate(
                reference: "p1",
                order: order.id,
                payment: payment.id,
                attempt: payment.attempt.id,
                merchant: payment.merchant,
                pspAccount: "sim-a",
                status: payment.state.rawValue
            )
            #expect(found.first { $0.reference == "p1" } == expected)
            let none = try await database.read { try PaymentCandidateTable.find(names, of: "other", in: $0) }
            #expect(none == [])
        }
    }
}
