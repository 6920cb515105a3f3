import PSPSimulator
import Testing

@Suite("Books of a PSP that answers before it acts")
struct LatencyTests {
    private static func change(
        _ kind: OperationKind,
        _ authorization: Authorization,
        amount: Int64? = nil,
        reference: String = "op_1",
        takesAll: Bool = true,
        isReversal: Bool = false
    ) -> Command {
        var change = ChangeCommand(kind, of: .id(authorization.id), reference: reference, amount: amount)
        change.latency = Latency(milliseconds: 50, takesAll: takesAll)
        change.isReversal = isReversal
        return .change(change)
    }

    @Test("take a capture and have it done later")
    func later() throws {
        var driver = BooksDriver()
        let held = try driver.authorized("tok_approve")
        #expect(driver.submit(Self.change(.capture, held, amount: 700), key: "c").word == "pending")
        #expect(try driver.current(held).captured == 0)
        driver.now += 50
        #expect(try driver.current(held).captured == 700)
    }

    @Test(
        "take what cannot succeed, and tell later that it failed",
        arguments: [(OperationKind.capture, Int64(1001)), (.refund, 1)]
    )
    func doomed(kind: OperationKind, amount: Int64) throws {
        var driver = BooksDriver()
        let held = try driver.authorized("tok_approve")
        #expect(driver.submit(Self.change(kind, held, amount: amount), key: "c").word == "pending")
        #expect(driver.submit(Self.change(.capture, held, amount: 1000), key: "d").word == "pending")
        driver.now += 50
        driver.books.advance(to: driver.now)
        let operations = try driver.current(held).operations
        #expect(operations.map(\.status) == [.succeeded, .failed, .succeeded])
        #expect(operations[1].refusal != nil && operations[1].decline == nil)
        #expect(driver.books.takeEvents().map(\.type).suffix(2) == ["\(kind.rawValue).failed", "capture.succeeded"])
        #expect(driver.books.violations.isEmpty)
    }

    @Test("refuse at once what a PSP refuses at once")
    func refused() throws {
        var driver = BooksDriver()
        let held = try driver.authorized("tok_approve")
        let capture = Self.change(.capture, held, amount: 1001, takesAll: false)
        #expect(driver.submit(capture, key: "c").word == "amount_too_large")
    }

    @Test("take several captures that together are not too much")
    func several() throws {
        var driver = BooksDriver()
        let held = try driver.authorized("tok_approve")
        var words: [String] = []
        for (number, amount) in [Int64(400), 600, 1].enumerated() {
            var change = ChangeCommand(.capture, of: .id(held.id), reference: "op_\(number)", amount: amount)
            change.latency = Latency(milliseconds: 50, takesAll: false)
            change.isFinal = false
            words.append(driver.submit(.change(change), key: "c\(number)").word)
        }
        #expect(words == ["pending", "pending", "amount_too_large"])
        driver.now += 50
        #expect(try driver.current(held).captured == 1000)
    }

    @Test(
        "let triggers decide what becomes of it, and when",
        arguments: [
            ("tok_approve+capture_decline_generic", [BookedOperation.Status.pending, .failed, .failed]),
            ("tok_approve+capture_pending_500", [.pending, .pending, .succeeded]),
            ("tok_approve+capture_pending_fail_500", [.pending, .pending, .failed]),
            ("tok_approve+capture_fail_later_100", [.pending, .succeeded, .failedLater]),
        ]
    )
    func triggers(token: String, statuses: [BookedOperation.Status]) throws {
        var driver = BooksDriver()
        let held = try driver.authorized(token)
        _ = driver.submit(Self.change(.capture, held, amount: 1000), key: "c")
        var seen: [BookedOperation.Status] = []
        for wait in [Int64(0), 50, 450] {
            driver.now += wait
            seen.append(try driver.current(held).operations[1].status)
        }
        #expect(seen == statuses)
    }

    @Test(
        "undo whatever there is",
        arguments: [(false, OperationKind.void, [Int64(0), 0]), (true, .refund, [1000, 1000])]
    )
    func reversal(isCaptured: Bool, kind: OperationKind, amounts: [Int64]) throws {
        var driver = BooksDriver()
        let held = try driver.authorized("tok_approve", capture: isCaptured)
        #expect(driver.submit(Self.change(.void, held, isReversal: true), key: "v").word == "pending")
        driver.now += 50
        let undone = try driver.current(held)
        #expect(undone.operations[1].kind == kind && undone.operations[1].isReversal)
        #expect([undone.captured, undone.refunded] == amounts && undone.held == 0)
    }

    @Test("know a request without a key again by its reference, and only if it was struck")
    func withoutKey() throws {
        var books = Books(instance: "test")
        let command = AuthorizeCommand(
            reference: "att_1",
            amount: 1000,
            currency: "USD",
            method: .token("tok_timeout_before")
        )
        let words = (1...3).map { time in
            books.receive(Submission(at: time, account: "shop", key: nil, command: .authorize(command))).word
        }
        #expect(words == ["nothing", "authorized", "authorized"])
        #expect(books.keptResults == 0 && books.violations.count == 1)
        #expect(books.takeEvents().allSatisfy { $0.key == nil })
    }

    @Test("keep all of it in their file")
    func file() throws {
        var change = ChangeCommand(.void, of: .reference("att_1"), reference: "op_1")
        change.metadata = ["a": "1"]
        change.details = ["b": "2"]
        change.isReversal = true
        change.latency = Latency(milliseconds: 50, takesAll: true)
        let authorize = AuthorizeCommand(
            reference: "att_1",
            amount: 1000,
            currency: "USD",
            method: .token("tok_approve"),
            details: ["c": "3"],
            identifier: "pi_1"
        )
        for command in [Command.change(change), .authorize(authorize)] {
            let entry = BooksEntry.submission(Submission(at: 1, account: "shop", key: nil, command: command))
            #expect(BooksEntry(entry.json) == entry)
        }
    }

    @Test("find a payment by the name that the PSP gave it before, and give that name once")
    func named() throws {
        var driver = BooksDriver()
        let command = AuthorizeCommand(
            reference: "att_1",
            amount: 1000,
            currency: "USD",
            method: .token("tok_approve"),
            identifier: "pi_1"
        )
        #expect(driver.submit(.authorize(command), key: "a").word == "authorized")
        #expect(driver.submit(.authorize(command), key: "b").word == "already_named")
        let found = try #require(driver.books.authorization("pi_1", of: "shop", at: driver.now))
        let capture = driver.change(.capture, found, amount: 1000, target: .id("pi_1"))
        #expect(capture.word == "succeeded")
    }
}
