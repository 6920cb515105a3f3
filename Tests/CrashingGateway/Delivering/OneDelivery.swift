import Callbacks
import CurlTransport
import Domain
import Foundation
import Gateway
import Logging
import SQL
import Storage
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
        let transport = CurlTransport()
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
