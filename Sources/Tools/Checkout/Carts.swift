import TributaryClient

/// The carts of a shop, by the cookie that a browser keeps, and what was tried to pay each.
///
/// An attempt has one idempotency key and one body, however often the page asks: whoever repeats it joins the order that
/// it has made. A new attempt begins only once the order before was refused.
actor Carts {
    /// One try to pay a cart.
    struct Attempt: Sendable {
        /// The number, from 1.
        let number: Int
        /// The key that its order is placed under.
        let idempotencyKey: String
        /// What its order is called at Tributary; whoever reads it there knows neither the key nor the cart.
        let reference: String
        /// What is placed; nil until somebody pays, and again if it was refused unseen.
        var order: TributaryClient.NewOrder?
        /// Whether a request that got no answer may have made an order.
        var isInDoubt = false
        /// The id of the order that it has made.
        var orderID: String?
    }

    /// What to do for a page that pays.
    enum Decision: Sendable {
        /// Show this order.
        case show(order: String)
        /// Place this, for this attempt.
        case place(TributaryClient.NewOrder, Attempt)
    }

    private struct Cart {
        var attempts: [Attempt]
        var paymentRequests: Set<String> = []
    }

    /// How many carts are kept; the oldest go first.
    private static let limit = 10_000

    private var carts: [String: Cart] = [:]
    private var ages: [String] = []

    /// A new cart's id, 128 bits of chance.
    func make() -> String {
        let id = Self.random()
        carts[id] = Cart(attempts: [Self.attempt(1)])
        ages.append(id)
        if ages.count > Self.limit { carts[ages.removeFirst()] = nil }
        return id
    }

    /// Whether there is such a cart.
    func has(_ id: String) -> Bool { carts[id] != nil }

    /// The latest attempt; nil if there is no such cart.
    func attempt(of id: String) -> Attempt? { carts[id]?.attempts.last }

    /// The order of the latest attempt before that one which has made one.
    func order(before number: Int, of id: String) -> String? {
        carts[id]?.attempts.last { $0.number < number && $0.orderID != nil }?.orderID
    }

    /// Begins a new attempt behind one whose order was refused, unless somebody has.
    func beginAnother(of id: String, behind number: Int) -> Attempt? {
        guard let latest = carts[id]?.attempts.last else { return nil }
        guard latest.number == number else { return latest }
        let next = Self.attempt(number + 1)
        carts[id]?.attempts.append(next)
        return next
    }

    /// Remembers a payment request that was made for the cart.
    func add(paymentRequest: String, to id: String) { carts[id]?.paymentRequests.insert(paymentRequest) }

    /// Whether a payment request was made for the cart.
    func knows(paymentRequest: String, of id: String) -> Bool {
        carts[id]?.paymentRequests.contains(paymentRequest) ?? false
    }

    /// What to do for a page that pays: the first order of an attempt counts, whatever a repeat says.
    func decide(_ order: TributaryClient.NewOrder, attempt number: Int, of id: String) -> Decision? {
        guard let attempts = carts[id]?.attempts,
            let index = attempts.firstIndex(where: { $0.number == number }) ?? attempts.indices.last
        else { return nil }
        if let known = attempts[index].orderID { return .show(order: known) }
        var attempt = attempts[index]
        if attempt.order == nil {
            attempt.order = order
            // An attempt's own, for what the refused order before it holds may still be on its way back.
            attempt.order?.reference = attempt.reference
            carts[id]?.attempts[index] = attempt
        }
        return attempt.order.map { .place($0, attempt) }
    }

    /// Remembers the order that an attempt has made.
    func record(_ order: String, of attempt: Attempt, in id: String) {
        change(attempt, of: id) { $0.orderID = order }
    }

    /// Remembers that an attempt may have made an order, for all that is known.
    func doubt(_ attempt: Attempt, of id: String) {
        change(attempt, of: id) { $0.isInDoubt = true }
    }

    /// Lets another body be sent: the one before was refused, which uses up no key.
    ///
    /// - Parameters:
    ///   - attempt: whose body it was.
    ///   - id: the cart's id.
    ///   - evenInDoubt: whether the refusal rules out that an earlier request made an order.
    /// - Returns: false if there may be an order all the same; then nothing is changed.
    func forget(_ attempt: Attempt, of id: String, evenInDoubt: Bool) -> Bool {
        let isInDoubt = carts[id]?.attempts.first { $0.number == attempt.number }?.isInDoubt ?? false
        guard evenInDoubt || !isInDoubt else { return false }
        change(attempt, of: id) { attempt in
            attempt.isInDoubt = false
            if attempt.orderID == nil { attempt.order = nil }
        }
        return true
    }

    private func change(_ attempt: Attempt, of id: String, _ body: (inout Attempt) -> Void) {
        guard let index = carts[id]?.attempts.firstIndex(where: { $0.number == attempt.number }),
            var changed = carts[id]?.attempts[index]
        else { return }
        body(&changed)
        carts[id]?.attempts[index] = changed
    }

    private static func attempt(_ number: Int) -> Attempt {
        Attempt(number: number, idempotencyKey: random(), reference: "cart-" + random())
    }

    private static func random() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
