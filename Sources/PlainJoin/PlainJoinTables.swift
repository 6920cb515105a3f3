package import AdapterKit
package import Domain

/// The two tables of a ``PlainJoin`` while they are filled.
package struct PlainJoinTables {
    /// What a line is about, as the table has it.
    static let (payment, refund, other, payout) = (Int64(0), Int64(1), Int64(2), Int64(3))

    private let line: SQLiteStatement
    private let expectation: SQLiteStatement

    init(_ file: SQLiteFile) throws(PlainJoinProblem) {
        line = try file.prepare("INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        expectation = try file.prepare("INSERT INTO expectation VALUES (?, ?, ?, ?)")
    }

    /// Takes a line of a report.
    ///
    /// - Throws: ``PlainJoinProblem``.
    package func add(_ line: SettlementLine) throws(PlainJoinProblem) {
        let amount = line.presentment ?? line.gross ?? line.net
        self.line.bind(Int64(line.row))
        self.line.bind(Self.number(line.kind))
        self.line.bind(line.operation?.text)
        self.line.bind(line.entryReference)
        self.line.bind(line.batch)
        self.line.bind(line.account)
        self.line.bind(amount.map { Int64($0.currency.numericCode) })
        self.line.bind(amount?.minorUnits)
        self.line.bind(line.gross?.minorUnits)
        self.line.bind(line.fee?.minorUnits)
        self.line.bind(line.net?.minorUnits)
        try self.line.run()
    }

    /// Takes an expectation; those of disputes have no operation, and are none of its business.
    ///
    /// - Throws: ``PlainJoinProblem``.
    package func add(_ expectation: Expectation) throws(PlainJoinProblem) {
        guard case .operation(let operation) = expectation.subject else { return }
        self.expectation.bind(operation.text)
        self.expectation.bind(expectation.merchantAccount)
        self.expectation.bind(Int64(expectation.currency.numericCode))
        self.expectation.bind(expectation.amount)
        try self.expectation.run()
    }

    private static func number(_ kind: SettlementKind) -> Int64 {
        switch kind {
        case .payment: payment
        case .refund: refund
        case .payout: payout
        default: other
        }
    }
}
