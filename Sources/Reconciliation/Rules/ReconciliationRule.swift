package import Domain

/// One way to match two sides.
package struct ReconciliationRule: Hashable, Sendable {
    /// The longest identifier, in characters.
    package static let identifierLimit = 64
    /// The widest window of days.
    package static let windowLimitDays = 31
    /// The largest tolerance, in minor units.
    package static let toleranceLimit: Int64 = 1_000_000

    /// Its name: lower-case letters, digits and hyphens, 1 to 64 characters; every match says which rule made it.
    package let id: String
    /// Which sides it compares.
    package let level: MatchLevel
    /// What they have to share.
    package let key: RuleKey
    /// How many of each it may match.
    package let cardinality: Cardinality
    /// By how many minor units they may differ, 0 to 1,000,000.
    package let toleranceMinorUnits: Int64
    /// What it is about.
    package let scope: RuleScope

    /// Makes a rule.
    ///
    /// - Throws: ``RuleRefusal``, each case of one rule.
    package init(
        id: String,
        level: MatchLevel,
        key: RuleKey,
        cardinality: Cardinality = .oneToOne,
        toleranceMinorUnits: Int64 = 0,
        scope: RuleScope = RuleScope()
    ) throws(RuleRefusal) {
        guard Self.isIdentifier(id) else { throw .identifier(id) }
        guard key.levels.contains(level) else { throw .keyAtLevel(rule: id, key: key.name, level: level) }
        guard 0...Self.toleranceLimit ~= toleranceMinorUnits else { throw .tolerance(rule: id, toleranceMinorUnits) }
        if case .amountAndDate(let days) = key {
            guard 0...Self.windowLimitDays ~= days else { throw .window(rule: id, days: days) }
            guard level != .line || cardinality == .oneToOne else { throw .amountIsOneToOne(rule: id) }
        }
        guard level == .line || scope.kind == nil else { throw .kindOutsideLines(rule: id) }
        if level == .bank || level == .payout, cardinality.admitsManyTheirs {
            throw .cardinality(rule: id, cardinality, level)
        }
        guard level != .payout || cardinality == .oneToOne else { throw .cardinality(rule: id, cardinality, level) }
        self.init(checked: id, level, key, cardinality, toleranceMinorUnits, scope)
    }

    /// Makes a rule that is known to be right.
    init(
        checked id: String,
        _ level: MatchLevel,
        _ key: RuleKey,
        _ cardinality: Cardinality,
        _ toleranceMinorUnits: Int64 = 0,
        _ scope: RuleScope = RuleScope()
    ) {
        self.id = id
        self.level = level
        self.key = key
        self.cardinality = cardinality
        self.toleranceMinorUnits = toleranceMinorUnits
        self.scope = scope
    }

    /// Whether it compares lines by a name that both sides know.
    var isByReference: Bool {
        if case .amountAndDate = key { return false }
        return level == .line
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard 1...identifierLimit ~= text.utf8.count else { return false }
        return text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "-")
        }
    }
}

/// How many of each side a rule may match to each other; theirs first.
package enum Cardinality: String, Hashable, Sendable, CaseIterable {
    /// One line, one effect.
    case oneToOne = "one_to_one"
    /// One line for several effects, one credit for several payouts.
    case oneToMany = "one_to_many"
    /// Several lines for one effect: partial settlements, split fees.
    case manyToOne = "many_to_one"
    /// Any number of both that share the key; within a batch first.
    case manyToMany = "many_to_many"

    /// Whether it admits several of theirs.
    var admitsManyTheirs: Bool { self == .manyToOne || self == .manyToMany }
    /// Whether it admits several of ours.
    var admitsManyOurs: Bool { self == .oneToMany || self == .manyToMany }
}

/// What two sides have to share, for a rule to match them.
package enum RuleKey: Hashable, Sendable {
    /// Our attempt, as the report repeats it.
    case attempt
    /// Our operation, as the report repeats it.
    case operation
    /// The PSP's name of the capture, refund or dispute.
    case objectReference
    /// The PSP's name of the payment.
    case paymentReference
    /// Our attempt's identifier, found in either case anywhere in the text that stands for our reference.
    case reference
    /// The amount and the currency, and days that lie no further apart than this, from 0 to 31.
    ///
    /// Only what names nothing else takes part: a line that carries a reference is never matched against it.
    case amountAndDate(windowDays: Int)
    /// The batch: its lines against what it paid out.
    case batch
    /// The payout's name, found in the bank's references or text.
    case payoutReference

    /// The word for it in a file of rules.
    package var name: String {
        switch self {
        case .attempt: "attempt"
        case .operation: "operation"
        case .objectReference: "object_reference"
        case .paymentReference: "payment_reference"
        case .reference: "reference"
        case .amountAndDate: "amount_and_date"
        case .batch: "batch"
        case .payoutReference: "payout_reference"
        }
    }

    /// The levels at which it can stand.
    package var levels: Set<MatchLevel> {
        switch self {
        case .attempt, .operation, .objectReference, .paymentReference, .reference: [.line]
        case .amountAndDate: [.line, .bank, .payout]
        case .batch: [.batch]
        case .payoutReference: [.bank, .payout]
        }
    }
}

/// What a rule is about; a condition that is nil admits everything.
package struct RuleScope: Hashable, Sendable {
    /// The PSP's name.
    package var psp: String?
    /// The PSP account's name.
    package var pspAccount: String?
    /// The currency of ours.
    package var currency: Currency?
    /// What moved.
    package var kind: Expectation.Kind?

    /// Makes a scope.
    package init(
        psp: String? = nil,
        pspAccount: String? = nil,
        currency: Currency? = nil,
        kind: Expectation.Kind? = nil
    ) {
        self.psp = psp
        self.pspAccount = pspAccount
        self.currency = currency
        self.kind = kind
    }

    /// Whether nothing is left out.
    var isUniversal: Bool { psp == nil && pspAccount == nil && currency == nil && kind == nil }

    /// Whether it is about an account.
    func admits(_ account: PSPAccountName) -> Bool {
        (psp == nil || psp == account.psp) && (pspAccount == nil || pspAccount == account.account)
    }

    /// Whether it is about an account's money in a currency, by the currency's numeric code.
    func admits(_ account: PSPAccountName, _ code: UInt16) -> Bool {
        admits(account) && (currency.map { $0.numericCode == Int(code) } ?? true)
    }
}
