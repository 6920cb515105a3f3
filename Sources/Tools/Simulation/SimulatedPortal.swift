import PSPSimulator

/// What people do in a PSP's portal, and banks.
enum SimulatedPortal {
    /// What somebody does in a PSP's portal, or a bank; nil if there is nothing to do it to.
    static func action(
        on found: [PSPSimulator.Authorization],
        at twin: PSPTwin,
        _ dice: inout SeededDice
    ) -> DashboardAction? {
        guard let chosen = found.randomElement(using: &dice), chosen.status != .requiresAction else { return nil }
        var action = DashboardAction(deed(on: chosen, at: twin, &dice), to: .id(chosen.id))
        // Where a PSP takes several captures, none of what is told of one says whether it released the rest, but at the simulator:
        // what is voided behind it is that rest, and no other PSP takes such a capture back.
        let isOfPart = chosen.status == .captured && chosen.captured < chosen.authorized
        let isLast = chosen.operations.contains { $0.kind == .capture && $0.isFinal && $0.status == .succeeded }
        let isToldLast = isLast && twin.dialect == .simulator
        if action.kind == .void, isOfPart, twin.takesSeveralCaptures, !isToldLast { return nil }
        if action.kind == .fail, ![.adyen, .braintree, .worldpay, .checkout].contains(twin.dialect) {
            // At the others a refund can fail after all, a capture cannot.
            let refund = chosen.operations.last { $0.kind == .refund && $0.status == .succeeded }
            guard let refund, twin.dialect != .authorizeNet else { return nil }
            action.subject = refund.id
        }
        let whole = chosen.status == .authorized ? chosen.held : chosen.captured - chosen.refunded - chosen.chargedBack
        if [.capture, .refund, .dispute].contains(action.kind), dice.falls(60), whole > 1 {
            action.amount = dice.number(in: 1...whole - 1)
        }
        if action.kind == .win, twin.dialect == .braintree, let dispute = chosen.disputes.last, dice.falls(50) {
            action.amount = max(1, dispute.amount / 2)
        }
        if action.kind == .capture, twin.takesSeveralCaptures { action.isFinal = dice.falls(50) }
        action.announcement = dice.pick([(6, .prompt), (3, .twice), (1, .silent)])
        return action
    }

    /// A capture or a refund in a PSP's portal that may fail after all; nil if there is nothing to do it to, or none ever does.
    static func reversibleAction(
        on found: [PSPSimulator.Authorization],
        at twin: PSPTwin,
        _ dice: inout SeededDice
    ) -> DashboardAction? {
        let capturing: Set<DialectName> = [.adyen, .braintree, .worldpay, .checkout]
        let possible = found.filter { payment in
            payment.status == .authorized
                ? capturing.contains(twin.dialect)
                : payment.captured - payment.refunded - payment.chargedBack > 0 && twin.dialect != .authorizeNet
        }
        guard let chosen = possible.randomElement(using: &dice) else { return nil }
        var action = DashboardAction(chosen.status == .authorized ? .capture : .refund, to: .id(chosen.id))
        let whole = chosen.status == .authorized ? chosen.held : chosen.captured - chosen.refunded - chosen.chargedBack
        if dice.falls(50), whole > 1 { action.amount = dice.number(in: 1...whole - 1) }
        if action.kind == .capture, twin.takesSeveralCaptures { action.isFinal = dice.falls(50) }
        action.announcement = dice.pick([(6, .prompt), (3, .twice)])
        return action
    }

    /// The capture of the first payment that is authorized because its buyer took a step; nil if there is none.
    static func captureBehindStep(on found: [PSPSimulator.Authorization]) -> DashboardAction? {
        let chosen = found.first { $0.status == .authorized && $0.isTakenInSteps }
        return chosen.map { DashboardAction(.capture, to: .id($0.id)) }
    }

    private static func deed(
        on authorization: PSPSimulator.Authorization,
        at twin: PSPTwin,
        _ dice: inout SeededDice
    ) -> DashboardAction.Kind {
        let isDisputed = authorization.disputes.contains { $0.status == .opened }
        // The others have no page for it, or no word for it that anybody hears.
        let decides = ![.worldpay, .authorizeNet].contains(twin.dialect)
        return switch authorization.status {
        case .authorized: dice.pick([(5, .capture), (4, .void), (1, .lapse)])
        default:
            dice.pick([
                (6, .refund), (authorization.isVoidable ? 20 : 5, .void), (3, .fail), (4, .dispute),
                (isDisputed && decides ? 12 : 0, .win),
                (isDisputed && decides ? 6 : 0, .lose),
            ])
        }
    }
}

extension PSPSimulator.Authorization {
    /// Whether its buyer has to take a step first.
    var isTakenInSteps: Bool { if case .requireAction = script.effect(of: .authorize) { true } else { false } }

    /// Whether a void takes back what was captured, because it has not settled.
    fileprivate var isVoidable: Bool {
        if case .settle = script.effect(of: .refund), refunded == 0, disputes.isEmpty { captured > 0 } else { false }
    }
}
