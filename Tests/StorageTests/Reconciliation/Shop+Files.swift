import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

/// Files of the PSP and the bank.
extension Shop {
    /// A settlement file of an account, or a bank's where there is none.
    mutating func file(
        _ name: String,
        of account: String? = "sim-a",
        document: String? = nil
    ) -> ImportedFile {
        ImportedFile(
            id: make(),
            marketplace: "travel",
            sha256: name,
            name: "\(name).csv",
            format: account == nil ? "camt-053" : "simulator-settlement",
            account: account.map { ImportedFile.Account(psp: "simulator", name: $0) },
            size: 10,
            contents: ImportedFile.Contents(document: document, firstDay: "2027-01-15", lastDay: "2027-01-17"),
            importedAt: now
        )
    }

    /// A line with amounts in whole minor units, its net being gross less fee.
    static func line(
        _ row: Int,
        _ kind: SettlementKind,
        _ gross: Int64,
        fee: Int64 = 0,
        batch: String? = "B1",
        reference: String? = nil
    ) throws -> ImportedLine {
        var line = ImportedLine(row: row, hash: Array(repeating: UInt8(row), count: 16), kind: kind, type: "t")
        line.gross = try amount(gross)
        line.fee = try amount(fee)
        line.net = try amount(gross - fee)
        line.batch = batch
        line.objectReference = reference
        return line
    }

    /// What the matcher would say: the expectation of an order's effect of a kind.
    func expectation(
        _ order: Order,
        _ kind: Domain.Expectation.Kind = .payment,
        releasing: [ImportID] = []
    ) async throws -> Domain.Expectation {
        let all = try await expectations(of: order.payments[0].attempt.route.pspAccount, releasing: releasing)
        return try #require(all.first { $0.order == order.id && $0.kind == kind })
    }

    func expectations(of account: String, releasing: [ImportID] = []) async throws -> [Domain.Expectation] {
        let scope = ExpectationScope(marketplace: "travel", pspAccount: account, releasing: releasing)
        return try await database.read {
            try ExpectationTable.page(scope, after: nil, limit: 1000, in: $0).expectations
        }
    }

    /// Stores a file with its lines and matches and lets it count.
    @discardableResult
    mutating func take(
        _ file: ImportedFile,
        _ lines: [ImportedLine],
        _ matches: [LineMatch] = [],
        superseding: Set<ImportID> = [],
        payouts: [BatchMatch] = [],
        comparing compared: [ImportPlace] = [],
        canceling canceled: [ImportPlace] = [],
        agreeing agreed: [String] = []
    ) async throws -> [EntryID] {
        try await database.write { session in
            _ = try ImportTable.begin(file, in: session)
            try SettlementLineTable.add(lines, to: file, in: session)
            try MatchTable.add(matches, of: "travel", in: session)
            try MatchTable.add(payouts, of: "travel", in: session)
        }
        return try await finish(
            file,
            lines.count,
            matches.count,
            superseding: superseding,
            comparing: compared,
            canceling: canceled,
            agreeing: agreed
        )
    }

    /// Lets a file count whose rows are stored.
    @discardableResult
    mutating func finish(
        _ file: ImportedFile,
        _ lines: Int,
        _ matches: Int,
        superseding: Set<ImportID> = [],
        comparing compared: [ImportPlace] = [],
        canceling canceled: [ImportPlace] = [],
        agreeing agreed: [String] = []
    ) async throws -> [EntryID] {
        now = now.adding(milliseconds: 1000)
        var contents = file.contents
        contents.rows = Int64(lines)
        (contents.firstDay, contents.lastDay) = ("2027-01-01", "2027-01-31")
        let end = ImportCompletion(
            id: file.id,
            begunAt: file.importedAt,
            contents: contents,
            lines: Int64(lines),
            matches: Int64(matches),
            superseding: superseding
        )
        let (now, ids) = (now, ids)
        return try await database.write { session in
            var ids = ids
            return try ImportCompletion.finish(
                [end],
                comparing: compared,
                canceling: canceled,
                agreeing: agreed,
                run: BreakRun(id: file.id.text, asOf: "2027-01-15"),
                of: "travel",
                at: now,
                ids: &ids,
                in: session
            )
        }
    }

    /// Lets a file count, for a test in which it may not.
    func tryFinish(_ file: ImportedFile, _ lines: Int, _ matches: Int) async throws {
        var shop = self
        try await shop.finish(file, lines, matches)
    }

    /// What the accounts hold that are not memos, debits less credits; those without a balance are left out.
    func balances() async throws -> [String: Int64] {
        try await database.read { session in
            var balances: [String: Int64] = [:]
            for row in try session.rows("SELECT debit, credit, currency, amount FROM posting") {
                let (debit, credit) = (try row.text("debit"), try row.text("credit"))
                guard !debit.hasPrefix("memo/") else { continue }
                let suffix = try row.text("currency") == "USD" ? "" : " \(try row.text("currency"))"
                balances[debit + suffix, default: 0] += try row.integer("amount")
                balances[credit + suffix, default: 0] -= try row.integer("amount")
            }
            return balances.filter { $0.value != 0 }
        }
    }

    /// What breaks a rule that reconciliation is held to.
    func findings() async throws -> [LedgerFinding] {
        try await database.read { session in
            try LedgerAudit(of: "travel").findings(in: session)
        }
    }
}
