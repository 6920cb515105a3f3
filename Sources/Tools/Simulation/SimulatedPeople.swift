import AdapterKit
import Domain
import Gateway
import PSPSimulator
import Storage
import Synchronization

/// What people do: checkouts that repeat themselves, the marketplace, and those who work in a PSP's portal.
final class SimulatedPeople: Sendable {
    private struct State {
        var drafts: [Int: OrderDraft] = [:]
        var answers: [Int: [Gateway.Answer]] = [:]
        var complaints: [String] = []
        var requests: [Request] = []
        var refunds: [String: Set<RefundID>] = [:]
        var waiting: [Task<Void, Never>] = []
    }

    /// Something that the marketplace asked of an order, and under which key.
    private struct Request: Sendable {
        let key: String
        let request: OrderRequest
        let order: OrderID
    }

    private let world: SimulatedWorld
    /// What many payments have in common: a number, which is read against the table of what PSPs make of payments.
    private let leaning: UInt64
    private let state = Mutex(State())

    init(_ world: SimulatedWorld, leaning: UInt64) { (self.world, self.leaning) = (world, leaning) }

    /// A checkout orders something at an instance, and asks again if it hears nothing.
    ///
    /// - Throws: nothing that dice bring about.
    func order(_ number: Int, at instance: SimulatedInstance, _ dice: inout SeededDice) throws {
        let draft = try draft(number, &dice)
        state.withLock { $0.drafts[number] = draft }
        place(number, draft, at: instance)
    }

    /// A checkout sends the same again.
    func repeatOrder(_ number: Int, at instance: SimulatedInstance, _ dice: inout SeededDice) {
        let (draft, isAnswered) = state.withLock { ($0.drafts[number], $0.answers[number]?.isEmpty == false) }
        guard let draft else { return }
        if isAnswered, dice.falls(15) { return placeAnother(number, draft, at: instance) }
        place(number, draft, at: instance)
    }

    /// A checkout sends something else under a key that made an order.
    private func placeAnother(_ number: Int, _ draft: OrderDraft, at instance: SimulatedInstance) {
        let use = Self.use("order-\(number)", "another")
        start { [self] in
            do {
                _ = try await instance.gateway.place(draft, under: use)
                state.withLock { $0.complaints.append("checkout \(number) got an answer to something else") }
            } catch PlacementRefusal.keyReused {
                world.trace.tell("checkout \(number) may not use its key for something else")
            } catch {
                world.trace.tell("checkout \(number) hears nothing: \(error)")
            }
        }
    }

    private static func use(_ key: String, _ bodyHash: String) -> IdempotencyTable.Use {
        IdempotencyTable.Use(
            marketplace: SimulatedMarket.marketplace,
            scope: "POST /v1/orders",
            key: key,
            bodyHash: bodyHash
        )
    }

    private func start(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        state.withLock { $0.waiting.append(task) }
    }

    /// Every checkout sends the same again.
    func repeatAll(at instance: SimulatedInstance) {
        for (number, draft) in state.withLock({ $0.drafts }).sorted(by: { $0.key < $1.key }) {
            place(number, draft, at: instance)
        }
    }

    /// Forgets what was answered: the books know less of it now.
    func forgetAnswers() { state.withLock { ($0.answers, $0.refunds) = ([:], [:]) } }

    /// Nobody waits any longer.
    func leave() { for task in state.withLock({ $0.waiting }) { task.cancel() } }

    /// What is wrong with what they were told: one key is one order, and its final answer is the same for ever.
    func complaints(_ orders: [Order]) -> [String] {
        let (drafts, answers, refusals) = state.withLock { ($0.drafts, $0.answers, $0.complaints) }
        var found = refusals
        let known = Set(orders.map(\.id))
        for (number, told) in answers.sorted(by: { $0.key < $1.key }) {
            if Set(told.map(\.order)).count > 1 { found.append("checkout \(number) is several orders") }
            let final = Set(told.map(\.body).filter { if case .final = $0 { true } else { false } })
            if final.count > 1 { found.append("checkout \(number) was answered in several ways") }
            found += told.filter { !known.contains($0.order) }.map { "\($0.order) was acknowledged and is not there" }
        }
        for (key, refunds) in state.withLock({ $0.refunds }) where refunds.count > 1 {
            found.append("\(key) made \(refunds.count) refunds")
        }
        let made = orders.count { $0.agreement == nil }
        if drafts.count != made { found.append("\(drafts.count) checkouts made \(made) orders") }
        return found
    }

    private func place(_ number: Int, _ draft: OrderDraft, at instance: SimulatedInstance) {
        let use = Self.use("order-\(number)", "\(number)")
        start { [self] in
            for _ in 1...3 {
                do {
                    let answer = try await instance.gateway.place(draft, under: use)
                    let again = answer.isReplay ? "again, " : ""
                    world.trace.tell("checkout \(number) hears: \(again)\(Self.text(answer.body))")
                    return state.withLock { $0.answers[number, default: []].append(answer) }
                } catch let refusal as PlacementRefusal {
                    return state.withLock { $0.complaints.append("checkout \(number) was refused: \(refusal)") }
                } catch {
                    world.trace.tell("checkout \(number) hears nothing: \(error)")
                    guard (try? await world.clock.sleep(until: world.clock.now.adding(milliseconds: 500))) != nil else {
                        return
                    }
                }
            }
        }
    }

    private static func text(_ body: Gateway.Answer.Body) -> String {
        switch body {
        case .final: "a final answer"
        case .undecided(let order): "\(order.status.rawValue)"
        }
    }
}

extension SimulatedPeople {
    /// What a PSP makes of a payment, by the code in the table of amounts and numbers; most are approved.
    private static func codes(at twin: PSPTwin) -> [(weight: Int, value: Int)] {
        let later = twin.answersLater
        var codes = [
            (50, 0), (2, 1), (2, 10), (1, 101), (2, 111), (2, 113), (2, 114), (2, 115), (3, 206), (2, 208),
            (3, 301), (3, 316), (2, 318), (3, 416), (2, 418), (2, 501), (2, 502), (2, 503), (6, 504), (5, 516),
            (2, 518),
        ]
        // Of what it captures without being asked, Adyen tells nothing but in its settlement report.
        if twin.dialect != .adyen { codes.append((3, 112)) }
        if later.contains(.capture) { codes += [(4, 302), (4, 303), (3, 341)] }
        if later.contains(.void) { codes.append((3, 441)) }
        if later.contains(.refund) { codes.append((5, 541)) }
        return codes.map { (weight: $0.0, value: $0.1) }
    }

    /// A checkout of one to four payments.
    private func draft(_ number: Int, _ dice: inout SeededDice) throws -> OrderDraft {
        let currency = world.currency
        let count = dice.pick([(3, 1), (4, 2), (2, 3), (1, 4)])
        let shops = world.market.shops.shuffled(using: &dice).prefix(count)
        var (total, text) = (Int64(0), [String]())
        let contexts = try shops.map { shop in
            let amount = dice.number(in: 20...300) * 100
            let codes = Self.codes(at: shop.twin)
            let common = codes[Int(leaning % UInt64(codes.count))].value
            let code = dice.falls(30) ? common : dice.pick(codes)
            total += amount
            text.append("\(shop.name) \(amount) as \(code)")
            return OrderDraft.Context(
                externalIdentifier: shop.name,
                amount: try Money(minorUnits: amount, currency: currency),
                payment: .init(credential: shop.twin.credential(code), pspAccount: "\(shop.twin)")
            )
        }
        let policy = dice.pick([
            (4, Policy.allOrNothing), (2, .bestEffort), (2, .required([contexts[0].externalIdentifier])),
            (2, .minimum(dice.number(in: 1...total))),
        ])
        let capture = dice.pick([(3, OrderTerms.Capture.automatic), (2, .manual)])
        world.trace.tell("checkout \(number): \(text.joined(separator: ", ")); \(policy.name), \(capture)")
        return OrderDraft(
            reference: "cart-\(number)",
            amount: try Money(minorUnits: total, currency: currency),
            policy: policy,
            capture: capture,
            deadlineMilliseconds: dice.number(in: 500...20_000),
            onDeadline: dice.pick([(1, nil), (1, .abandon), (2, .continue)]),
            onCaptureFailure: dice.pick([(2, .attention), (1, .compensate)]),
            contexts: contexts
        )
    }

    /// A checkout pays a single merchant, in one call where a PSP can, which makes something unusual of it: it refuses, or
    /// approves a part, errs or does not answer.
    ///
    /// - Throws: nothing that dice bring about.
    func sell(_ number: Int, at instance: SimulatedInstance, _ dice: inout SeededDice) throws {
        // Where a PSP cannot be asked, all rests on what the books know.
        let shops = world.market.shops
        let unasked = shops.filter { !$0.twin.isAskedByReference }
        let isUnasked = dice.falls(50) && !unasked.isEmpty
        guard let shop = (isUnasked ? unasked : shops).randomElement(using: &dice) else { return }
        // Worldpay's record tells what was asked for, whatever was approved of it.
        let part = shop.twin.dialect == .worldpay ? 0 : 4
        let codes = [(weight: 3, value: 101), (part, 111), (1, 0), (1, 206), (1, 114), (1, 208)]
        try sell(number, by: shop, as: codes, capturing: .automatic, at: instance, &dice)
    }

    /// A checkout pays a single merchant at the PSP in a place, which makes of it what a code in the table of amounts and numbers
    /// says.
    ///
    /// - Throws: nothing that dice bring about.
    func sell(
        _ number: Int,
        of place: Int,
        as code: Int,
        at instance: SimulatedInstance,
        _ dice: inout SeededDice
    ) throws {
        guard let shop = world.market.shops.filter({ $0.place == place }).randomElement(using: &dice) else { return }
        let capture = code == 0 ? dice.pick([(1, OrderTerms.Capture.automatic), (1, .manual)]) : .manual
        try sell(number, by: shop, as: [(1, code)], capturing: capture, at: instance, &dice)
    }

    private func sell(
        _ number: Int,
        by shop: SimulatedMarket.Shop,
        as codes: [(weight: Int, value: Int)],
        capturing capture: OrderTerms.Capture,
        at instance: SimulatedInstance,
        _ dice: inout SeededDice
    ) throws {
        let money = try Money(minorUnits: dice.number(in: 20...300) * 100, currency: world.currency)
        let code = dice.pick(codes)
        world.trace.tell("checkout \(number): \(shop.name) \(money.minorUnits) as \(code), alone")
        let draft = OrderDraft(
            reference: "cart-\(number)",
            amount: money,
            policy: dice.pick([(1, .allOrNothing), (1, .bestEffort)]),
            capture: capture,
            deadlineMilliseconds: dice.number(in: 500...20_000),
            onDeadline: .continue,
            contexts: [
                OrderDraft.Context(
                    externalIdentifier: shop.name,
                    amount: money,
                    payment: .init(credential: shop.twin.credential(code), pspAccount: "\(shop.twin)")
                )
            ]
        )
        state.withLock { $0.drafts[number] = draft }
        place(number, draft, at: instance)
    }

    /// The marketplace asks something of an order.
    ///
    /// - Throws: `SQLError`.
    func ask(at instance: SimulatedInstance, _ dice: inout SeededDice) throws {
        let orders = try world.orders()
        guard let order = orders.randomElement(using: &dice),
            let payment = order.payments.randomElement(using: &dice)
        else { return }
        let request = Self.request(about: payment, of: order, &dice)
        let isRepeated = dice.falls(20)
        let known = state.withLock { state -> Request in
            if isRepeated, let earlier = state.requests.randomElement(using: &dice) { return earlier }
            let new = Request(key: "request-\(state.requests.count + 1)", request: request, order: order.id)
            state.requests.append(new)
            return new
        }
        ask(known, at: instance)
    }

    /// The marketplace asks for a part of what there is to be had, whatever the order; nothing where nothing is.
    ///
    /// - Parameters:
    ///   - instance: whom it asks.
    ///   - twin: the PSP that has it; nil for any.
    ///   - isExcessive: whether it asks for more than there is.
    ///   - dice: draws what of it.
    /// - Throws: `SQLError`.
    func demand(
        at instance: SimulatedInstance,
        of twin: PSPTwin? = nil,
        isExcessive: Bool = false,
        _ dice: inout SeededDice
    ) throws {
        func asked(of left: Int64) -> Int64 {
            isExcessive ? left + dice.number(in: 1...left) : dice.number(in: 1...left - 1)
        }
        var demands: [(OrderID, OrderRequest)] = []
        for order in try world.orders() {
            for payment in order.payments where twin.map({ "\($0)" == payment.attempt.route.psp }) ?? true {
                let left = payment.net - payment.chargedBack
                if left > 1 {
                    let amount = asked(of: left)
                    demands.append(
                        (order.id, .refund(RefundRequest(.items([.init(payment: payment.id, amount: amount)]))))
                    )
                }
                if order.terms.capture == .manual, payment.capturable > 1 {
                    let amount = asked(of: payment.capturable)
                    let part = CaptureRequest.Item(payment: payment.id, amount: amount, isFinal: dice.falls(40))
                    demands.append((order.id, .capture(.items([part]))))
                }
            }
        }
        guard let (order, request) = demands.randomElement(using: &dice) else { return }
        let new = state.withLock { state -> Request in
            let new = Request(key: "request-\(state.requests.count + 1)", request: request, order: order)
            state.requests.append(new)
            return new
        }
        ask(new, at: instance)
    }

    /// Something that may be asked of an order; sometimes of more than there is.
    private static func request(about payment: Payment, of order: Order, _ dice: inout SeededDice) -> OrderRequest {
        let share = max(1, payment.amount / dice.number(in: 2...5))
        let part = dice.falls(10) ? payment.amount + share : share
        let capture = CaptureRequest.Item(payment: payment.id, amount: part, isFinal: dice.falls(40))
        if order.terms.capture == .manual, payment.capturable > 0, dice.falls(50) { return .capture(.items([capture])) }
        return dice.pick([
            (3, .capture(.whole)), (3, .capture(.items([capture]))), (2, .cancel), (2, .cancelPayments([payment.id])),
            (3, .refund(RefundRequest(.all))),
            (6, .refund(RefundRequest(.items([.init(payment: payment.id, amount: part)])))),
            (2, .refund(RefundRequest(.proportional(part), borneBy: .marketplace))),
            (2, .complete(payment.id)), (1, .release(.payments([payment.id]))), (1, .retry(nil, by: "ann")),
        ])
    }

    /// What is refused is refused; a request that dies with its instance may or may not have been heard.
    private func ask(_ asked: Request, at instance: SimulatedInstance) {
        world.trace.tell("\(instance.name) is asked of \(asked.order) under \(asked.key): \(asked.request)")
        instance.start { [self] in
            do {
                let subject = Gateway.Orders.Subject(asked.order, of: SimulatedMarket.marketplace)
                let use = Self.use(asked.key, asked.key)
                let result = try await instance.gateway.request(asked.request, of: subject, under: use)
                if let refund = result?.refund?.id {
                    state.withLock { _ = $0.refunds[asked.key, default: []].insert(refund) }
                }
                world.trace.tell("\(instance.name) did as it was asked of \(asked.order)")
            } catch let broken as OrderLogError {
                state.withLock { $0.complaints.append("\(asked.request) would break a rule: \(broken)") }
            } catch {
                world.trace.tell("\(instance.name) refuses: \(error)")
            }
        }
    }
}
