package import Domain
package import StrictJSON

/// Writes statements as the API shows them.
package enum StatementPresenter {
    /// A statement of a merchant as JSON; without `lines`, its sums alone.
    package static func json(
        _ statement: Statement,
        of merchant: Merchant,
        in calendar: LocalCalendar,
        lines: JSON? = nil
    ) -> JSON {
        let sums = StatementItem.allCases.map { item in
            JSON.Member(item.rawValue, .integer(statement.amounts.balance[item, default: 0]))
        }
        let direct = DirectItem.allCases.map { item in
            JSON.Member(item.rawValue, .integer(statement.amounts.direct[item, default: 0]))
        }
        return .object(omittingAbsent: [
            "merchant": .string(merchant.id.text), "external_identifier": .string(merchant.externalIdentifier),
            "currency": .string(statement.scope.currency.code), "from": .string(statement.scope.from.description),
            "to": .string(statement.scope.to.description), "time_zone": .string(calendar.zone),
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

/// Writes payouts as callbacks tell them.
package enum PayoutPresenter {
    /// A payout as JSON.
    ///
    /// - Parameters:
    ///   - payout: the payout.
    ///   - name: its merchant's external identifier.
    ///   - covers: what it pays for; `null` if that was not written down.
    /// - Returns: the document.
    static func json(_ payout: Payout, of name: String, paying covers: JSON) -> JSON {
        let document: JSON = [
            "id": .string(payout.id.text), "merchant": .string(payout.merchant.text),
            "external_identifier": .string(name), "currency": .string(payout.amount.currency.code),
            "amount": .integer(payout.amount.minorUnits), "paid_at": .string(payout.paidAt.description),
            "reference": .string(payout.reference), "origin": .string(payout.origin.rawValue),
            "state": .string(payout.state.name), "failure": failure(payout.state),
            "created_at": .string(payout.recordedAt.description),
            "recorded_at": .string(payout.recordedAt.description), "covers": covers,
        ]
        return document.withDecimals(in: payout.amount.currency)
    }

    /// What a payout pays for, as JSON, with the statement that has all lines of it.
    static func json(_ cover: PayoutBreakdown) -> JSON {
        let scope = cover.scope
        let items = StatementItem.allCases.map { item in
            JSON.Member(item.rawValue, .integer(cover.balance[item, default: 0]))
        }
        let statement =
            "/v1/merchants/\(scope.merchant)/statement?currency=\(scope.currency)&from=\(scope.from)&to=\(scope.to)"
        return [
            "from": .string(scope.from.description), "to": .string(scope.to.description),
            "balance": .object(
                [
                    .init("opening", .integer(cover.opening)), .init("posted_late", .integer(cover.postedLate)),
                ] + items + [.init("closing", .integer(cover.closing))]
            ),
            "lines": [
                "count": .integer(cover.lineCount), "data": .array(cover.lines.map(StatementPresenter.json)),
                "has_more": .bool(cover.lineCount > Int64(cover.lines.count)),
            ],
            "statement": .string(statement),
        ]
    }

    private static func failure(_ state: Payout.State) -> JSON {
        guard case .failed(let failure) = state else { return .null }
        return ["at": .string(failure.at.description), "reason": .string(failure.reason)]
    }
}
