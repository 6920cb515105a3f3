package import AdapterKit
package import Domain

/// Square through its Payments and Refunds APIs: cards by the tokens that Square's own client libraries make.
///
/// An account is one seller's OAuth token; a route's merchant account is one of the seller's locations. See README.md
/// beside this file.
package struct SquareAdapter: PaymentAdapter {
    /// `square`.
    package static let name = "square"

    /// What Square's documents promise.
    ///
    /// Square does not publish how long it keeps a key, so one is relied on for an hour only: two, less the last hour
    /// that the gateway does without.
    package static let capabilities = Capabilities(
        credentials: [.pspToken],
        saleInOneCall: true,
        partialCapture: true,
        idempotency: .key(retentionMilliseconds: 2 * hour, keeps: .all),
        inquiry: .byReference(visibilityDelayMilliseconds: 60_000),
        pendingPollMilliseconds: 10 * 60_000,
        expectedWithinMilliseconds: 72 * hour,
        authorizationLifeMilliseconds: 7 * 24 * hour,
        applicationFee: true,
        exponents: SquareCurrency.exponents,
        multipleCapture: false,
        partialRefund: true,
        refundBeforeSettlement: true,
        asynchronous: [.refund],
        // A location is of whoever's token the account has: the marketplace's own, or one seller's.
        payees: Payees(toMarketplace: .byContract, toMerchant: .byContract),
        agreements: AgreementSupport(storesCredentials: [.pspToken], merchantInitiated: [.pspToken])
    )

    private static let hour: Int64 = 3_600_000

    let requests: SquareRequests
    /// What Square signs webhooks with; several during a rotation.
    let webhookKeys: [SigningKey]
    /// The seller whose events count; nil if every seller's do.
    let merchantID: String?

    /// Makes an adapter for one seller; its credentials are `access_token`, and where needed `location_id`,
    /// `merchant_id` and `webhook_secret`.
    ///
    /// - Throws: ``SettingsError`` if the token is missing or the base URL is neither https nor loopback.
    package init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        requests = SquareRequests(
            baseURL: settings.baseURL,
            accessToken: try settings.credential("access_token"),
            ownLocation: Self.optional("location_id", in: settings)
        )
        webhookKeys = settings.webhookSecrets.compactMap { SigningKey(bytes: Array($0.reveal().utf8)) }
        merchantID = Self.optional("merchant_id", in: settings)
    }

    /// By the host: `connect.squareupsandbox.com` is the test world, `connect.squareup.com` the live one.
    package static func mode(of settings: AdapterSettings) -> MarketplaceMode? {
        settings.mode(test: "connect.squareupsandbox.com", live: "connect.squareup.com")
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        var conversation = SquareConversation(
            call: call,
            requests: requests,
            replies: exchanges.map { SquareReply($0.reply) }[...]
        )
        do throws(Halt) {
            return .outcome(try conversation.outcome())
        } catch {
            return error.step
        }
    }

    /// Asks for the payment's customer and that customer's card.
    package func next(forStoredMethodOf call: Call, after exchanges: [Exchange]) -> Step {
        var conversation = SquareConversation(
            call: call,
            requests: requests,
            replies: exchanges.map { SquareReply($0.reply) }[...]
        )
        do throws(Halt) {
            return .outcome(try conversation.storedMethod())
        } catch {
            return error.step
        }
    }

    private static func optional(_ name: String, in settings: AdapterSettings) -> String? {
        settings.credentials[name].flatMap { $0.reveal().isEmpty ? nil : $0.reveal() }
    }
}
