public import AdapterKit
public import Domain
import StrictJSON

/// The adapter to the PSP simulator's own dialect.
public struct SimulatorAdapter: PaymentAdapter {
    /// `simulator`.
    public static let name = "simulator"

    /// What README.md promises.
    public static let capabilities = Capabilities(
        credentials: [.pspToken, .networkToken],
        saleInOneCall: true,
        partialCapture: true,
        idempotency: .key(retentionMilliseconds: 24 * 3_600_000, keeps: .outcomes),
        inquiry: .byReference(visibilityDelayMilliseconds: 2000),
        pendingPollMilliseconds: 500,
        expectedWithinMilliseconds: 60_000,
        authorizationLifeMilliseconds: 7 * 86_400_000,
        applicationFee: true,
        multipleCapture: true,
        releaseAfterCapture: true,
        // A refund gives back what commission the request says, and nothing where it says nothing.
        keepsCommissionOfRefunds: true,
        // A merchant account is a note on a payment, and nobody is paid.
        payees: Payees(toMarketplace: .byContract, toMerchant: .byContract),
        agreements: AgreementSupport(
            storesCredentials: [.pspToken, .networkToken],
            merchantInitiated: [.pspToken, .storedNetworkToken],
            networkTransactionID: [.read, .write]
        )
    )

    let requests: SimulatorRequests
    /// What the simulator signs webhooks with; several during a rotation.
    let webhookKeys: [SigningKey]

    /// Makes an adapter for an account whose credential is `api_key`, and `webhook_secret` for webhooks.
    ///
    /// - Throws: ``SettingsError``, `missingCredential("webhook_secret")` also for one that is not base 64.
    public init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        webhookKeys = try settings.webhookSecrets.map { secret throws(SettingsError) in
            guard let key = StandardWebhooks.key(secret) else {
                throw .missingCredential(AdapterSettings.webhookSecret)
            }
            return key
        }
        requests = SimulatorRequests(baseURL: settings.baseURL, key: try settings.credential("api_key"))
    }

    /// Always the test world: behind a simulator there is no money.
    public static func mode(of settings: AdapterSettings) -> MarketplaceMode? { .test }

    /// The next request of the call, or what the replies so far say.
    public func next(for call: Call, after exchanges: [Exchange]) -> Step {
        switch (call.purpose, call.kind) {
        case (.inquire, .authorize):
            guard let exchange = exchanges.last else { return .send(requests.findAuthorization(of: call)) }
            return .outcome(SimulatorReading(call).foundAuthorization(in: exchange.reply))
        case (.inquire, .capture), (.inquire, .void), (.inquire, .refund):
            guard let exchange = exchanges.last else { return .send(requests.findOperation(of: call)) }
            return .outcome(SimulatorReading(call).foundOperation(in: exchange.reply))
        case (.perform, .authorize(let authorization)):
            guard let exchange = exchanges.last else { return requests.authorize(authorization, call) }
            return .outcome(SimulatorReading(call).authorized(by: exchange.reply))
        case (.perform, .capture(applicationFee: let fee, isFinal: _)), (.perform, .refund(let fee)):
            guard let exchange = exchanges.last else { return .send(requests.change(call, applicationFee: fee)) }
            return .outcome(SimulatorReading(call).changed(by: exchange.reply))
        case (.perform, .void):
            guard let exchange = exchanges.last else { return .send(requests.change(call, applicationFee: nil)) }
            return .outcome(SimulatorReading(call).changed(by: exchange.reply))
        }
    }

    /// Has the simulator forget a stored method.
    public func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        guard let reply = exchanges.last?.reply else {
            guard let request = requests.forget(removal) else {
                return .outcome(
                    .rejected(Rejection(.notFound, code: "not_found", message: "It is not a stored method."))
                )
            }
            return .send(request)
        }
        let json = try? JSON.parse(reply.body)
        switch reply.status {
        case 200 where json?["deleted"] == true: return .outcome(.succeeded(Success(reference: nil, amount: 0)))
        case 404 where json?["error"]?["code"] == "not_found":
            return .outcome(.rejected(Rejection(.notFound, code: "not_found", message: "There is no such method.")))
        default: return .outcome(.unknown(reason: "the removal was answered \(reply.status)"))
        }
    }
}
