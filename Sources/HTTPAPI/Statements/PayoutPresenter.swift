import Domain
import StrictJSON

/// Writes payouts as callbacks tell them.
enum PayoutPresenter {
    /// A payout as JSON.
    ///
    /// - Parameters:
    ///   - payout: the payout.
    ///   - name: its merchant's external identifier.
    ///   - covers: what it pays for; `null` if that was not written down.
    /// - Returns: the document.
    static func json(_ payout: Payout, of name: String, paying covers: JSON) -> JSON {
        [
            "id": .string(payout.id.text), "merchant": .string(payout.merchant.text),
            "external_identifier": .string(name), "currency": .string(payout.amount.currency.code),
            "amount": .integer(payout.amount.minorUnits), "paid_at": .string(payout.paidAt.description),
            "reference": .string(payout.reference), "origin": .string(payout.origin.rawValue),
            "state": .string(payout.state.name), "failure": failure(payout.state),
            "recorded_at": .string(payout.recordedAt.description), "covers": covers,
        ]
    }

    /// What a payout pays for, as JSON, with the statement that has all lines of it.
    static func json(_ cover: PayoutCover) -> JSON {
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
