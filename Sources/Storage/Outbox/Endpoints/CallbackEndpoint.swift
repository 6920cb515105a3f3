package import Domain

/// Where the marketplace or one merchant hears about its orders, and how it goes there.
package struct CallbackEndpoint: Hashable, Sendable {
    /// Whether anything is sent there.
    package enum State: String, Sendable, CaseIterable {
        /// What is due is sent.
        case enabled
        /// Nothing is sent; what is for it waits.
        case disabled
    }

    /// Why an endpoint is disabled.
    package enum Reason: String, Sendable, CaseIterable {
        /// It answered 410: it wants nothing more.
        case gone
        /// It is no longer declared, and `apply --prune` was run.
        case undeclared
    }

    /// What is shown to a server that asks for a client certificate, as references: `env:NAME` or `file:PATH`.
    package struct Identity: Hashable, Sendable {
        /// Where the certificate is kept, in PEM.
        package let certificate: String
        /// Where its private key is kept, in PEM.
        package let key: String

        /// Pairs two references.
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Its name.
    package let id: EndpointID
    /// The marketplace.
    package let marketplace: String
    /// Whose it is; nil for the marketplace's own.
    package let merchant: MerchantID?
    /// Where callbacks are sent.
    package var url: String
    /// What they are signed with.
    package var secrets: CallbackSecrets
    /// What is shown to a server that asks for a client certificate; nil for nothing.
    package var identity: Identity?
    /// Whether anything is sent there.
    package internal(set) var state = State.enabled
    /// Why nothing is.
    package internal(set) var reason: Reason?
    /// How the last deliveries went.
    package var health = Health()
    /// When it was saved first.
    package let createdAt: Timestamp

    /// How the last deliveries to an endpoint went.
    package struct Health: Hashable, Sendable {
        /// How many rounds in a row have brought nothing home.
        package var failures: Int64 = 0
        /// Since when; nil while ``failures`` is zero.
        package var failingSince: Timestamp?
        /// Before when nothing is sent; nil for at once.
        package var retryAt: Timestamp?
        /// The HTTP status of the last reply.
        package var lastStatus: Int64?
        /// Why the last try failed; nil if it did not.
        package var lastError: String?
        /// When something was last sent there.
        package var lastTriedAt: Timestamp?
        /// When something last arrived there.
        package var lastDeliveredAt: Timestamp?

        /// Of an endpoint that nothing was sent to.
        package init() {}
    }

    /// Makes an enabled endpoint.
    package init(
        id: EndpointID,
        marketplace: String,
        merchant: MerchantID?,
        url: String,
        secrets: CallbackSecrets,
        identity: Identity? = nil,
        createdAt: Timestamp
    ) {
        self.id = id
        self.marketplace = marketplace
        self.merchant = merchant
        self.url = url
        self.secrets = secrets
        self.identity = identity
        self.createdAt = createdAt
    }
}
