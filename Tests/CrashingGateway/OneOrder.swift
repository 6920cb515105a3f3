import CurlTransport
import Domain
import Foundation
import Gateway
import HTTPAPI
import Keyring
import Logging
import SQL
import Storage
import Wiring

/// A whole gateway that drives one order until it is at rest.
struct OneOrder {
    private static let marketplace = "bazaar"
    /// Every instance has the same; a test has nothing to hide.
    private static let key = Secret(String(repeating: "5a", count: Keyring.keyLength))
    private static let lookPause = Duration.milliseconds(10)

    private let instructions: Instructions
    private let database: any Database
    private let trap: Trap

    /// The program's exit code is not 0 if the order it placed is not the only one.
    struct NotOneOrder: Error {
        let count: Int
    }

    init(_ instructions: Instructions) throws {
        self.instructions = instructions
        trap = Trap(instructions.moment, number: instructions.number)
        database = try OpenedDatabase.open(instructions.database)
    }

    /// Places the order, writes the answer, and returns once the order is at rest.
    func run() async throws {
        let transport = CurlTransport()
        let gateway = try await gateway(transport)
        let driving = Task { await gateway.run() }
        let use = IdempotencyTable.Use(
            marketplace: Self.marketplace,
            scope: "POST /v1/orders",
            key: instructions.key,
            bodyHashes: ["the body"]
        )
        let answer = try await gateway.place(instructions.draft, under: use)
        if case .final(let bytes) = answer.body { FileHandle.standardOutput.write(Data(bytes)) }
        while try await !isAtRest(answer.order) { try await Task.sleep(for: Self.lookPause) }
        driving.cancel()
        await transport.stop()
    }

    private func gateway(_ transport: CurlTransport) async throws -> Gateway {
        let clock = AdvancedClock(
            base: try await DatabaseClock(database),
            milliseconds: instructions.aheadMilliseconds
        )
        let trapped = TrappedDatabase(base: database, trap: trap)
        let prefix = instructions.accountPrefix
        let ports = Gateway.Ports(
            database: trapped,
            clock: clock,
            sender: TrappedSender(base: CurlSender(transport), trap: trap),
            vault: Vault(try Keyring(current: "k1", keys: ["k1": Self.key])),
            directory: PSPDirectory(psps: AdapterCatalog.psps, database: database) { reference in
                Secret("key_" + prefix + String(reference.dropFirst("env:".count)))
            },
            presentation: OrderPresenter.presentation,
            logger: Logger(label: "crashing") { StreamLogHandler.standardError(label: $0) }
        )
        return Gateway(ports, settings: settings, instance: instructions.instance)
    }

    /// Short times, except for the grace: an order is accepted or refused for what its PSPs say, not for how long a
    /// dead instance kept them waiting.
    private var settings: GatewaySettings {
        GatewaySettings(
            rules: MachineRules(
                leaseMilliseconds: instructions.pspTimeoutMilliseconds + 36_000,
                unknownScheduleMilliseconds: [100, 200, 400],
                graceMilliseconds: 600_000
            ),
            pspTimeoutMilliseconds: instructions.pspTimeoutMilliseconds,
            pollMilliseconds: 20
        )
    }

    private func isAtRest(_ id: OrderID) async throws -> Bool {
        let orders = try await database.read { session in
            try OrderSearch.list(OrderSearch.Filter(marketplace: nil), limit: 2, in: session)
        }
        guard orders.count == 1, let order = orders.first, order.id == id else {
            throw NotOneOrder(count: orders.count)
        }
        let isDecided = order.decision.state != .pending && order.decision.state != .cleared
        return isDecided && order.isAnswered && order.status != .compensating
            && !order.payments.contains(where: \.isUnresolved)
    }
}
