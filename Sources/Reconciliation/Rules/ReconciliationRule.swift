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
