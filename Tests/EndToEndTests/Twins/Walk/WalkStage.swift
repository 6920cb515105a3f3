import AdapterKit
import Domain
import Gateway
import HTTPTransport
import Keyring
import Logging
import PSPSimulator
import SQL
import SeededRandom
import Simulation
import Storage
import TributaryTestKit
import Wiring

/// A marketplace at one PSP: merchants without an account of their own there and with one, on a fresh database, and any
/// number of gateway instances that can die.
struct WalkStage: Sendable {
    /// Where the PSP is reached.
    static let pspURL = "http://127.0.0.1:1"
    private static let webhookURL = "https://pay.travel.example"
    private static let marketplace = "travel"

    /// A merchant and the way to it.
    struct Shop: Sendable {
        let name: String
        let twin: PSPTwin
    }

    let twin: PSPTwin
    let shops: [Shop]
    let database: any Database
    let clock: ManualClock
    let psp: WalkPSP
    let mail: WalkMail
    let signal = CommitSignal()
    private let keyring: Keyring
    private let endpoint: WebhookEndpoint

    /// Times as an operator would have them; but no PSP account is spared when it fails.
    static let settings = GatewaySettings(breakerFailures: .max)

    /// Lends a stage.
    static func with(_ seed: WalkSeed, _ body: (WalkStage) async throws -> Void) async throws {
        try await withDatabase(seed.engine, prepare: .migrated) { database in
            let stage = try await WalkStage(seed, database)
            let result: Result<Void, any Error>
            do { result = .success(try await body(stage)) } catch { result = .failure(error) }
            stage.clock.stop()
            try result.get()
        }
    }

    private init(_ seed: WalkSeed, _ database: any Database) async throws {
        let place = seed.place
        twin = PSPTwin.all[place]
        let (name, own) = (twin.dialect, twin)
        let routed = (PSPTwin.payingMerchants + PSPTwin.payingMarketplace).filter { $0.dialect == name }
        shops =
            [Shop(name: "airline", twin: own), Shop(name: "agency", twin: own)]
            + routed.enumerated().map { Shop(name: "merchant-\($0.offset)", twin: $0.element) }
        self.database = database
        let clock = ManualClock()
        self.clock = clock
        // Braintree has no notification of it; its settlement report is the means.
        let mail = WalkMail(seed: seed.number, tellsPortal: name != .braintree)
        self.mail = mail
        var dice = SeededRandom(seed: seed.number &+ 55)
        let simulator = try await LocalSimulator(
            name,
            lateness: dice.chance(60) ? own.lateness * 9 / 10 : 0,
            clock: { clock.now().microseconds / 1000 },
            onEvent: { mail.take($0, $1) }
        )
        psp = WalkPSP(simulator, clock, seed: seed.number)
        keyring = try Keyring.fresh()
        endpoint = try WebhookEndpoint(
            account: twin.account,
            url: "\(Self.webhookURL)/v1/psp/\(twin)/\(twin)/webhooks",
            secret: twin.webhookSecret,
            dialect: twin.dialect.dialect
        )
        try await fill()
    }

    /// A gateway instance.
    func instance(_ name: String, endingAt death: InstanceLife.Death? = nil) -> GatewayInstance {
        GatewayInstance(name, endingAt: death, over: database, signal: signal) { database, life in
            let secrets = twin.credentials
            return Gateway.Ports(
                database: database,
                clock: clock,
                sender: InstanceSender(psp, life: life),
                vault: Vault(keyring),
                directory: PSPDirectory(psps: AdapterCatalog.psps, database: database) { reference in
                    guard let secret = secrets[String(reference.dropFirst(4))] else {
                        throw HarnessFailure.neverCame(reference)
                    }
                    return Secret(secret)
                },
                presentation: .plain,
                logger: Logger(label: "walk") { _ in SwiftLogNoOpLogHandler() }
            )
        } settings: {
            Self.settings
        }
    }

    /// Brings a letter to an instance; what the PSP thinks of the answer is in the mail then.
    func deliver(_ letter: WalkMail.Letter, to instance: GatewayInstance, named name: String) async {
        let now = clock.now()
        let dialect = twin.dialect.dialect
        let post = dialect.post(letter.notice, to: endpoint, at: now.microseconds / 1_000_000)
        let incoming = IncomingWebhook(
            body: post.body,
            headers: post.headers.map { Header($0.name, $0.value) },
            url: endpoint.url,
            receivedAt: now
        )
        do {
            let desk = instance.gateway.webhooks
            guard let reply = try await desk.receive(incoming, for: "\(twin)", of: "\(twin)") else {
                return mail.returned(letter, by: name, because: "unknown account")
            }
            guard 200..<300 ~= reply.status else {
                return mail.returned(letter, by: name, because: "\(reply.status)")
            }
            mail.taken(letter, by: name)
        } catch let refusal as WebhookRefusal {
            mail.returned(letter, by: name, because: "\(refusal)")
        } catch {
            mail.returned(letter, by: name, because: nil)
        }
    }

    private func fill() async throws {
        var marketplace = TestMarketplace(id: Self.marketplace, baseURL: Self.pspURL)
        let updatedAt = marketplace.accounts[0].updatedAt
        marketplace.accounts = [
            PSPAccount(
                marketplace: marketplace.id,
                id: "\(twin)",
                psp: "\(twin)",
                baseURL: Self.pspURL,
                credentials: Dictionary(uniqueKeysWithValues: twin.credentials.keys.map { ($0, "env:\($0)") }),
                updatedAt: updatedAt
            )
        ]
        var ids = IdentifierSource()
        marketplace.merchants = shops.map { shop in
            Merchant(
                id: ids.make(at: updatedAt),
                marketplace: marketplace.id,
                externalIdentifier: shop.name,
                name: "Merchant \(shop.name)",
                kind: shop.name == "agency" ? .marketplace : .merchant,
                // A fee of the PSP's own is not kept everywhere.
                commission: shop.name == "agency" ? CommissionRule() : CommissionRule(basisPoints: 1000),
                routes: [
                    Merchant.Route(
                        pspAccount: "\(twin)",
                        merchantAccount: shop.twin.merchantAccount,
                        settlesTo: shop.twin.settlesTo,
                        commissionBy: shop.twin.commissionBy
                    )
                ]
            )
        }
        try await marketplace.write(to: database)
    }
}
