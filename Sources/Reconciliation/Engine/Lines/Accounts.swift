import SpillFiles

/// The PSP accounts that were named, by the number that records have of them.
///
/// An object, so that every line can ask it without a copy.
final class Accounts {
    private var numbers: [PSPAccountName: UInt16] = [:]
    private(set) var names: [PSPAccountName] = []
    /// A digest of each name: the number itself says when the account was first named, and must not be seen.
    private(set) var seeds: [UInt64] = []
    private(set) var terms: [PSPTerms] = []
    /// Whether the account's report has lines of commissions.
    var reportsCommissions: [Bool] = []
    private let rules: ReconciliationRules

    init(rules: ReconciliationRules) { self.rules = rules }

    /// The number of an account.
    func number(of name: PSPAccountName) -> UInt16 {
        if let number = numbers[name] { return number }
        precondition(names.count < Int(UInt16.max), "more PSP accounts than settings can hold")
        let number = UInt16(names.count)
        numbers[name] = number
        names.append(name)
        terms.append(rules.terms(for: name))
        reportsCommissions.append(false)
        let text = Array("\(name.psp)\0\(name.account)".utf8)
        seeds.append(text.digest(0..<text.count, seed: 0))
        return number
    }
}
