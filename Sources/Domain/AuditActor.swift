/// Who does something by hand, as the audit trail names them.
package struct AuditActor: Hashable, Sendable {
    /// By what somebody is known.
    package enum Kind: String, Sendable, CaseIterable {
        /// An API key, over HTTP.
        case key
        /// A user of the machine, on the database directly.
        case shell
        /// A program that has the gateway built in, and names nobody.
        case instance
    }

    /// By what they are known.
    package let kind: Kind
    /// The API key's identifier, the user's name, or the instance's.
    package let id: String
    /// What the API key is called; nil for others.
    package let name: String?
    /// The API key that a user of the machine has shown; nil for none.
    package let shownKey: KeyID?
    /// The address that the request came from, as the server saw it, or the machine's name.
    package let origin: String?
    /// The identifier of the request; nil for what was none.
    package let request: String?

    private init(_ kind: Kind, _ id: String, name: String?, shownKey: KeyID?, origin: String?, request: String?) {
        self.kind = kind
        self.id = id
        self.name = name
        self.shownKey = shownKey
        self.origin = origin
        self.request = request
    }

    /// Whoever has an API key.
    package static func key(_ id: KeyID, name: String, from peer: String?, request: String?) -> AuditActor {
        AuditActor(.key, id.text, name: name, shownKey: nil, origin: peer, request: request)
    }

    /// A user of a machine who acts on the database directly, and may have shown an API key.
    package static func shell(_ user: String, on host: String?, showing key: KeyID? = nil) -> AuditActor {
        AuditActor(.shell, user, name: nil, shownKey: key, origin: host, request: nil)
    }

    /// A program that has the gateway built in.
    package static func instance(_ name: String) -> AuditActor {
        AuditActor(.instance, name, name: nil, shownKey: nil, origin: nil, request: nil)
    }

    /// The same, having shown an API key.
    package func showing(_ key: KeyID) -> AuditActor {
        AuditActor(kind, id, name: name, shownKey: key, origin: origin, request: request)
    }

    /// Who stands on an order's events; nil for a program that names nobody.
    package var caller: Caller? {
        switch kind {
        case .key: Caller(actor: id, peer: origin, request: request)
        case .shell: Caller(operator: id)
        case .instance: nil
        }
    }
}

/// What is done by hand, as the audit trail names it: `<what it is done to>.<what is done>`.
///
/// Placing an order is not among them, nor the step of a buyer that completes a payment: both are the order's own history,
/// which says who asked.
package enum AuditAct: String, Hashable, Sendable, CaseIterable {
    /// What an order holds is taken.
    case captureOrder = "order.capture"
    /// What an order holds beyond that is let go of.
    case releaseOrder = "order.release"
    /// An order, or payments of it, is called off.
    case cancelOrder = "order.cancel"
    /// Money is given back.
    case refundOrder = "order.refund"
    /// Somebody says what became of an operation.
    case resolveOrder = "order.resolve"
    /// What rests is tried at once.
    case retryOrder = "order.retry"
    /// Somebody says what a PSP did to a payment.
    case recordOnOrder = "order.record"
    /// A declaration is applied.
    case apply
    /// A merchant is created or changed.
    case saveMerchant = "merchant.save"
    /// A merchant takes no new orders.
    case pauseMerchant = "merchant.pause"
    /// A merchant takes orders again.
    case resumeMerchant = "merchant.resume"
    /// A PSP account takes no new payments.
    case pauseAccount = "psp_account.pause"
    /// A PSP account takes payments again.
    case resumeAccount = "psp_account.resume"
    /// An API key is made.
    case createKey = "key.create"
    /// An API key is revoked.
    case revokeKey = "key.revoke"
    /// An endpoint gets another address.
    case moveEndpoint = "callback_endpoint.move"
    /// An endpoint is delivered to again.
    case enableEndpoint = "callback_endpoint.enable"
    /// An endpoint gets another secret.
    case rotateEndpoint = "callback_endpoint.rotate"
    /// Callbacks are delivered again.
    case replayCallbacks = "callback.replay"
    /// A PSP's webhook is applied again.
    case replayWebhook = "psp_webhook.replay"
    /// Somebody says that nothing is left to do about a webhook.
    case dismissWebhook = "psp_webhook.dismiss"
    /// A payout is recorded.
    case recordPayout = "payout.record"
    /// A payout is recorded as failed.
    case failPayout = "payout.fail"
    /// A commission invoice is issued.
    case issueInvoice = "invoice.issue"
    /// An agreement with a buyer is ended.
    case endAgreement = "agreement.end"
    /// Somebody says what became of a break.
    case resolveBreak = "break.resolve"
    /// Files of PSPs and banks come to count.
    case reconcile
    /// Somebody says whose a merchant hash is.
    case decideMerchantHash = "merchant_hash.decide"
    /// Somebody tells how goods of an order come to the buyer.
    case saveFulfillment = "fulfillment.save"
    /// Somebody tells what of an order the buyer sends back.
    case saveReturn = "return.save"
    /// Somebody hands over a receipt.
    case saveReceipt = "receipt.save"
    /// Every device that follows an order in Wallet is to look again.
    case pushWalletOrder = "wallet_order.push"
    /// The clock of a test marketplace is moved forward.
    case advanceTestClock = "test_clock.advance"
    /// Books that were restored to an earlier point are brought up to what PSPs did since.
    case recover
    /// What is stored sealed is put under the current key of the keyring.
    case rotateKeyring = "keyring.rotate"
}

/// What something is done to: its kind and its name.
package struct AuditSubject: Hashable, Sendable {
    /// What kinds there are.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An order, by its identifier.
        case order
        /// A marketplace, by its id.
        case marketplace
        /// A merchant, by its identifier.
        case merchant
        /// A PSP account, by its id.
        case pspAccount = "psp_account"
        /// An API key, by its identifier.
        case key
        /// An endpoint, by its identifier.
        case endpoint = "callback_endpoint"
        /// A callback, by its identifier.
        case callback
        /// A PSP's webhook, by its identifier.
        case webhook = "psp_webhook"
        /// A payout, by its identifier.
        case payout
        /// A commission invoice, by its identifier.
        case invoice
        /// An agreement, by its identifier.
        case agreement
        /// A break, by its identifier.
        case difference = "break"
        /// A hash that wallets name a merchant by.
        case merchantHash = "merchant_hash"
    }

    /// What it is.
    package let kind: Kind
    /// What it is called.
    package let id: String

    /// Names what something is done to.
    package init(_ kind: Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }
}
