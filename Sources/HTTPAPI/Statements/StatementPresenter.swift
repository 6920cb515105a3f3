package import Domain
package import StrictJSON

/// Writes statements as the API shows them.
package enum StatementPresenter {
    /// A statement of a merchant as JSON; without `lines`, its sums alone.
    package static func json(_ statement: Statement, of merchant: Merchant, lines: JSON? = nil) -> JSON {
        let sums = StatementItem.allCases.map { item in
            JSON.Member(item.rawValue, .integer(statement.amounts.balance[item, default: 0]))
        }
        let direct = DirectItem.allCases.map { item in
            JSON.Member(item.rawValue, .integer(statement.amounts.direct[item, default: 0]))
        }
        return .object(omittingAbsent: [
            "merchant": .string(merchant.id.text), "external_identifier": .string(merchant.externalIdentifier),
            "currency": .string(statement.scope.currency.code), "from": .string(statement.scope.from.description),
            "to": .string(statement.scope.to.description),
            "balance": .object(
                [.init("opening", .integer(statement.opening))] + sums
                    + [.init("closing", .integer(statement.closing))]
            ),
            "direct": .object(direct), "lines": lines,
        ])
    }

    /// A line as JSON; of its amounts, those that are not zero.
    package static func json(_ line: StatementLine) -> JSON {
        let sums = StatementItem.allCases.compactMap { item in
            line.amounts.balance[item].map { JSON.Member(item.rawValue, .integer($0)) }
        }
        let direct = DirectItem.allCases.compactMap { item in
            line.amounts.direct[item].map { JSON.Member(item.rawValue, .integer($0)) }
        }
        return .object(omittingAbsent: [
            "entry": .string(line.entry.text), "at": .string(line.at.description),
            "kind": .string(line.kind.rawValue), "amount": .integer(line.amounts.net), "balance": .object(sums),
            "direct": .object(direct), "order": line.order.map { .string($0.text) },
            "payment": line.payment.map { .string($0.text) }, "refund": line.refund.map { .string($0.text) },
            "dispute": line.dispute.map { .string($0.text) }, "payout": line.payout.map { .string($0.text) },
            "reference": line.reference.map(JSON.string), "psp_reference": line.pspReference.map(JSON.string),
            "paid_at": line.paidAt.map { .string($0.description) },
        ])
    }
}
