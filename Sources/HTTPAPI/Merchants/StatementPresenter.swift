import AdapterKit
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

/// Writes statements as comma-separated values: cells as `CSVCell` has them, lines ended by a line feed.
///
/// A row for each amount of each line, between a row with the opening and one with the closing balance: the amounts of
/// the section `balance` come to the closing balance, those of the section `direct` are not in it.
package enum StatementCSV {
    private static let columns = [
        "at", "section", "item", "amount", "currency", "entry", "kind", "order", "payment", "refund", "dispute",
        "payout", "reference", "psp_reference", "paid_at",
    ]

    /// The columns' names and the opening balance.
    package static func head(_ statement: Statement) -> String {
        row(columns.map(CSVCell.text))
            + balance("opening_balance", statement.opening, at: statement.scope.from, statement)
    }

    /// The closing balance.
    package static func foot(_ statement: Statement, closing: Int64) -> String {
        balance("closing_balance", closing, at: statement.scope.to, statement)
    }

    /// The rows of lines.
    package static func text(_ lines: [StatementLine], in currency: Currency) -> String {
        lines.reduce(into: "") { text, line in
            for item in StatementItem.allCases {
                guard let amount = line.amounts.balance[item] else { continue }
                text += row(amounts(line, "balance", item.rawValue, amount, currency) + source(line))
            }
            for item in DirectItem.allCases {
                guard let amount = line.amounts.direct[item] else { continue }
                text += row(amounts(line, "direct", item.rawValue, amount, currency) + source(line))
            }
        }
    }

    private static func amounts(
        _ line: StatementLine,
        _ section: String,
        _ item: String,
        _ amount: Int64,
        _ currency: Currency
    ) -> [CSVCell] {
        [.text("\(line.at)"), .text(section), .text(item), .number(amount), .text(currency.code)]
    }

    private static func source(_ line: StatementLine) -> [CSVCell] {
        [
            line.entry.text, line.kind.rawValue, line.order?.text ?? "", line.payment?.text ?? "",
            line.refund?.text ?? "", line.dispute?.text ?? "", line.payout?.text ?? "", line.reference ?? "",
            line.pspReference ?? "", line.paidAt?.description ?? "",
        ].map(CSVCell.text)
    }

    private static func balance(_ item: String, _ amount: Int64, at time: Timestamp, _ statement: Statement) -> String {
        let currency = statement.scope.currency.code
        let cells = [.text("\(time)"), .text("balance"), .text(item), .number(amount), CSVCell.text(currency)]
        return row(cells + Array(repeating: .text(""), count: columns.count - cells.count))
    }

    private static func row(_ cells: [CSVCell]) -> String { CSVCell.line(cells) + "\n" }
}

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
