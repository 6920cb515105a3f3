import PSPSimulator
import Testing

@Suite("Every dialect tells by webhook", .serialized, .timeLimit(.minutes(1)))
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
