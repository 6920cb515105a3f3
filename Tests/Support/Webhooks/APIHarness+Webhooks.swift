import AdapterKit
package import Domain
import Gateway
import HTTPTransport
import SQL
package import Storage
import StrictJSON

extension APIHarness {
    /// Gives every PSP account of a marketplace the secret of a signer, so that its webhooks are heard.
    ///
    /// - Throws: `SQLError`.
    package func listen(to signer: WebhookSigner = .usual, for marketplace: TestMarketplace = .travel) async throws {
        let now = clock.now()
        try await database.write { session in
            for account in marketplace.accounts {
                var account = account
                account.credentials[AdapterSettings.webhookSecret] = signer.reference
                account.updatedAt = now
                try PSPAccountTable.save(account, in: session)
            }
        }
    }

    /// Sends news as the PSP would.
    ///
    /// - Throws: `TransportFailure`.
    package func deliver(
        _ news: PSPNews,
        to account: String = "sim-a",
        signedBy signer: WebhookSigner = .usual,
        at time: Timestamp? = nil
    ) async throws -> APIReply {
        try await deliver(news.json.bytes, named: news.id, to: account, signedBy: signer, at: time)
    }

    /// Sends a webhook with any body.
    ///
    /// - Throws: `TransportFailure`.
    package func deliver(
        _ body: [UInt8],
        named id: String,
        to account: String = "sim-a",
        signedBy signer: WebhookSigner = .usual,
        at time: Timestamp? = nil
    ) async throws -> APIReply {
        let headers = signer.headers(id: id, at: time ?? clock.now(), body: body)
        return try await anonymous.send(
            .post,
            "/v1/psp/simulator/\(account)/webhooks",
            headers: headers.map { HTTPHeader($0.name, $0.value) } + [HTTPHeader("Content-Type", "text/plain")],
            body: body
        )
    }

    /// Every event in the inbox, oldest first.
    ///
    /// - Throws: `SQLError`.
    package func inbox() async throws -> [WebhookEntry] {
        try await database.read { session in
            try WebhookTable.list(WebhookTable.Filter(marketplace: nil), limit: 1000, in: session).reversed()
        }
    }

    /// The event of that news once it stands as wanted.
    ///
    /// - Throws: ``HarnessFailure/neverCame(_:)`` if it does not in time.
    @discardableResult
    package func webhook(
        _ news: PSPNews,
        once state: WebhookEntry.State,
        triedAtLeast attempts: Int64 = 0
    ) async throws -> WebhookEntry {
        let end = ContinuousClock.now + .patience
        while true {
            let found = try await inbox().first { $0.eventID == news.id }
            if let found, found.state == state, found.attempts >= attempts { return found }
            guard ContinuousClock.now < end else {
                throw HarnessFailure.neverCame("\(news.id) is \(found.map { "\($0)" } ?? "not there")")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The order once it is as `condition` wants it.
    ///
    /// - Throws: ``HarnessFailure/neverCame(_:)`` if it does not become so in time.
    package func order(_ id: OrderID, once condition: (Order) -> Bool = { _ in true }) async throws -> Order {
        let end = ContinuousClock.now + .patience
        while true {
            let order = try await database.read { session in try OrderReader.load(id, in: session) }
            guard let order else { throw HarnessFailure.noOrder(id) }
            if condition(order) { return order }
            guard ContinuousClock.now < end else { throw HarnessFailure.neverCame(HarnessFailure.text(order)) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// What is wrong with what is stored.
    ///
    /// - Throws: `SQLError`.
    package func complaints() async throws -> [String] {
        try await LedgerCheck.complaints(about: database, rules: gateway.settings.rules)
    }
}
