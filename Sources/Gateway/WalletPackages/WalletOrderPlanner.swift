import Domain
import SQL
import Storage
import StrictJSON
import WalletOrders

/// Decides whether an order that is about to be placed is followed in Wallet, and makes sure that its package can be made.
struct WalletOrderPlanner: Sendable {
    /// What is written down with the order.
    struct Plan: Sendable {
        /// What the order says of it.
        let reference: WalletOrderReference
        /// What the buyer reads, sealed for the order.
        let details: CredentialTable.Sealed
    }

    let builder: WalletPackageBuilder
    let attention: WalletAttention
    let vault: Vault

    /// Plans the package of an order.
    ///
    /// - Parameters:
    ///   - draft: what the checkout asked for, with its tokens as they came.
    ///   - order: the order that was made of it.
    ///   - marketplace: the marketplace; nil if it was not read, because nothing asks for a package.
    ///   - names: the names of merchants by their external identifiers.
    ///   - now: the real time.
    /// - Returns: nil if nobody follows the order: it is not paid with Apple Pay and does not ask for it. Where what signs cannot
    ///   be used, which somebody is told, it is followed once it can be, and the sheet is not told of it.
    /// - Throws: ``PlacementRefusal`` if the package could never be made, or what the vault throws.
    func plan(
        _ draft: OrderDraft,
        of order: Order,
        in marketplace: MarketplaceTable.Marketplace?,
        merchants names: [String: String],
        at now: Timestamp
    ) async throws -> Plan? {
        guard let marketplace, order.terms.wallet == .applePay || draft.walletOrder != nil else { return nil }
        guard let access = marketplace.wallets.orders else {
            if draft.walletOrder != nil { throw PlacementRefusal.invalid([Self.notConfigured]) }
            return nil
        }
        var identity: WalletOrderIdentity?
        do throws(UnusableWallet) {
            identity = try builder.signers.identity(of: marketplace, at: now).1
        } catch {
            await attention.raise(.unsigned, error.description, of: marketplace.id)
        }
        let details = WalletOrderDetails(draft, of: order, merchants: names)
        let place = JSONPointer.root.appending("wallet_order")
        do throws(WalletOrderProblems) {
            try details.check()
            let subject = WalletPackageBuilder.Subject(order: order, details: details, marketplace: marketplace.name)
            let issue = builder.issue(order.id.text, access.type, updatedAt: order.createdAt.wholeSecond)
            _ = try builder.files(of: subject, issue: issue, access, identity)
        } catch {
            throw PlacementRefusal.invalid(error.violations(at: place))
        }
        return Plan(
            reference: WalletOrderReference(
                type: access.type,
                webServiceURL: access.webServiceURL,
                isOfferedToSheet: identity != nil
            ),
            details: try vault.seal(details.document, WalletDetailsTable.context(order.id))
        )
    }

    private static let notConfigured = Violation(
        pointer: "/wallet_order",
        code: "wallet_orders_not_configured",
        detail: "The marketplace declares no wallet_orders, so that nobody can follow its orders."
    )
}

extension WalletOrderPlanner.Plan {
    /// Writes down that an order is followed, in the transaction that writes the order down.
    func insert(_ order: Order, at now: Timestamp, in session: any Session) throws(SQLError) {
        try WalletOrderTable.insert(
            order,
            type: reference.type,
            at: now,
            saying: order.createdAt,
            in: session
        )
        try WalletDetailsTable.insert(details, of: order.id, in: session)
    }
}

extension WalletOrderProblems {
    /// What is wrong, at a place of a request's body: what is told is not told in the words of `order.json`.
    func violations(at place: JSONPointer) -> [Violation] {
        all.map { problem in
            Violation(
                pointer: place.text,
                code: "wallet_order_invalid",
                detail: "Wallet would not show the order: order.json\(problem.pointer): \(problem.detail)"
            )
        }
    }
}

/// Which packages show something else after a step of their order.
enum WalletOrderSteps {
    private static let issue = WalletOrderInput.Issue(
        orderIdentifier: "",
        authenticationToken: Secret(""),
        updatedAt: Timestamp(microseconds: 0)
    )
    private static let texts = WalletOrderTexts(
        displayName: "",
        orderManagementURL: "",
        webServiceURL: "",
        orderTypeIdentifier: "",
        merchantIdentifier: ""
    )

    /// Raises the versions of the packages that show something else, in the step's transaction; a retry, an inquiry and
    /// whatever else Wallet does not show change none.
    static func write(
        _ order: Order,
        since stored: Order,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard order.walletOrder != nil, shown(order, nil) != shown(stored, nil) else { return }
        let payments = order.payments.map(\.id).filter { shown(order, $0) != shown(stored, $0) }
        try WalletOrderTable.raise(order.id, payments: payments, at: now, saying: order.time(at: now), in: session)
    }

    /// What a package shows of an order alone.
    static func shown(_ order: Order, _ payment: PaymentID?) -> WalletOrderInput {
        WalletOrderInput(
            order: order,
            of: payment,
            merchantNames: [:],
            content: WalletOrderInput.Content(),
            issue: issue,
            texts: texts
        )
    }
}
