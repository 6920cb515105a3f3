import Domain

/// The rules of the order itself, and its caches.
extension OrderBooks {
    /// What the order breaks of the rules that are checked before it is stored.
    var ruleFindings: [LedgerFinding] {
        // What lines sum to is looked at by payment.
        let broken = OrderRules.violations(of: order).filter { $0 != .allocationDiffers }
        let violations = broken.map { violation in
            LedgerFinding(
                violation.ledgerRule,
                order.id.text,
                expected: "no \(violation.rawValue)",
                found: "\(violation.rawValue): \(amounts)"
            )
        }
        let sums = order.payments.flatMap { payment in
            let lines = payment.allocation
            func sums(_ part: (AllocationLine) -> Int64) -> Int64 { lines.reduce(0) { $0 + part($1) } }
            return compare(
                .allocationSums,
                payment.id.text,
                expected: "\(payment.amount), captured \(payment.captured), refunded \(payment.refunded)",
                found: "\(sums(\.amount)), captured \(sums(\.captured)), refunded \(sums(\.refunded))"
            )
        }
        return violations + sums
            + compare(.orderIsItsPayments, expected: "\(payable)", found: "\(order.payable)")
            + (payable <= order.amount.minorUnits
                ? []
                : compare(.orderIsItsPayments, expected: "at most \(order.amount.minorUnits)", found: "\(payable)"))
    }

    /// What each payment comes to, for whoever has to look into it.
    private var amounts: String {
        order.payments.map { payment in
            "\(payment.id) authorized \(payment.authorized), captured \(payment.captured), "
                + "refunded \(payment.refunded), charged back \(payment.chargedBack)"
        }.joined(separator: "; ")
    }

    /// What is cached and not what the operations say.
    var cacheFindings: [LedgerFinding] {
        compare(.storedEqualsFold, expected: order.status.rawValue, found: status)
            + order.payments.flatMap { payment in
                let folded = Cached(
                    status: payment.state.rawValue,
                    authorized: payment.authorized,
                    captured: payment.captured,
                    refunded: min(payment.captured, payment.refunded)
                )
                return compare(
                    .storedEqualsFold,
                    payment.id.text,
                    expected: folded.text,
                    found: payments[payment.id]?.text ?? "nothing"
                )
            }
    }
}

extension OrderBooks.Cached {
    fileprivate var text: String {
        "\(status), authorized \(authorized), captured \(captured), refunded \(refunded)"
    }
}

extension OrderViolation {
    /// The rule of the books that it breaks.
    fileprivate var ledgerRule: LedgerRule {
        switch self {
        case .claimsExceedAuthorized: .capturedWithinAuthorized
        case .claimsExceedCaptured: .refundedWithinCaptured
        case .heldUnwanted, .capturedUnwanted: .refusedHoldsNothing
        default: .orderKeepsItsRules
        }
    }
}
