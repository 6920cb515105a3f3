import Domain
package import Reconciliation
package import StatementFiles
import StrictJSON

/// How files of PSPs and banks are reconciled with the books: `Config/reconciliation.yaml`.
package struct ReconciliationSettings: Hashable, Sendable {
    /// The file that is read if no other is named.
    package static let defaultPath = "Config/reconciliation.yaml"

    /// The rules, in order, and what is agreed with PSPs.
    package var rules = ReconciliationRules.standard
    /// The tables of banks that write no standard format.
    package var bankTables: [BankTable] = []

    /// What holds where there is no file.
    package init() {}

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - isRequired: whether a missing file is a problem; the default file may be missing, a named one may not.
    ///   - surroundings: the files.
    /// - Returns: the settings.
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong.
    package static func load(
        path: String = defaultPath,
        isRequired: Bool = false,
        surroundings: Surroundings
    ) throws(InvalidConfiguration) -> ReconciliationSettings {
        guard isRequired || surroundings.readFile(path) != nil else { return ReconciliationSettings() }
        return try parse(surroundings.text(of: path), file: path)
    }

    /// Reads the settings from text; `file` is how problems name it.
    ///
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong.
    package static func parse(_ text: String, file: String) throws(InvalidConfiguration) -> ReconciliationSettings {
        try ConfigurationDocument(yaml: text, file: file).read { body in ReconciliationSettings(body) }
    }

    private init?(_ body: ObjectReader) {
        let hasRules = body.contains("rules")
        let rules = body.array("rules", .optional, count: 1...ReconciliationRules.limit, RuleSettings.rule)
        let terms = body.array("terms", .optional, count: 1...1000, TermsSettings.terms)
        bankTables = body.array("bank_tables", .optional, count: 1...100, BankTableSettings.table) ?? []
        var names: Set<String> = []
        for (index, table) in bankTables.enumerated() where !names.insert(table.name).inserted {
            let place = body.pointer(to: "bank_tables").appending(index).appending("name")
            body.violations.add(at: place, "duplicate_id", "Another table has this name.")
        }
        guard !hasRules || rules != nil else { return nil }
        do throws(RuleRefusal) {
            let standard = ReconciliationRules.standard
            self.rules = try ReconciliationRules(rules ?? standard.rules, terms: terms ?? standard.terms)
        } catch {
            body.refuse(hasRules ? "rules" : "terms", "contradiction", error.description)
            return nil
        }
    }
}

/// How what is agreed with a PSP is written.
enum TermsSettings {
    /// Reads the terms of a PSP, or of one of its accounts; what is left out is the standard.
    static func terms(_ body: ObjectReader) -> ReconciliationRules.Terms? {
        var terms = PSPTerms()
        let days: ClosedRange<Int64> = 0...3660
        let psp = body.slug("psp")
        let account = body.slug("psp_account", .optional)
        terms.expectedWithinDays = body.integer("expected_within_days", .optional, in: days) ?? terms.expectedWithinDays
        terms.missingAfterDays = body.integer("missing_after_days", .optional, in: days) ?? terms.missingAfterDays
        terms.bankWithinDays = body.integer("bank_within_days", .optional, in: days) ?? terms.bankWithinDays
        terms.linesAddUp = body.bool("lines_add_up", .optional) ?? terms.linesAddUp
        terms.everyCommissionHasALine =
            body.bool("every_commission_has_a_line", .optional) ?? terms.everyCommissionHasALine
        terms.merchantField = body.choice("merchant_field", .optional) ?? terms.merchantField
        terms.fee = body.object("fee", .optional, fee)
        return psp.map { ReconciliationRules.Terms(psp: $0, pspAccount: account, terms) }
    }

    private static func fee(_ body: ObjectReader) -> FeeSchedule? {
        let points = body.integer("basis_points", in: 0...10_000)
        let tolerance = body.integer("tolerance", .optional, in: 0...ReconciliationRule.toleranceLimit) ?? 0
        var fixed: [Currency: Int64] = [:]
        for (code, amount) in body.amounts("fixed") ?? [:] {
            guard let currency = Currency(code: code) else { continue }
            fixed[currency] = amount
        }
        guard let points else { return nil }
        guard let schedule = FeeSchedule(basisPoints: points, fixed: fixed, toleranceMinorUnits: tolerance) else {
            let limit = ReconciliationRule.toleranceLimit
            body.refuse("fixed", "out_of_range", "Must be from 0 to \(limit) minor units.")
            return nil
        }
        return schedule
    }
}
