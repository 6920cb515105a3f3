import Domain
import Gateway
import PSPSimulator
import SeededRandom
import Simulation
import Storage
import TributaryTestKit

/// What people do: checkouts, the marketplace, operators, and those who work in the PSP's portal.
extension Walk {
    /// What a PSP makes of a payment, by the code in the table of amounts and numbers; most are approved.
    private var codes: [(weight: Int, value: Int)] {
        let later = stage.twin.answersLater
        var codes = [
            (50, 0), (2, 1), (2, 10), (1, 101), (2, 111), (2, 113), (2, 114), (2, 115), (3, 206), (2, 208),
            (3, 301), (3, 316), (2, 318), (3, 416), (2, 418), (2, 501), (2, 502), (2, 503), (6, 504), (5, 516),
            (2, 518),
        ]
        // Of what it captures without being asked, Adyen tells nothing but in its settlement report.
        if stage.twin.dialect != .adyen { codes.append((3, 112)) }
        if later.contains(.capture) { codes += [(4, 302), (4, 303), (3, 341)] }
        if later.contains(.void) { codes.append((3, 441)) }
        if later.contains(.refund) { codes.append((5, 541)) }
        return codes.map { (weight: $0.0, value: $0.1) }
    }

    /// A checkout of one to three payments at the PSP's accounts.
    mutating func draft(_ key: String) throws -> OrderDraft {
        let shops = stage.shops.shuffled(using: &dice).prefix(Int.random(in: 1...3, using: &dice))
        var total: Int64 = 0
        var text: [String] = []
        let contexts = try shops.map { shop in
            let amount = Int64.random(in: 20...300, using: &dice) * 100
            let code = dice.pick(codes)
            total += amount
            text.append("\(shop.name) \(amount) as \(code)")
            return OrderDraft.Context(
                externalIdentifier: shop.name,
                amount: try TestCheckout.dollars(amount),
                payment: .init(credential: shop.twin.credential(code), pspAccount: "\(stage.twin)")
            )
        }
        let policy = dice.pick([
            (4, Policy.allOrNothing), (2, .bestEffort), (2, .required([contexts[0].externalIdentifier])),
        ])
        let capture = dice.pick([(1, OrderTerms.Capture.automatic), (1, .manual)])
        tell("\(key): \(text.joined(separator: ", ")); \(policy.name), \(capture)")
        return OrderDraft(
            reference: key,
            amount: try TestCheckout.dollars(total),
            policy: policy,
            capture: capture,
            deadlineMilliseconds: Int64.random(in: 500...20_000, using: &dice),
            onDeadline: dice.pick([(1, .abandon), (2, .continue)]),
            onCaptureFailure: dice.pick([(2, .attention), (1, .compensate)]),
            contexts: contexts
        )
    }

    /// The marketplace asks something of an order.
    mutating func ask(at index: Int) async throws {
        let orders = try await LedgerCheck.orders(in: stage.database)
        guard let order = orders.randomElement(using: &dice), let request = request(of: order) else { return }
        let gateway = instances[index].gateway.gateway
        tell("\(order.reference ?? ""): \(Self.text(request))")
        run {
            // What is refused is refused; a request that dies with its instance may or may not have been heard.
            _ = try? await gateway.request(request, of: .init(order.id, of: order.marketplace))
        }
    }

    private mutating func request(of order: Order) -> OrderRequest? {
        guard let payment = order.payments.randomElement(using: &dice) else { return nil }
        let part = max(1, payment.amount / Int64.random(in: 2...5, using: &dice))
        let isFinal = dice.chance(50)
        return dice.pick([
            (3, .capture(.whole)),
            (4, .capture(.items([.init(payment: payment.id, amount: part, isFinal: isFinal)]))),
            (2, .cancel), (2, .cancelPayments([payment.id])), (3, .refund(RefundRequest(.all))),
            (8, .refund(RefundRequest(.items([.init(payment: payment.id, amount: part)])))),
            (2, .complete(payment.id)),
        ])
    }

    /// Somebody works in the PSP's portal, or a bank does.
    mutating func act() async throws {
        let ledgers = Set(stage.shops.map(\.twin.ledger)).sorted()
        let found = await stage.psp.simulator.read { books, now in
            ledgers.flatMap { books.authorizations(of: $0, at: now) }
        }
        guard let chosen = found.randomElement(using: &dice) else { return }
        if chosen.status == .requiresAction { return }
        var action = DashboardAction(deed(on: chosen), to: .id(chosen.id))
        if action.kind == .fail, ![.adyen, .braintree, .worldpay, .checkout].contains(stage.twin.dialect) {
            // At the others a refund can fail after all, a capture cannot.
            let refund = chosen.operations.last { $0.kind == .refund && $0.status == .succeeded }
            guard let refund, stage.twin.dialect != .authorizeNet else { return }
            action.subject = refund.id
        }
        let whole = chosen.status == .authorized ? chosen.held : chosen.captured - chosen.refunded - chosen.chargedBack
        if [.capture, .refund, .dispute].contains(action.kind), dice.chance(60), whole > 1 {
            action.amount = Int64.random(in: 1..<whole, using: &dice)
        }
        if action.kind == .win, stage.twin.dialect == .braintree, let dispute = chosen.disputes.last, dice.chance(50) {
            action.amount = max(1, dispute.amount / 2)
        }
        if action.kind == .capture, stage.twin.takesSeveralCaptures { action.isFinal = dice.chance(50) }
        action.announcement = dice.pick([(8, .prompt), (1, .twice), (1, .silent)])
        guard (try? await stage.psp.simulator.act(action)) != nil else { return }
        let amount = action.amount.map { "\($0)" } ?? "all"
        tell("portal: \(action.kind) \(amount) of \(chosen.id), \(action.announcement)")
    }

    private mutating func deed(on authorization: PSPSimulator.Authorization) -> DashboardAction.Kind {
        let isDisputed = authorization.disputes.contains { $0.status == .opened }
        // The others have no page for it, or no word for it that anybody hears.
        let decides = ![.worldpay, .authorizeNet].contains(stage.twin.dialect)
        return switch authorization.status {
        case .authorized: dice.pick([(5, .capture), (4, .void), (1, .lapse)])
        default:
            dice.pick([
                (6, .refund), (3, .void), (3, .fail), (4, .dispute),
                (isDisputed && decides ? 12 : 0, .win),
                (isDisputed && decides ? 6 : 0, .lose),
            ])
        }
    }

    private static func text(_ request: OrderRequest) -> String {
        switch request {
        case .capture(.whole): "capture all"
        case .capture(.items(let items)): "capture \(items.map { "\($0.amount ?? 0)" })"
        case .cancel: "cancel"
        case .cancelPayments(let payments, mayRelease: _): "cancel \(payments.count) payments"
        case .refund(let refund):
            if case .items(let items) = refund.share { "refund \(items.map(\.amount))" } else { "refund all" }
        case .complete: "complete"
        case .resolve(let operation, _, _): "resolve \(operation)"
        case .release, .retry, .record: "\(request)"
        }
    }
}
