import ArgumentParser
import Domain
import Gateway
import SQL
import Storage
import Wiring

/// `tributary wallet-orders show`.
struct ShowWalletOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the packages of an order in Wallet, and who follows them.",
        discussion: """
            One line a package: that of the checkout, and those of single payments that a link was made for. What keeps the
            marketplace's packages from being signed is said, too.

            Example:
              tributary wallet-orders show cart-7
            """
    )

    @OptionGroup var order: OrderArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let argument = order
        let (entries, problems) = try await DatabaseUse.looking.open(database.settings()) { database in
            try await database.read { session in
                let order = try argument.load(in: session)
                return (
                    try WalletOrderTable.all(of: order.id, in: session),
                    try WalletProblemTable.all(of: order.marketplace, in: session)
                )
            }
        }
        var table = Table("id", "order_type", "payment", "version", "updated_at", "fetched_version", "modified_at")
        for entry in entries {
            table.add(
                .text(entry.id),
                .text(entry.type),
                .optional(entry.payment?.text),
                .integer(entry.version),
                .time(entry.updatedAt),
                .integer(entry.fetchedVersion),
                .time(entry.modifiedAt)
            )
        }
        output.write(table, orSaying: "Nobody can follow the order: it was placed without a package.")
        for problem in problems where problem.subject.map({ id in entries.contains { $0.id == id } }) ?? true {
            Console.note("\(problem.kind.rawValue): \(problem.finding)")
        }
    }
}

/// `tributary wallet-orders devices`.
struct ListWalletDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the devices that follow orders, and the pushes that they are owed.",
        discussion: """
            The beginning of a device's identifier stands for it: with all of it, anybody could list its orders.

            Example:
              tributary wallet-orders devices --order cart-7
            """
    )

    @Option(name: .long, help: ArgumentHelp("Only those that follow this order.", valueName: "order"))
    var order: String?

    @Option(name: .long, help: "How many devices at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let argument = try order.map { try OrderArgument.parse(["--", $0]) }
        let devices = try await DatabaseUse.looking.open(database.settings()) { [marketplace, limit] database in
            try await database.read { session in
                let order = try argument?.load(in: session)
                return try WalletDeviceTable.list(
                    marketplace: try order?.marketplace ?? marketplace.choose(in: session),
                    order: order?.id,
                    limit: limit.count,
                    in: session
                )
            }
        }
        var table = Table(
            "device",
            "order_type",
            "orders",
            "owed_pushes",
            "push_at",
            "failures",
            "last_pushed_at",
            "last_error",
            "registered_at"
        )
        for device in devices {
            table.add(
                .text(device.id.prefix(8) + "…"),
                .text(device.type),
                .integer(device.orders),
                .integer(device.pushes),
                device.pushes > 0 ? .time(device.pushAt) : .absent,
                .integer(device.failures),
                .moment(device.lastPushedAt),
                .optional(device.lastError),
                .time(device.registeredAt)
            )
        }
        output.write(table, orSaying: "No device follows an order.")
    }
}

/// `tributary wallet-orders push`.
struct PushWalletOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Have every device that follows an order pushed, though nothing changed.",
        discussion: """
            A serving instance pushes them within a second or two. A push harms nobody: the device asks what changed.

            Example:
              tributary wallet-orders push cart-7
            """
    )

    @OptionGroup var order: OrderArgument
    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let argument = order
        let count = try await DatabaseUse.looking.open(database.settings()) { database in
            let order = try await database.read { session in try argument.load(in: session) }
            let now = try await DatabaseClock(database).now()
            return try await WalletOrderPushes(database, by: .commandLine).push(order, at: now)
        }
        Console.note(count == 1 ? "1 device is to be pushed" : "\(count) devices are to be pushed")
    }
}
