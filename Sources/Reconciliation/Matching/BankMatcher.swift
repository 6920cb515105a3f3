import Domain

/// Brings the bank's entries and payouts together.
struct BankMatcher {
    /// What became of entries.
    enum Outcome {
        case matched(entries: [Int], items: [Int], rule: ReconciliationRule, shared: String)
        case differing(entries: [Int], items: [Int])
        /// They name one payout that others explain: the bank booked it once more, unless they take each other back.
        case repeated(entries: [Int], item: Int)
    }

    var side: BankSide
    private let rules: ReconciliationRules
    private let scope: ReconciliationScope
    private var entryIsOpen: [Bool]
    /// Whether an entry names a payout, of this run or one that was explained before: it is no other's, whatever its amount.
    private var namesPayout: [Bool] = []
    /// The items that entries were matched with.
    private var matchedItems: Set<Int> = []
    private(set) var outcomes: [Outcome] = []

    init(side: BankSide, rules: ReconciliationRules, scope: ReconciliationScope) {
        self.side = side
        self.rules = rules
        self.scope = scope
        entryIsOpen = Array(repeating: true, count: side.movements.count)
    }

    /// Tries the rules in order; what is named and differs is a difference before amounts are looked at.
    mutating func run() {
        let named = namedItems()
        let bank = rules.rules(at: .bank) + rules.rules(at: .payout)
        for rule in bank where rule.key == .payoutReference { matchNamed(named, rule) }
        compareTogether(named, bank.filter { $0.key == .payoutReference })
        for rule in bank { if case .amountAndDate(let days) = rule.key { matchAmounts(rule, days) } }
        noteRepeated(named)
    }

    /// The items that each entry names.
    private mutating func namedItems() -> [[Int]] {
        let names = side.names()
        namesPayout = []
        return side.movements.map { movement in
            let words = Self.words(of: movement)
            let items = words.reduce(into: Set<Int>()) { $0.formUnion(names[$1] ?? []) }
            namesPayout.append(!items.isEmpty || !words.isDisjoint(with: side.explainedNames))
            return items.sorted()
        }
    }

    /// What an entry may name a payout by: each text as a whole, and each word of it.
    private static func words(of movement: BankMovement) -> Set<String> {
        var words: Set<String> = []
        for text in movement.references + [movement.text] {
            if let whole = PayoutItem.normal(text) { words.insert(whole) }
            for word in text.split(whereSeparator: { " ,;/+?:\n\t()".contains($0) }) {
                if let word = PayoutItem.normal(word) { words.insert(word) }
            }
        }
        return words
    }

    private func isCandidate(_ item: Int, _ entry: Int) -> Bool {
        let (item, movement) = (side.items[item], side.movements[entry])
        return item.isOpen && item.currency == movement.currency && (item.amount < 0) == (movement.amount < 0)
    }

    private func admits(_ rule: ReconciliationRule, _ item: Int) -> Bool {
        let item = side.items[item]
        guard (item.account != nil) == (rule.level == .bank) else { return false }
        if let currency = rule.scope.currency, currency != item.currency { return false }
        return item.account.map { rule.scope.admits($0) } ?? true
    }

    private func tolerance(_ rule: ReconciliationRule, _ currency: Currency) -> Int128 {
        Int128(scope.toleranceMinorUnits ?? rule.toleranceMinorUnits) * Scale.minorUnit(currency)
    }

    private func amount(_ entry: Int) -> Int128 {
        Scale.trillionths(minorUnits: side.movements[entry].amount, side.movements[entry].currency)
    }

    private mutating func match(_ entry: Int, _ items: [Int], _ rule: ReconciliationRule, _ shared: String) {
        match([entry], items, rule, shared)
    }

    private mutating func match(_ entries: [Int], _ items: [Int], _ rule: ReconciliationRule, _ shared: String) {
        outcomes.append(.matched(entries: entries, items: items, rule: rule, shared: shared))
        for entry in entries { entryIsOpen[entry] = false }
        matchedItems.formUnion(items)
        if !PlantedBug.payoutLeftOpen.isPlanted { side.close(items) }
    }

    /// Compares what entries name, and none of them comes to alone, with all of them: a bank may pay in parts.
    private mutating func compareTogether(_ named: [[Int]], _ rules: [ReconciliationRule]) {
        var groups: [[Int]: [Int]] = [:]
        for (entry, items) in named.enumerated() where entryIsOpen[entry] {
            let open = items.filter { isCandidate($0, entry) }
            guard let first = open.first else { continue }
            let settled = open.filter { side.items[$0].account == side.items[first].account }
            groups[settled, default: []].append(entry)
        }
        for (all, entries) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
            let items = all.filter { side.items[$0].isOpen }
            guard let first = items.first else { continue }
            let difference = entries.reduce(0) { $0 + amount($1) } - items.reduce(0) { $0 + side.items[$1].amount }
            let rule = rules.first { rule in
                items.allSatisfy { admits(rule, $0) } && abs(difference) <= tolerance(rule, side.items[first].currency)
            }
            if entries.count > 1, let rule {
                match(entries, items, rule, side.items[first].name)
            } else {
                outcomes.append(.differing(entries: entries, items: items))
                for entry in entries { entryIsOpen[entry] = false }
                side.close(items)
            }
        }
    }

    /// Notes the entries that name one payout and no other, which others of this run explain.
    ///
    /// What came back of it was returned, which is no mistake of the bank's.
    private mutating func noteRepeated(_ named: [[Int]]) {
        var entries: [Int: [Int]] = [:]
        for (entry, items) in named.enumerated() where entryIsOpen[entry] {
            guard items.count == 1, matchedItems.contains(items[0]),
                side.items[items[0]].currency == side.movements[entry].currency
            else { continue }
            entries[items[0], default: []].append(entry)
        }
        for (item, entries) in entries.sorted(by: { $0.key < $1.key }) {
            let sum = entries.reduce(0) { $0 + amount($1) }
            if sum != 0, (sum > 0) == (side.items[item].amount > 0) {
                outcomes.append(.repeated(entries: entries, item: item))
            }
        }
    }

    private mutating func matchNamed(_ named: [[Int]], _ rule: ReconciliationRule) {
        for (entry, items) in named.enumerated() where entryIsOpen[entry] {
            let open = items.filter { isCandidate($0, entry) && admits(rule, $0) }
            let limit = tolerance(rule, side.movements[entry].currency)
            let wanted = amount(entry)
            if let exact = open.first(where: { side.items[$0].amount == wanted })
                ?? open.first(where: { abs(side.items[$0].amount - wanted) <= limit })
            {
                match(entry, [exact], rule, side.items[exact].name)
            } else if open.count > 1, rule.cardinality.admitsManyOurs,
                abs(open.reduce(0) { $0 + side.items[$1].amount } - wanted) <= limit
            {
                match(entry, open, rule, side.items[open[0]].name)
            }
        }
    }

    // MARK: By amount and date

    private struct AmountKey: Hashable {
        let currency: Currency
        let amount: Int128
    }

    private mutating func matchAmounts(_ rule: ReconciliationRule, _ days: Int) {
        var byAmount: [AmountKey: [Int]] = [:]
        for place in side.items.indices where side.items[place].isOpen && admits(rule, place) {
            let item = side.items[place]
            byAmount[AmountKey(currency: item.currency, amount: item.amount), default: []].append(place)
        }
        for entry in side.movements.indices where entryIsOpen[entry] && !namesPayout[entry] {
            let key = AmountKey(currency: side.movements[entry].currency, amount: amount(entry))
            let fitting = (byAmount[key] ?? []).filter { side.items[$0].isOpen && isNear($0, entry, days) }
            if let best = fitting.min(by: { distance($0, entry) < distance($1, entry) }) {
                match(entry, [best], rule, side.movements[entry].day.description)
            }
        }
        guard rule.cardinality.admitsManyOurs else { return }
        matchSums(rule, days, by: { "\($0.account?.description ?? "")/" })
        matchSums(rule, days, by: { "\($0.account?.psp ?? "")/" })
    }

    /// One entry for all payouts of an account, or of a PSP, of one day.
    private mutating func matchSums(_ rule: ReconciliationRule, _ days: Int, by name: (PayoutItem) -> String) {
        var groups: [String: [Int]] = [:]
        for place in side.items.indices where side.items[place].isOpen && admits(rule, place) {
            let item = side.items[place]
            guard let day = item.day else { continue }
            groups["\(name(item))\(item.currency.code)/\(day)", default: []].append(place)
        }
        var bySum: [AmountKey: [[Int]]] = [:]
        for (_, items) in groups.sorted(by: { $0.key < $1.key }) where items.count > 1 {
            let sum = items.reduce(0) { $0 + side.items[$1].amount }
            bySum[AmountKey(currency: side.items[items[0]].currency, amount: sum), default: []].append(items)
        }
        for entry in side.movements.indices where entryIsOpen[entry] && !namesPayout[entry] {
            let key = AmountKey(currency: side.movements[entry].currency, amount: amount(entry))
            let fitting = (bySum[key] ?? []).first { items in
                items.allSatisfy { side.items[$0].isOpen } && isNear(items[0], entry, days)
            }
            if let fitting { match(entry, fitting, rule, side.movements[entry].day.description) }
        }
    }

    private func distance(_ item: Int, _ entry: Int) -> Int64 {
        guard let day = side.items[item].day else { return .max }
        return abs(side.movements[entry].day.days(since: day))
    }

    private func isNear(_ item: Int, _ entry: Int, _ days: Int) -> Bool { distance(item, entry) <= Int64(days) }
}

/// Whose payouts they are.
struct BankOwners {
    var lines: [LinePlace] = []
    var payouts: [PayoutID] = []
    var merchant: MerchantID?

    init(_ items: [PayoutItem]) {
        for item in items {
            switch item.owner {
            case .line(let place, _): lines.append(place)
            case .recorded(let payout):
                payouts.append(payout.id)
                merchant = payout.merchant
            }
        }
    }
}

/// A payout that the bank has to know: a PSP's to us, or ours to a merchant.
struct PayoutItem {
    /// Whose it is.
    enum Owner {
        /// A payout line of a report.
        case line(LinePlace, PSPAccountName)
        /// A recorded payout.
        case recorded(Payout)
    }

    let owner: Owner
    let currency: Currency
    /// As it changes the bank account's balance, in units of 10⁻¹².
    let amount: Int128
    let day: CalendarDay?
    /// What the bank may call it, as it is compared.
    let references: [String]
    /// What it is called in a break.
    let name: String
    let batch: String?
    /// What a line has in common with one that says that the payout came back: the batch, or else the payout's own name.
    var returnable: String?
    var isOpen = true

    /// The order in which equals are taken.
    static func precedes(_ left: PayoutItem, _ right: PayoutItem) -> Bool {
        let days = (left.day?.number ?? .min, right.day?.number ?? .min)
        if days.0 != days.1 { return days.0 < days.1 }
        return (left.name, left.place) < (right.name, right.place)
    }

    private var place: String {
        switch owner {
        case .line(let place, _): "\(place.file)/\(place.member)/\(place.row)"
        case .recorded(let payout): payout.id.text
        }
    }

    var account: PSPAccountName? {
        if case .line(_, let account) = owner { return account }
        return nil
    }

    /// A text as references are compared: letters and digits alone, small; nil if too little is left to name anything.
    static func normal(_ text: some StringProtocol) -> String? {
        let bytes = text.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case 0x80...: byte
            default: nil
            }
        }
        // Marks that stood on either side of a character that is left out follow one another now.
        return bytes.count < 6 ? nil : String(decoding: bytes, as: UTF8.self).withBoundedRuns
    }
}
