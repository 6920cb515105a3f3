import Domain
import PSPSimulator
import SQL
import StrictJSON
import Testing
import TributaryTestKit

/// Where an order's money went, said by the program and counted by hand.
@Suite("The proof of an order by command", .timeLimit(.minutes(10)))
struct OrderProofCommandTests {
    /// The equations of a proof, by step and subject.
    private static func equations(_ json: JSON, _ step: String, _ subject: String? = nil) -> [JSON] {
        (json["equations"]?.arrayValue ?? []).filter { equation in
            equation["step"]?.stringValue == step
                && (subject == nil || equation["subject"]?.stringValue == subject)
        }
    }

    private static func sum(_ equation: JSON) -> Int64 {
        (equation["right"]?.arrayValue ?? []).reduce(0) { $0 + ($1["amount"]?.integerValue ?? 0) }
    }

    @Test(
        "agrees to the last equation in a clean month, and with what is counted by hand",
        arguments: DatabaseEngine.allCases
    )
    func clean(_ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            #expect(try await place.reconcile(place.writeMonth()).status == 0)
            for name in ["order-0", "order-1", "order-4", "order-6", "order-8", SettledBooks.canceled] {
                let json = try await place.work.json("orders", "proof", name)
                #expect(json["agrees"] == true, "\(name)")
                #expect(json["breaks"] == [])
                for equation in json["equations"]?.arrayValue ?? [] {
                    let agrees = Self.sum(equation) == equation["left"]?["amount"]?.integerValue
                    #expect(equation["verdict"] == (agrees ? "agrees" : "waiting"), "\(name): \(equation)")
                    // Merchants are not paid yet; nothing else waits.
                    #expect(agrees || equation["step"] == "payout", "\(name): \(equation)")
                }
                try Self.count(json, try #require(place.books.orders[name]), place.books)
            }
        }
    }

    /// Compares the figures with those of the lines that the files were written from.
    private static func count(_ json: JSON, _ order: Order, _ books: SettledBooks) throws {
        for psp in SettledPSP.allCases {
            let payment = try #require(order.payments.first { $0.externalIdentifier == psp.merchant })
            let lines = books.lines(at: psp).filter {
                $0.payment == payment.attempt.pspReference && $0.kind != .commission
            }
            let report = try #require(equations(json, "report", psp.merchant).first)
            #expect(report["left"]?["amount"]?.integerValue == lines.reduce(0) { $0 + $1.amount }, "\(psp)")
            #expect(report["right"]?.arrayValue?.count == lines.count, "\(psp)")
            let postings = try #require(equations(json, "postings", psp.merchant).first)
            #expect(sum(postings) == lines.reduce(0) { $0 + $1.amount }, "\(psp)")
        }
        let total = try #require(equations(json, "split").first?["left"]?["amount"]?.integerValue)
        #expect(total == order.payments.reduce(0) { $0 + $1.amount })
        let banked = equations(json, "bank").compactMap { $0["left"]?["amount"]?.integerValue }.sorted()
        let paid = SettledPSP.allCases.filter(\.tellsPayouts).map { PSPReport($0, books).paidOut }.sorted()
        #expect(banked == (order.captured > 0 ? paid : []))
    }

    @Test("differs while a break is open, and says what became of one", arguments: DatabaseEngine.allCases)
    func broken(_ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            var files = MonthFiles(.stripe, place.books)
            try files.resell("order-0") { $0 + 50 }
            let names = [try place.write(files.report), try place.write(files.statement)]
            let (_, found) = try await place.reconciled(names)
            let id = try #require(found["breaks"]?[0]?["id"]?.stringValue)
            func proof() async throws -> (status: Int32, json: JSON) {
                let finished = try await place.work.run("orders", "proof", "order-0", "--format", "json")
                return (finished.status, try JSON.parse(Array(finished.out.utf8)))
            }
            for state in ["open", "investigating"] {
                if state != "open" {
                    let looked = ["breaks", "resolve", id, "--as", state, "--reason", "asked"]
                    #expect(try await place.work.run(looked).status == 0)
                }
                let open = try await proof()
                #expect(open.status == 1 && open.json["agrees"] == false)
                #expect(open.json["breaks"]?[0]?["state"]?.stringValue == state)
                #expect(open.json["breaks"]?[0]?["verdict"] == "differs")
            }
            let page = try await place.work.run("orders", "proof", "order-0")
            #expect(page.out.contains("\n≠ \(id) amount_mismatch, investigating\n"), "\(page.out)")
            #expect(page.out.hasSuffix(" 1 differs\n"), "\(page.out)")

            let key = try await place.work.json("keys", "create", "--scope", "adjuster")["key"]?.stringValue
            try place.work.write(try #require(key), to: "adjuster.key")
            let accept = [
                "breaks", "resolve", id, "--as", "written_off", "--reason", "small", "--key",
                "file:\(place.work.path("adjuster.key"))",
            ]
            #expect(try await place.work.run(accept).status == 0)
            let accepted = try await proof()
            #expect(accepted.status == 0)
            #expect(accepted.json["breaks"]?[0]?["state"] == "written_off")
            #expect(accepted.json["breaks"]?[0]?["verdict"] == .some(.null))
            let after = try await place.work.run("orders", "proof", "order-0")
            #expect(after.status == 0 && after.out.contains("\n\(id) amount_mismatch, written off\n"), "\(after.out)")
            #expect(after.out.hasSuffix(" 0 differs\n"), "\(after.out)")
        }
    }

    private struct Change: Sendable {
        let step: String
        var subject: String? = SettledPSP.stripe.merchant
        /// What the command exits with: 1 if files differ from us, 4 if our own rows differ from each other.
        let status: Int32
        /// Takes so many minor units away from a figure.
        let statement: @Sendable (_ less: Int64, Order, Payment) throws -> SQL
    }

    /// The journal is last: what keeps it from being changed is gone then.
    private static let changes: [Change] = [
        Change(step: "split", subject: nil, status: 4) { less, order, _ in
            """
            UPDATE orders SET amount = amount - \(less), payable = payable - \(less) WHERE id = \(order.id)
            """
        },
        Change(step: "allocation", status: 4) { less, _, payment in
            let line = payment.allocation[0]
            return replace("\"\(line.party)\",", line.amount, less, in: "allocation", of: payment)
        },
        Change(step: "operations", status: 4) { less, order, payment in
            let authorization = payment.attempt.authorization
            return StoredOperation.change(authorization.id, of: order) {
                if less > 0 {
                    $0[StoredOperation.more] = ["done_amount": .integer(authorization.doneAmount - less)]
                }
            }
        },
        Change(step: "drawdown", status: 4) { less, _, payment in
            replace("[[", payment.allocation[0].captured, less, in: "allocation_moved", of: payment)
        },
        Change(step: "report", status: 1) { less, _, payment in
            let gross = payment.captured - max(less, 0)
            let net = gross - 25 - payment.captured / 40
            return """
                UPDATE settlement_line SET gross = \(gross.dollars + " USD"), net = \(net.dollars + " USD")
                    WHERE attempt_id = \(payment.attempt.id) AND kind = 'payment'
                """
        },
        Change(step: "line", subject: nil, status: 1) { less, _, payment in
            let net = payment.captured - 25 - payment.captured / 40 - max(less, 0)
            return """
                UPDATE settlement_line SET net = \(net.dollars + " USD")
                    WHERE attempt_id = \(payment.attempt.id) AND kind = 'payment'
                """
        },
        Change(step: "bank", subject: "batch POSTRIPE", status: 1) { less, _, _ in
            "UPDATE bank_entry SET units = units - \(less) WHERE reference = 'POSTRIPE'"
        },
        Change(step: "postings", status: 4) { less, _, payment in
            let account = "[\"psp/stripe-main/clearing\",\"merchant/\(payment.merchant)/payable\","
            let amount = payment.allocation[0].captured
            return """
                UPDATE journal_entry
                SET postings = REPLACE(postings, \(account + "\(amount)]"), \(account + "\(amount - less)]"))
                WHERE payment_id = \(payment.id) AND kind = 'capture'
                """
        },
    ]

    /// Takes from a figure of the first allocation line, or puts it back; `start` is what stands before the figure.
    private static func replace(
        _ start: String,
        _ amount: Int64,
        _ less: Int64,
        in column: String,
        of payment: Payment
    ) -> SQL {
        let (right, wrong) = ("\(start)\(amount)", "\(start)\(amount - abs(less))")
        let (old, new) = less > 0 ? (right, wrong) : (wrong, right)
        let column: SQL = "\(unsafeText: column)"
        return "UPDATE payment SET \(column) = REPLACE(\(column), \(old), \(new)) WHERE id = \(payment.id)"
    }

    @Test("disagrees where a row was changed behind its back, and nowhere else", arguments: DatabaseEngine.allCases)
    func changed(_ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            #expect(try await place.reconcile(place.writeMonth()).status == 0)
            let order = try #require(place.books.orders["order-0"])
            let payment = try #require(order.payments.first { $0.externalIdentifier == "at-stripe" })
            for change in Self.changes {
                let isJournal = change.step == "postings"
                let count = try await place.change(change.statement(1, order, payment), ofJournal: isJournal)
                try #require(count == 1, "\(change.step)")
                let finished = try await place.work.run("orders", "proof", "order-0", "--format", "json")
                #expect(finished.status == change.status, "\(change.step): \(finished.err)")
                let json = try JSON.parse(Array(finished.out.utf8))
                let differing = (json["equations"]?.arrayValue ?? []).filter { $0["verdict"] == "differs" }
                #expect(differing.map { $0["step"]?.stringValue } == [change.step], "\(differing)")
                if let subject = change.subject { #expect(differing.first?["subject"]?.stringValue == subject) }
                #expect(json["agrees"] == false)
                if !isJournal { _ = try await place.change(change.statement(-1, order, payment)) }
            }
            let table = try await place.work.run("orders", "proof", order.id.text)
            #expect(table.status == 4)
            #expect(table.out.split(separator: "\n").filter { $0.hasPrefix("≠ ") } == ["≠ postings at-stripe"])
        }
    }
}
