import Callbacks
import Domain
import Foundation
import Gateway
import HTTPTransport
import Logging
import SQL
import Storage
import StrictJSON
import Wiring

/// A deliverer that takes one endpoint in hand at a time and sends one callback at a time, so that what it comes by is
/// the same in every run; or one as a server has it, which goes on until it is killed.
struct OneDelivery {
    /// So that a round ends long before its lease does.
    private static let roundShare: Int64 = 4

    private let instructions: DeliveryInstructions
    private let database: any Database
    private let trap: Trap

    /// Nothing is encrypted here.
    private struct NoKeyring: Error {}

    init(_ instructions: DeliveryInstructions) throws {
        self.instructions = instructions
        trap = Trap(instructions.moment, number: instructions.number)
        database = try OpenedDatabase.open(instructions.database)
    }

    /// Delivers; says on standard error that it does.
    func run() async throws {
        let transport = HTTPTransport()
        let clock = AdvancedClock(
            base: try await DatabaseClock(database),
            milliseconds: instructions.aheadMilliseconds
        )
        let sender = CurlCallbackSender(transport, allowsLoopback: true)
        let deliverer = CallbackDeliverer(
            CallbackDeliverer.Ports(
                database: TrappedDatabase(base: database, trap: trap),
                sender: TrappedCallbackSender(base: sender, trap: trap),
                secrets: SecretStore(
                    seal: { _, _ in throw NoKeyring() },
                    open: { [secret = instructions.secret] _, _ in secret }
                ),
                now: { clock.now() },
                logger: Logger(label: "crashing") { StreamLogHandler.standardError(label: $0) }
            ),
            settings: settings,
            instance: instructions.instance
        )
        FileHandle.standardError.write(Data("delivering\n".utf8))
        if instructions.goesOn {
            await deliverer.run()
        } else {
            while await deliverer.beat() > 0 {}
        }
        await transport.stop()
    }

    private var settings: DeliverySettings {
        var settings = DeliverySettings()
        settings.leaseMilliseconds = instructions.leaseMilliseconds
        settings.roundMilliseconds = instructions.leaseMilliseconds / Self.roundShare
        settings.pollMilliseconds = 20
        settings.glanceMilliseconds = 1
        guard !instructions.goesOn else { return settings }
        settings.healthyEndpoints = 1
        settings.failingEndpoints = 1
        settings.requestsPerEndpoint = 1
        return settings
    }
}

/// What the program is told to do when it is to deliver callbacks.
struct DeliveryInstructions {
    /// Where the outbox is: `sqlite:PATH` or `postgres://…`.
    var database: String
    /// A name no other instance has.
    var instance: String
    /// What callbacks are signed with.
    var secret: Secret
    /// How far its clock is ahead of the database's, in milliseconds.
    var aheadMilliseconds: Int64
    /// How long a round keeps its endpoint to itself, in milliseconds.
    var leaseMilliseconds: Int64
    /// Whether it goes on until it is killed, instead of ending once nothing is due.
    var goesOn: Bool
    /// Where it dies, if it does.
    var moment: Trap.Moment?
    /// The how manieth place of that kind it dies at.
    var number: Int

    /// Reads the document.
    ///
    /// - Throws: `JSONRefusal` or `InvalidDocument`.
    init(text: String) throws { self = try JSON.parse(text: text).read { DeliveryInstructions($0) } }

    private init?(_ body: ObjectReader) {
        let database = body.string("database", length: 1...1000)
        let instance = body.string("instance")
        let secret = body.string("secret")
        let ahead = body.integer("ahead_ms", in: 0...86_400_000)
        let lease = body.integer("lease_ms", in: 1...86_400_000)
        let goesOn = body.bool("goes_on")
        let moment = body.choice("die_at", .optional, of: Trap.Moment.self)
        let number = body.integer("die_at_number", .optional, in: 1...1000)
        guard let database, let instance, let secret, let ahead, let lease, let goesOn else { return nil }
        self.database = database
        self.instance = instance
        self.secret = Secret(secret)
        aheadMilliseconds = ahead
        leaseMilliseconds = lease
        self.goesOn = goesOn
        self.moment = moment
        self.number = Int(number ?? 1)
    }
}

/// A way to endpoints with a trap before it and one behind it.
struct TrappedCallbackSender: CallbackSender {
    let base: any CallbackSender
    let trap: Trap

    func send(_ request: CallbackRequest) async -> CallbackReply {
        trap.pass(.beforeSend)
        let reply = await base.send(request)
        trap.pass(.afterSend)
        return reply
    }

    func refusal(of url: String) -> String? { base.refusal(of: url) }
}
