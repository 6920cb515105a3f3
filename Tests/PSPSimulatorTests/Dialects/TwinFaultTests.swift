import PSPSimulator
import Testing

@Suite("Every dialect loses, breaks and repeats answers", .serialized, .timeLimit(.minutes(10)))
struct TwinFaultTests {
    /// A fault, whether it acts, and what comes back: nothing, a 500, half of an answer or two of them.
    static let faults: [(name: String, acts: Bool, answers: Int?)] = [
        ("timeout_before", false, nil), ("timeout_after", true, nil), ("500_before", false, 500),
        ("500_after", true, 500), ("close_before", false, nil), ("close_after", true, nil),
    ]

    @Test(
        "and a caller who asks again finds out what happened",
        arguments: Twins.names.flatMap { name in
            // Two keep other results under a key than what was done: see below.
            faults.filter { $0.name != "500_after" || ![.stripe, .checkout].contains(name) }.map { (name, $0) }
        }
    )
    func recovery(_ name: DialectName, _ fault: (name: String, acts: Bool, answers: Int?)) async throws {
        try await withTwin(name) { driver, simulator in
            let token = "tok_approve+authorize_\(fault.name)+capture_\(fault.name)"
            let first = try #require(try await driver.hold(token))
            #expect(first.word == .unknown && first.reply.status == fault.answers)
            #expect(await simulator.settled(driver.account).count == (fault.acts ? 1 : 0))
            if !fault.acts || type(of: driver).hasKeys {
                let again = try #require(try await driver.hold(token))
                #expect(again.word == .authorized)
            }
            let books = try await simulator.settledOnly(driver.account)
            #expect(books.held == 1000)
            if let found = try await driver.find(reference: "att_1") { #expect(found.word == .authorized) }
        }
    }

    @Test("and Stripe answers 500 again what it did and answered 500, for a day")
    func keptError() async throws {
        try await withTwin(.stripe) { driver, simulator in
            for _ in 1...2 {
                let answer = try #require(try await driver.hold("tok_500_after"))
                #expect(answer.word == .unknown && answer.reply.status == 500)
            }
            #expect(try await simulator.settledOnly(driver.account).held == 1000)
        }
    }

    @Test("and Checkout.com does again what it did and answered 500")
    func forgottenError() async throws {
        try await withSimulator(dialect: .checkout) { simulator, client in
            let driver = CheckoutDriver(client)
            let token = TwinCredential.token("tok_approve+refund_500_after")
            let sale = try await driver.place(token, reference: "att_1", amount: 1000, capture: true)
            let payment = try #require(sale?.payment)
            for expected in [300, 600] as [Int64] {
                #expect(try await driver.refund(payment, amount: 300, reference: "op_2").word == .unknown)
                #expect(try await simulator.settledOnly(driver.account).refunded == expected)
            }
        }
    }

    @Test("and a capture that was lost is done once", arguments: Twins.names)
    func lostCapture(_ name: DialectName) async throws {
        try await withTwin(name) { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve+capture_timeout_after")?.payment)
            #expect(try await driver.capture(payment, amount: 600, reference: "op_1").word == .unknown)
            #expect(try await simulator.settledOnly(driver.account).captured == 600)
            guard type(of: driver).hasKeys else { return }
            let again = try await driver.capture(payment, amount: 600, reference: "op_1")
            #expect(again.word == (type(of: driver).worksLater ? .pending : .captured))
            #expect(try await simulator.settledOnly(driver.account).operations.count == 2)
        }
    }

    @Test("and half an answer is none, and two are one", arguments: Twins.names)
    func mangled(_ name: DialectName) async throws {
        try await withTwin(name) { driver, simulator in
            let half = try #require(try await driver.hold("tok_malformed", reference: "att_1"))
            #expect(half.word == .unknown && !half.reply.body.isEmpty)
            let twice = try #require(try await driver.hold("tok_duplicate", reference: "att_2"))
            #expect(twice.reply.text.components(separatedBy: "HTTP/1.1 ").count == 3)
            #expect(await simulator.settled(driver.account).map(\.held) == [1000, 1000])
        }
    }

    @Test("and a key is of one request only", arguments: Twins.names.filter { Twins.driver($0).hasKeys })
    func keys(_ name: DialectName) async throws {
        try await withTwin(name) { driver, simulator in
            let first = try #require(try await driver.hold("tok_approve"))
            let again = try #require(try await driver.hold("tok_approve"))
            #expect(again.word == first.word && again.payment == first.payment)
            #expect(try await driver.hold("tok_approve", amount: 1001)?.isRefused == true)
            #expect(await simulator.settled(driver.account).count == 1)
        }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
