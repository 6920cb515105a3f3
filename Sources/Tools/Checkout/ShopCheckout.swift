import StrictJSON
import TributaryClient

/// Why the shop does not do what a page asks.
struct ShopRefusal: Error, Hashable, Sendable {
    /// The HTTP status.
    let status: Int
    /// A word for the page.
    let code: String
    /// A sentence for the buyer.
    let detail: String
    /// What Apple's sheet is told.
    var applePay: JSON?

    /// The cart is not known any more.
    static let noCart = ShopRefusal(status: 404, code: "no_cart", detail: "Your cart has expired. Reload the page.")

    /// What the page sent cannot be read.
    static let unreadable = ShopRefusal(status: 400, code: "invalid_request", detail: "The page sent something wrong.")

    /// Tributary did not answer: what was asked may have been done, and may be asked again.
    static let noAnswer = ShopRefusal(
        status: 503,
        code: "no_answer",
        detail: "We have no answer yet. Try again: nothing is paid twice."
    )

    /// The body of the answer.
    var json: JSON {
        .object(omittingAbsent: ["code": .string(code), "detail": .string(detail), "apple_pay": applePay])
    }
}

/// What the shop does for a cart.
struct ShopCheckout: Sendable {
    let settings: ShopSettings
    let client: TributaryClient
    let carts: Carts
    /// Where buyers come back to.
    let returnURL: @Sendable () -> String

    /// The cart as the page shows it, with its order if there is one.
    ///
    /// - Throws: ``ShopRefusal``.
    func cart(_ id: String) async throws(ShopRefusal) -> JSON {
        guard var attempt = await carts.attempt(of: id) else { throw .noCart }
        var order: CartOrder?
        if let placed = attempt.orderID {
            let known = CartOrder(try await find(placed))
            order = known
            if known.isRefused, let next = await carts.beginAnother(of: id, behind: attempt.number) { attempt = next }
        }
        return .object(omittingAbsent: [
            "attempt": .integer(Int64(attempt.number)), "currency": .string(settings.currency),
            "amount": .integer(settings.total), "items": .array(settings.items.map(Self.item)),
            "policies": .array(
                PolicyChoice.allCases.map { ["id": .string($0.rawValue), "name": .string($0.name(settings))] }
            ),
            "cards": .array(TestCard.allCases.map { ["id": .string($0.rawValue), "name": .string($0.name)] }),
            "wallet": settings.wallet.map(wallet), "order": order.map { $0.json(settings) },
        ])
    }

    /// The order that the latest attempt with one has made; null if there is none.
    ///
    /// - Throws: ``ShopRefusal``.
    func order(_ id: String) async throws(ShopRefusal) -> JSON {
        guard let order = try await latestOrder(id) else { return .null }
        return CartOrder(order).json(settings)
    }

    /// Pays the cart.
    ///
    /// - Throws: ``ShopRefusal``.
    func place(_ body: JSON, for id: String) async throws(ShopRefusal) -> JSON {
        guard let number = body["attempt"]?.integerValue, let order = await order(body, for: id) else {
            throw .unreadable
        }
        switch await carts.decide(order, attempt: Int(clamping: number), of: id) {
        case nil: throw .noCart
        case .show(let known):
            return CartOrder(try await find(known)).json(settings)
        case .place(let order, let attempt):
            return CartOrder(try await place(order, attempt, for: id)).json(settings)
        }
    }

    private func place(
        _ order: TributaryClient.NewOrder,
        _ attempt: Carts.Attempt,
        for id: String
    ) async throws(ShopRefusal) -> TributaryClient.Order {
        do throws(TributaryClient.Failure) {
            let placed = try await client.place(order, idempotencyKey: attempt.idempotencyKey)
            await carts.record(placed.id, of: attempt, in: id)
            return placed
        } catch {
            guard case .refused(let problem) = error else {
                if error.leavesDoubt { await carts.doubt(attempt, of: id) }
                throw .noAnswer
            }
            switch problem.code {
            // Key and reference are the attempt's own: whose they are is the order that it has made.
            case "idempotency_key_reused", "reference_in_use":
                guard let known = problem.order else { throw .noAnswer }
                await carts.record(known, of: attempt, in: id)
                return try await find(known)
            default:
                // A refusal says nothing of an earlier request, unless it has looked the key up.
                let isKnown = problem.status == 409 || problem.status == 422
                guard await carts.forget(attempt, of: id, evenInDoubt: isKnown) else { throw .noAnswer }
                throw ShopRefusal(problem)
            }
        }
    }

    /// Asks what came of the step that the buyer comes back from.
    ///
    /// - Throws: ``ShopRefusal``.
    func comeBack(_ body: JSON, for id: String) async throws(ShopRefusal) {
        guard let order = try await latestOrder(id) else { return }
        let named = body["payment"]?.stringValue
        for payment in order.payments where payment.action != nil {
            guard named == nil || named == payment.id else { continue }
            do throws(TributaryClient.Failure) {
                _ = try await client.complete(payment: payment.id)
            } catch {
                // What needs no step any more is done: the order says what came of it.
                guard case .refused = error else { throw .noAnswer }
            }
        }
    }

    // MARK: Apple Pay

    /// Makes the request for Apple's sheet.
    ///
    /// - Throws: ``ShopRefusal``.
    func preparePayment(for id: String) async throws(ShopRefusal) -> JSON {
        guard let wallet = settings.wallet else { throw .unreadable }
        let contexts = settings.items.map { item -> JSON in
            ["external_identifier": .string(item.merchant), "amount": .integer(item.amount)]
        }
        let body: JSON = [
            "currency": .string(settings.currency), "amount": .integer(settings.total),
            "country": .string(wallet.country), "contexts": .array(contexts),
        ]
        let answer = try await asking { () throws(TributaryClient.Failure) in try await client.preparePayment(body) }
        guard let request = answer["id"]?.stringValue else { throw .noAnswer }
        await carts.add(paymentRequest: request, to: id)
        return .object(omittingAbsent: [
            "id": .string(request), "request": answer["request"], "expires_at": answer["expires_at"],
            "merchant_identifier": wallet.merchantIdentifier.map(JSON.string),
        ])
    }

    /// Starts a session for Apple's sheet.
    ///
    /// - Throws: ``ShopRefusal``.
    func startSession(_ body: JSON) async throws(ShopRefusal) -> JSON {
        guard let wallet = settings.wallet else { throw .unreadable }
        let asked = JSON.object(omittingAbsent: [
            "domain": .string(wallet.domain), "validation_url": body["validation_url"],
        ])
        return try await asking { () throws(TributaryClient.Failure) in try await client.startApplePaySession(asked) }
    }

    // MARK: Parts

    private func latestOrder(_ id: String) async throws(ShopRefusal) -> TributaryClient.Order? {
        guard let attempt = await carts.attempt(of: id) else { throw .noCart }
        var known = attempt.orderID
        if known == nil { known = await carts.order(before: attempt.number, of: id) }
        guard let known else { return nil }
        return try await find(known)
    }

    private func find(_ order: String) async throws(ShopRefusal) -> TributaryClient.Order {
        try await asking { () throws(TributaryClient.Failure) in try await client.order(order) }
    }

    /// The order that a page's words stand for; nil if they cannot be read.
    private func order(_ body: JSON, for id: String) async -> TributaryClient.NewOrder? {
        guard let policy = body["policy"]?.stringValue.flatMap(PolicyChoice.init(rawValue:)),
            let payment = body["payment"]
        else { return nil }
        var contexts: [TributaryClient.NewOrder.Context] = []
        for item in settings.items {
            contexts.append(.init(item.merchant, amount: item.amount))
            guard payment["type"] == "cards" else { continue }
            let name = payment["cards"]?[item.merchant]?.stringValue
            guard let card = name.flatMap(TestCard.init(rawValue:)) else { return nil }
            contexts[contexts.count - 1].payment = .pspToken(card.token, pspAccount: item.pspAccount)
        }
        var order = TributaryClient.NewOrder(
            currency: settings.currency,
            policy: policy.policy(settings),
            contexts: contexts
        )
        order.returnURL = returnURL()
        switch payment["type"] {
        case "cards": return order
        case "apple_pay":
            guard let token = payment["token"], let request = payment["payment_request"]?.stringValue,
                await carts.knows(paymentRequest: request, of: id)
            else { return nil }
            order.payment = .applePay(token.text)
            order.paymentRequest = request
            return order
        default: return nil
        }
    }

    private func asking<Value: Sendable>(
        _ body: () async throws(TributaryClient.Failure) -> Value
    ) async throws(ShopRefusal) -> Value {
        do throws(TributaryClient.Failure) {
            return try await body()
        } catch {
            guard case .refused(let problem) = error else { throw .noAnswer }
            throw ShopRefusal(problem)
        }
    }

    private static func item(_ item: ShopSettings.Item) -> JSON {
        [
            "merchant": .string(item.merchant), "merchant_name": .string(item.merchantName),
            "name": .string(item.name), "amount": .integer(item.amount),
        ]
    }

    private func wallet(_ wallet: ShopSettings.Wallet) -> JSON {
        .object(omittingAbsent: [
            "domain": .string(wallet.domain), "publishable_key": wallet.publishableKey.map(JSON.string),
            "gateway": wallet.publishableKey.map { _ in .string(settings.gatewayURL) },
        ])
    }
}

extension TributaryClient.Failure {
    /// Whether what was asked may have been done.
    fileprivate var leavesDoubt: Bool {
        switch self {
        case .refused, .nothingNamed: false
        case .noAnswer(let answer): answer.mayHaveHappened
        case .unreadable: true
        }
    }
}

extension ShopRefusal {
    /// A refusal of Tributary's: never a reason for the page to ask the same again.
    init(_ problem: TributaryClient.Problem) {
        let isBusy = problem.status == 429
        self.init(
            status: isBusy ? 503 : 422,
            code: problem.code,
            detail: isBusy ? "The shop is busy. Try again in a moment." : "This cannot be paid: \(problem.detail)",
            applePay: problem.document?["apple_pay"]
        )
    }
}
