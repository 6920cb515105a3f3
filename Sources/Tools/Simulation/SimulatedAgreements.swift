import AdapterKit
import Domain
import Gateway
import SQL
import SQLiteDatabase
import Storage
import Synchronization
import Wiring

/// What buyers let one merchant charge while they are away: first payments, charges, and ends.
final class SimulatedAgreements: Sendable {
    /// What is ordered under a key.
    private enum Demand: Sendable {
        case first(OrderDraft)
        case charge(ChargeDraft, AgreementID)
    }

    private struct State {
        var number = 0
        var terms: [AgreementID: AgreementTerms] = [:]
        var demands: [String: Demand] = [:]
        var orders: [String: Set<OrderID>] = [:]
        /// When each agreement's end was acknowledged.
        var ended: [AgreementID: Timestamp] = [:]
        var waiting: [Task<Void, Never>] = []
    }

    private let world: SimulatedWorld
    private let state = Mutex(State())

    init(_ world: SimulatedWorld) { self.world = world }

    /// The merchants whose PSP keeps what network tokens are paid with.
    private var shops: [SimulatedMarket.Shop] {
        world.market.shops.filter { shop in
            let support = AdapterCatalog.psps["\(shop.twin)"]?.capabilities.agreements
            return shop.name == "shop-\(shop.twin)" && support?.storesCredentials.contains(.networkToken) == true
        }
    }

    /// Somebody makes an agreement, and begins it with a first payment.
    ///
    /// - Throws: nothing that dice bring about.
    func begin(at instance: SimulatedInstance, _ dice: inout SeededDice) throws {
        guard let shop = shops.randomElement(using: &dice) else { return }
        let amount = dice.number(in: 20...300) * 100
        let terms = AgreementTerms(
            type: dice.pick([(3, .recurring), (1, .deferred)]),
            currency: world.currency,
            bound: dice.pick([(1, .fixed(amount)), (2, .maximum(amount * 2))]),
            description: "what a simulated buyer agreed to"
        )
        let money = try Money(minorUnits: amount, currency: world.currency)
        let credential = shop.twin.credential(dice.pick([(8, 0), (1, 1), (1, 114), (1, 206)]))
        start { [self] in
            let wanted = AgreementDraft(externalIdentifier: shop.name, terms: terms)
            let marketplace = SimulatedMarket.marketplace
            guard let made = try? await instance.gateway.agreements.create(wanted, of: marketplace) else { return }
            let context = OrderDraft.Context(
                externalIdentifier: shop.name,
                amount: money,
                payment: .init(credential: credential, pspAccount: "\(shop.twin)"),
                agreement: made.id
            )
            let draft = OrderDraft(amount: money, policy: .allOrNothing, onDeadline: .continue, contexts: [context])
            let key = state.withLock { state in
                state.number += 1
                state.terms[made.id] = terms
                state.demands["agreed-\(state.number)"] = .first(draft)
                return "agreed-\(state.number)"
            }
            world.trace.tell("\(made.id) is agreed at \(shop.name): \(terms.bound) as \(terms.type)")
            await ask(key, at: instance)
        }
    }

    /// A merchant charges under an agreement, sometimes more than was agreed.
    ///
    /// - Throws: nothing that dice bring about.
    func charge(at instance: SimulatedInstance, _ dice: inout SeededDice) throws {
        let known = state.withLock { $0.terms }.sorted { $0.key < $1.key }
        guard let (id, terms) = known.randomElement(using: &dice) else { return }
        let most =
            switch terms.bound {
            case .fixed(let amount), .maximum(let amount): amount
            }
        let amount = dice.pick([(4, most), (1, most + 100)])
        let reason: ChargeReason = terms.type == .deferred ? .deferred : .recurring
        let charge = ChargeDraft(
            amount: try Money(minorUnits: amount, currency: terms.currency),
            reason: dice.pick([(6, reason), (1, .resubmission)])
        )
        let key = state.withLock { state in
            state.number += 1
            state.demands["agreed-\(state.number)"] = .charge(charge, id)
            return "agreed-\(state.number)"
        }
        start { [self] in await ask(key, at: instance) }
    }

    /// Somebody ends an agreement.
    func end(at instance: SimulatedInstance, _ dice: inout SeededDice) {
        let known = state.withLock { $0.terms.keys.sorted() }
        guard let id = known.randomElement(using: &dice) else { return }
        start { [self] in
            let marketplace = SimulatedMarket.marketplace
            guard (try? await instance.gateway.agreements.end(id, of: marketplace, by: .instance(instance.name))) != nil
            else { return }
            world.trace.tell("\(id) is ended")
            state.withLock { $0.ended[id] = $0.ended[id] ?? world.clock.now }
        }
    }

    /// Everybody asks again under the same keys.
    func repeatAll(at instance: SimulatedInstance) {
        for key in state.withLock({ $0.demands.keys.sorted() }) { start { [self] in await ask(key, at: instance) } }
    }

    /// Nobody waits any longer.
    func leave() { for task in state.withLock({ $0.waiting }) { task.cancel() } }

    private func start(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        state.withLock { $0.waiting.append(task) }
    }

    private func ask(_ key: String, at instance: SimulatedInstance) async {
        guard let demand = state.withLock({ $0.demands[key] }) else { return }
        let use = IdempotencyTable.Use(
            marketplace: SimulatedMarket.marketplace,
            scope: "POST /v1/orders",
            key: key,
            bodyHash: key
        )
        do {
            let answer: Gateway.Answer?
            switch demand {
            case .first(let draft): answer = try await instance.gateway.place(draft, under: use)
            case .charge(let charge, let id):
                answer = try await instance.gateway.charge(charge, under: id, under: use)
            }
            guard let order = answer?.order else { return }
            world.trace.tell("\(key) made \(order)")
            state.withLock { _ = $0.orders[key, default: []].insert(order) }
        } catch {
            world.trace.tell("\(key) made nothing: \(error)")
        }
    }
}

extension SimulatedAgreements {
    /// What is wrong with what came of agreements.
    ///
    /// - Throws: `SQLError`.
    func complaints(_ orders: [Order]) throws -> [String] {
        let (terms, told, ended) = state.withLock { ($0.terms, $0.orders, $0.ended) }
        var found = told.filter { $0.value.count > 1 }.map { "\($0.key) made \($0.value.count) orders" }
        for (id, terms) in terms.sorted(by: { $0.key < $1.key }) {
            let charges = orders.filter { $0.agreement?.agreement == id && $0.agreement?.charge != nil }
            found += complaints(about: charges, of: id, terms, endedAt: ended[id])
            guard
                let agreement = try world.database.look({ session in
                    try AgreementTable.find(id, of: SimulatedMarket.marketplace, in: session)
                })
            else { continue }
            if !agreement.openCharges.isEmpty || agreement.isFirstPaymentOpen {
                found.append("\(id) waits for a payment")
            }
            // What a first payment has stored, if anything, is known once a person has found out what became of that.
            let waits = orders.contains { order in
                order.agreement?.agreement == id && order.agreement?.charge == nil
                    && order.attention.contains { [.overdue, .unknownOutcome].contains($0.reason) }
            }
            if ended[id] != nil, agreement.state != .ended, !waits {
                found.append("\(id) is \(agreement.state.rawValue) for ever")
            }
            if agreement.isOver, !agreement.unerased.isEmpty { found.append("\(id) is over, and its method is kept") }
            let first = orders.first { $0.id == agreement.firstOrder }
            if agreement.state == .pending, first?.decision.state == .accepted {
                found.append("\(id) is paid for the first time, and pending")
            }
        }
        return found
    }

    private func complaints(
        about charges: [Order],
        of id: AgreementID,
        _ terms: AgreementTerms,
        endedAt end: Timestamp?
    ) -> [String] {
        var found: [String] = []
        for charge in charges {
            let isWithin =
                switch terms.bound {
                case .fixed(let amount): charge.amount.minorUnits == amount
                case .maximum(let amount): charge.amount.minorUnits <= amount
                }
            if !isWithin { found.append("\(id) was charged \(charge.amount.minorUnits)") }
            // An instance's clock may be ahead.
            if let end, charge.createdAt > end.adding(milliseconds: 3000) {
                found.append("\(id) was charged behind its end")
            }
        }
        if terms.type == .deferred, charges.count(where: { $0.decision.state == .accepted }) > 1 {
            found.append("\(id) is deferred, and was charged twice")
        }
        return found
    }
}
