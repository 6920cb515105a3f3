import Logging

/// What follows orders in Wallet: what makes packages, what pushes devices, and who is told of what is wrong.
struct FollowedOrders: Sendable {
    let pusher: WalletPusher
    private let packages: WalletPackageBuilder
    private let attention: WalletAttention
    private let ports: Gateway.Ports

    init(_ ports: Gateway.Ports, instance: String) {
        self.ports = ports
        packages = WalletPackageBuilder(ports.wallets)
        attention = WalletAttention(database: ports.database, clock: ports.clock, logger: ports.logger)
        pusher = WalletPusher(
            database: ports.database,
            clock: ports.clock,
            ports: ports.wallets,
            signers: packages.signers,
            attention: attention,
            instance: instance,
            logger: ports.logger
        )
    }

    /// Decides which orders are followed.
    var planner: WalletOrderPlanner {
        WalletOrderPlanner(builder: packages, attention: attention, vault: ports.vault)
    }

    /// Answers devices and marketplaces.
    func service(_ log: OrderLog) -> WalletOrderService {
        WalletOrderService(
            database: ports.database,
            clock: ports.clock,
            builder: packages,
            attention: attention,
            vault: ports.vault,
            log: log
        )
    }

    /// Pushes devices, and looks after what signs, until the task is canceled.
    func run(_ service: WalletOrderService) async {
        let watch = WalletWatch(
            database: ports.database,
            clock: ports.clock,
            service: service,
            logger: ports.logger
        )
        await withTaskGroup { group in
            group.addTask { await pusher.run() }
            group.addTask { await watch.run() }
        }
    }
}
