import PSPSimulator
import StrictJSON
import Testing

@Suite("Every dialect", .serialized, .timeLimit(.minutes(10)))
struct TwinStoryTests {
    private static func expect(_ answer: TwinAnswer, _ word: TwinAnswer.Word, _ driver: any TwinDriver) {
        #expect(answer.word == (type(of: driver).worksLater ? .pending : word))
    }

    @Test("holds, takes a part and gives it back", arguments: Twins.names)
    func lifeOfAPayment(_ name: DialectName) async throws {
        try await withTwin(name) { driver, simulator in
            let held = try #require(try await driver.hold("tok_approve"))
            #expect(held.word == .authorized)
            let payment = try #require(held.payment)
            #expect(try await simulator.settledOnly(driver.account).held == 1000)
            Self.expect(try await driver.capture(payment, amount: 700, reference: "op_1"), .captured, driver)
            try await simulator.finishWork(driver.account)
            Self.expect(try await driver.refund(payment, amount: 200, reference: "op_2"), .refunded, driver)
            try await simulator.finishWork(driver.account)
            Self.expect(try await driver.refund(payment, amount: 500, reference: "op_3"), .refunded, driver)
            let books = try await simulator.settledOnly(driver.account)
            #expect([books.captured, books.voided, books.refunded] == [700, 300, 700])
            #expect(books.command.reference == "att_1")
        }
    }

    @Test("takes at once", arguments: Twins.names)
    func sale(_ name: DialectName) async throws {
        try await withTwin(name) { driver, simulator in
            let token = TwinCredential.token("tok_approve")
            let taken = try await driver.place(token, reference: "att_1", amount: 1000, capture: true)
            #expect([.captured, .authorized].contains(taken?.word))
            #expect(try await simulator.settledOnly(driver.account).captured == 1000)
        }
    }

    @Test("releases what it holds", arguments: Twins.names)
    func void(_ name: DialectName) async throws {
        try await withTwin(name) { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            Self.expect(try await driver.void(payment, reference: "op_1"), .voided, driver)
            let books = try await simulator.settledOnly(driver.account)
            #expect(books.status == .voided && books.held == 0)
        }
    }

    @Test("declines with a code of the PSP's", arguments: Twins.names)
    func decline(_ name: DialectName) async throws {
        try await withTwin(name) { driver, simulator in
            for code in DeclineCode.triggerable {
                let reference = "att_\(code.rawValue)"
                let answer = try await driver.hold("tok_decline_\(code.rawValue)", reference: reference)
                #expect(answer?.isDeclined == true, "\(code)")
            }
            let books = await simulator.settled(driver.account)
            #expect(books.map(\.decline) == DeclineCode.triggerable && books.allSatisfy { $0.status == .declined })
        }
    }

    @Test("takes triggers from every field that can hold one", arguments: Twins.names)
    func credentials(_ name: DialectName) async throws {
        let refused: [TwinCredential] = [
            .token("tok_decline_limit_exceeded"), .number("9999990000000008"), .wallet("tok_decline_limit_exceeded"),
        ]
        let approved: [TwinCredential] = [.number("4111111111111111"), .wallet("tok_approve")]
        try await withTwin(name) { driver, simulator in
            for (number, credential) in refused.enumerated() {
                let reference = "att_no_\(number)"
                let answer = try await driver.place(credential, reference: reference, amount: 1000, capture: false)
                #expect(answer?.isDeclined ?? true)
            }
            for (number, credential) in approved.enumerated() {
                let reference = "att_yes_\(number)"
                let answer = try await driver.place(credential, reference: reference, amount: 1000, capture: false)
                #expect((answer?.word ?? .authorized) == .authorized)
            }
            let byAmount = try await driver.hold("tok_amount", reference: "att_amount", amount: 5_008)
            #expect(byAmount?.isDeclined == true)
            let declines = await simulator.settled(driver.account).compactMap(\.decline)
            #expect(Set(declines) == [.limitExceeded] && declines.count >= 2)
        }
    }

    @Test("refuses who is not known, and what makes no sense", arguments: Twins.names)
    func refusals(_ name: DialectName) async throws {
        try await withTwin(name) { driver, simulator in
            #expect(try await driver.intrude().isRefused)
            #expect(try await driver.hold("tok_nonsense", reference: "att_1")?.isRefused == true)
            #expect(try await driver.hold("tok_reject_configuration", reference: "att_2")?.isRefused == true)
            #expect(await simulator.settled(driver.account).isEmpty)
            let payment = try #require(try await driver.hold("tok_approve", reference: "att_3")?.payment)
            _ = try await driver.capture(payment, amount: 1001, reference: "op_1")
            _ = try await driver.refund(payment, amount: 1, reference: "op_2")
            let books = try await simulator.settledOnly(driver.account)
            #expect([books.held, books.captured, books.refunded] == [1000, 0, 0])
        }
    }

    @Test("finds a payment by the caller's reference, and says so if there is none", arguments: Twins.names)
    func inquiry(_ name: DialectName) async throws {
        try await withTwin(name) { driver, _ in
            let held = try #require(try await driver.hold("tok_approve"))
            guard let found = try await driver.find(reference: "att_1") else { return }
            #expect(found.word == .authorized && found.payment == held.payment)
            #expect(try await driver.find(reference: "att_2")?.word == .nothing)
            _ = try await driver.hold("tok_approve+inquire_hidden_60000", reference: "att_3")
            #expect(try await driver.find(reference: "att_3")?.word == .nothing)
            _ = try await driver.hold("tok_approve+inquire_500_before", reference: "att_4")
            #expect(try await driver.find(reference: "att_4")?.word == .unknown)
        }
    }
}

extension RunningSimulator {
    /// Waits until nothing of the account is worked on any more.
    func finishWork(_ account: String) async throws {
        while await authorizations(of: account).contains(where: { $0.operations.contains { $0.status == .pending } }) {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

@Suite("Every dialect tells by webhook", .serialized, .timeLimit(.minutes(10)))
struct TwinWebhookTests {
    @Test("under a signature of the PSP's that nobody else can make", arguments: Twins.names)
    func signed(_ name: DialectName) async throws {
        let type = Twins.driver(name)
        let account = type.init(RawClient(port: 0)).account
        try await withReceiver(account: account, dialect: name, secret: type.secrets.right) { receiver, _, client in
            let driver = type.init(client)
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            _ = try await driver.capture(payment, amount: 1000, reference: "op_1")
            let heard = await receiver.first(1)
            for incoming in heard {
                #expect(try driver.isSigned(incoming, with: type.secrets.right))
                #expect(try !driver.isSigned(incoming, with: type.secrets.wrong))
            }
        }
    }

    @Test("again until it is acknowledged", arguments: Twins.names)
    func repeated(_ name: DialectName) async throws {
        let type = Twins.driver(name)
        let account = type.init(RawClient(port: 0)).account
        let replies = [500, 503, 200]
        try await withReceiver(replies: replies, account: account, dialect: name, secret: type.secrets.right) {
            receiver,
            _,
            client in
            let driver = type.init(client)
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            _ = try await driver.capture(payment, amount: 1000, reference: "op_1")
            let heard = await receiver.first(3)
            let words = try heard.prefix(3).map(driver.words)
            #expect(Set(words).count == 1)
        }
    }
}
