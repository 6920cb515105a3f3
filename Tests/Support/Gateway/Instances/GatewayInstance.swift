package import Gateway
package import SQL
import Storage

/// One gateway instance with a life of its own.
package struct GatewayInstance: Sendable {
    /// The instance.
    package let gateway: Gateway
    /// How long it lives.
    package let life: InstanceLife
    /// Its way to the database.
    package let database: InstanceDatabase

    /// An instance over a database, with a life that ends at `death` or never; `signal` is given when it writes or dies.
    package init(
        _ name: String,
        endingAt death: InstanceLife.Death?,
        over base: any Database,
        signal: CommitSignal,
        ports: (InstanceDatabase, InstanceLife) -> Gateway.Ports,
        settings: () -> GatewaySettings
    ) {
        life = InstanceLife(endingAt: death, signal: signal)
        database = InstanceDatabase(base, life: life, signal: signal)
        gateway = Gateway(ports(database, life), settings: settings(), instance: name)
    }

    /// Whether its life has ended by what it wrote: what others see committed may be ahead of its death.
    package func hasDied() async -> Bool {
        await database.drain()
        return life.isDead
    }

    /// Places a checkout.
    ///
    /// - Throws: what `Gateway.place` throws.
    package func place(_ checkout: TestCheckout, key: String, body: String = "1") async throws -> Gateway.Answer {
        try await gateway.place(try checkout.draft(), under: TestCheckout.use(key, body: body))
    }

    /// Drives what is due for the time of `body`.
    package func driving<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let driver = Task { await gateway.run() }
        defer { driver.cancel() }
        return try await body()
    }
}
