import AdapterKit
import Domain
import SQL
import Storage
import StrictJSON

/// Starts Apple Pay sessions for web pages: proves the merchant to Apple and hands back what Apple answers.
///
/// Source: Apple, "Requesting an Apple Pay Payment Session" (2026-07). The address is fixed; one that a page sends is
/// only ever checked against Apple's published hosts.
package struct ApplePaySessions: Sendable {
    /// What a page asks for.
    package struct Request: Hashable, Sendable {
        /// The page's domain, registered with Apple.
        package var domain: String
        /// What the sheet calls the merchant, if not by the marketplace's name; at most 64 characters.
        package var displayName: String?
        /// The merchant the session is for; the marketplace itself if nil.
        package var externalIdentifier: String?

        /// Makes a request.
        package init(domain: String, displayName: String? = nil, externalIdentifier: String? = nil) {
            self.domain = domain
            self.displayName = displayName
            self.externalIdentifier = externalIdentifier
        }
    }

    /// How long one call to Apple may take, in milliseconds.
    private static let callMilliseconds: Int64 = 4000
    /// How long to wait before the second call, at least and at most, in milliseconds.
    private static let pauseMilliseconds: ClosedRange<Int64> = 100...400

    private let database: any Database
    private let clock: any GatewayClock
    private let ports: WalletPorts

    /// Sessions of a gateway's marketplaces.
    package init(_ gateway: Gateway) {
        database = gateway.database
        clock = gateway.clock
        ports = gateway.wallets
    }

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - request: what a page asks for.
    ///   - marketplace: whose page it is.
    ///   - visit: the request's stay inside the door, which ends before Apple is asked.
    /// - Returns: Apple's answer, byte for byte; it is good for one sheet.
    /// - Throws: ``ApplePaySessionRefusal``, or `SQLError` if the database cannot be reached.
    package func start(
        _ request: Request,
        of marketplace: String,
        on visit: Visit? = nil
    ) async throws -> [UInt8] {
        let (tenant, names) = try await tenant(marketplace, request)
        visit?.leave()
        guard let access = tenant.wallets.applePay, let identity = try identity(access) else {
            throw ApplePaySessionRefusal.notConfigured("the marketplace declares no apple_pay.merchant_identity")
        }
        let wire = WireRequest(
            .post,
            access.sessionURL ?? access.paymentServices + "/paymentSession",
            headers: [Header("Content-Type", "application/json")],
            body: Self.body(request, names).bytes,
            canMoveMoney: false
        )
        var result = await ports.askApple(wire, identity, Self.callMilliseconds)
        if Self.isWorthRepeating(result) {
            try await clock.sleep(until: clock.now().adding(milliseconds: .random(in: Self.pauseMilliseconds)))
            result = await ports.askApple(wire, identity, Self.callMilliseconds)
        }
        return try Self.session(in: result)
    }

    /// The domain association file that Apple reads; nil if no marketplace declares one.
    ///
    /// - Throws: `SQLError`, or what reading the file throws.
    package func domainAssociation() async throws -> [UInt8]? {
        let tenants = try await database.read { session in try MarketplaceTable.all(in: session) }
        let reference = tenants.compactMap { $0.wallets.applePay?.domainAssociation }.first
        return try reference.map { try ports.read($0) }
    }

    private struct Names {
        let merchantIdentifier: String
        let displayName: String
    }

    private func tenant(
        _ marketplace: String,
        _ request: Request
    ) async throws -> (MarketplaceTable.Marketplace, Names) {
        try await database.read { session in
            let tenants = try MarketplaceTable.read(session.rows(MarketplaceTable.named(marketplace)))
            guard let tenant = tenants.first, let seller = try PaymentRequestTable.seller(of: marketplace, in: session)
            else { throw SQLError.unexpectedValue(column: "marketplace") }
            var (identifier, name) = (seller.merchantIdentifier, seller.name)
            if let external = request.externalIdentifier {
                guard let merchant = try MerchantTable.find([external], of: marketplace, in: session).first else {
                    throw ApplePaySessionRefusal.unknownMerchant
                }
                (identifier, name) = (merchant.merchantIdentifier, merchant.name)
            }
            guard let identifier else { throw ApplePaySessionRefusal.notConfigured(Self.noIdentifier) }
            return (tenant, Names(merchantIdentifier: identifier, displayName: request.displayName ?? name))
        }
    }

    private static let noIdentifier = "the merchant that the session is for has no merchant_identifier"

    private func identity(_ access: WalletAccess.ApplePay) throws -> MerchantIdentity? {
        do {
            return try access.merchantIdentity(readBy: ports)
        } catch {
            throw ApplePaySessionRefusal.notConfigured("the merchant identity cannot be read: \(error)")
        }
    }

    private static func body(_ request: Request, _ names: Names) -> JSON {
        [
            "merchantIdentifier": .string(names.merchantIdentifier),
            "displayName": .string(String(names.displayName.prefix(64))), "initiative": "web",
            "initiativeContext": .string(request.domain),
        ]
    }

    /// Apple answers 417 now and then for what it takes a moment later, so it counts as passing.
    private static func isWorthRepeating(_ result: SendResult) -> Bool {
        switch result {
        case .failure, .held: true
        case .reply(let reply): reply.status == 417 || reply.status >= 500
        }
    }

    private static func session(in result: SendResult) throws(ApplePaySessionRefusal) -> [UInt8] {
        switch result {
        case .failure(let reason, _), .held(let reason): throw .unreachable(reason)
        case .reply(let reply):
            guard reply.status == 200, case .object? = try? JSON.parse(reply.body, depthLimit: 16) else {
                let message = (try? JSON.parse(reply.body, depthLimit: 16))?["statusMessage"]?.stringValue
                throw .refusedByApple(status: reply.status, message: message.map { String($0.prefix(300)) })
            }
            return reply.body
        }
    }
}

/// Why there is no Apple Pay session.
package enum ApplePaySessionRefusal: Error, Hashable, Sendable {
    /// The marketplace lacks what a session needs; the sentence says what.
    case notConfigured(String)
    /// The marketplace has no merchant with that external identifier.
    case unknownMerchant
    /// Apple answered something else than a session.
    case refusedByApple(status: Int, message: String?)
    /// Apple could not be reached, or did not answer in time.
    case unreachable(String)
}
