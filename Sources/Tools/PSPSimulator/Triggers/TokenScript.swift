/// What a token tells the simulator to do, operation by operation.
///
/// The grammar is `tok_` trigger { `+` operation `_` trigger }: the first trigger is of the authorization, the
/// others name theirs. An operation can have one effect, one delivery and one announcement.
package struct TokenScript: Hashable, Sendable {
    /// The longest token, in characters.
    package static let lengthLimit = 200
    /// What every token begins with.
    package static let prefix = "tok_"

    /// The token itself.
    package let text: String
    private var effects: [OperationKind: Effect] = [:]
    private var deliveries: [OperationKind: Delivery] = [:]
    private var announcements: [OperationKind: WebhookAnnouncement] = [:]

    /// The script that approves everything.
    package static let approval = TokenScript()

    private init() {
        text = Self.prefix + "approve"
        effects = [.authorize: .approve]
    }

    /// Reads a token.
    ///
    /// - Throws: ``TokenScriptError``.
    package init(_ token: String) throws(TokenScriptError) {
        guard token.hasPrefix(Self.prefix), token.utf8.count <= Self.lengthLimit else { throw .notAToken }
        text = token
        let parts = token.dropFirst(Self.prefix.count).split(separator: "+", omittingEmptySubsequences: false)
        for (position, part) in parts.enumerated() {
            let (operation, word) = try Self.operation(of: part, at: position)
            try add(Self.instruction(word, for: operation, at: position), to: operation, at: position)
        }
    }

    /// What becomes of the operation; ``Effect/approve`` unless the token says otherwise.
    package func effect(of operation: OperationKind) -> Effect { effects[operation] ?? .approve }

    /// How the operation is answered; ``Delivery/prompt`` unless the token says otherwise.
    package func delivery(of operation: OperationKind) -> Delivery { deliveries[operation] ?? .prompt }

    /// How webhooks tell of the operation; ``WebhookAnnouncement/prompt`` unless the token says otherwise.
    package func announcement(of operation: OperationKind) -> WebhookAnnouncement {
        announcements[operation] ?? .prompt
    }

    private mutating func add(
        _ instruction: Trigger.Instruction,
        to operation: OperationKind,
        at position: Int
    ) throws(TokenScriptError) {
        switch instruction {
        case .effect(let effect):
            guard effects.updateValue(effect, forKey: operation) == nil else {
                throw .contradiction(position: position)
            }
        case .delivery(let delivery):
            guard deliveries.updateValue(delivery, forKey: operation) == nil else {
                throw .contradiction(position: position)
            }
        case .announcement(let announcement):
            guard announcements.updateValue(announcement, forKey: operation) == nil else {
                throw .contradiction(position: position)
            }
        }
    }

    private static func operation(
        of part: Substring,
        at position: Int
    ) throws(TokenScriptError) -> (OperationKind, Substring) {
        if position == 0 { return (.authorize, part) }
        guard let underscore = part.firstIndex(of: "_"),
            let operation = OperationKind(rawValue: String(part[..<underscore]))
        else { throw .unknownTrigger(position: position) }
        return (operation, part[part.index(after: underscore)...])
    }

    /// A word as it stands, or a word that takes a number with `_N` behind it.
    private static func instruction(
        _ word: Substring,
        for operation: OperationKind,
        at position: Int
    ) throws(TokenScriptError) -> Trigger.Instruction {
        if let trigger = TriggerTable.trigger(String(word), for: operation) { return trigger.instruction() }
        guard let underscore = word.lastIndex(of: "_"),
            let trigger = TriggerTable.trigger(String(word[..<underscore]), for: operation),
            trigger.defaultMilliseconds != nil,
            let milliseconds = milliseconds(word[word.index(after: underscore)...])
        else { throw .unknownTrigger(position: position) }
        return trigger.instruction(milliseconds: milliseconds)
    }

    /// One to ten digits, so that adding it to a time cannot overflow.
    private static func milliseconds(_ digits: Substring) -> Int64? {
        guard (1...10).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(digits)
    }
}

/// One word of the token grammar, with what it does and what the documentation says of it.
package struct Trigger: Sendable {
    /// What a trigger changes: what happens, how the reply is delivered, or how webhooks tell of it.
    package enum Instruction: Hashable, Sendable {
        /// What happens in the books.
        case effect(Effect)
        /// How the reply is delivered.
        case delivery(Delivery)
        /// How webhooks tell of it.
        case announcement(WebhookAnnouncement)
    }

    /// The word, for example `timeout_after`.
    package let name: String
    /// The number of milliseconds if the word is not followed by `_N`; nil if it takes no number.
    package let defaultMilliseconds: Int64?
    /// The operations it can be asked of.
    package let operations: [OperationKind]
    /// What it does, in one sentence.
    package let meaning: String
    private let make: @Sendable (Int64) -> Instruction

    /// A trigger without a number.
    init(_ name: String, _ operations: [OperationKind], _ instruction: Instruction, _ meaning: String) {
        self.name = name
        self.operations = operations
        self.meaning = meaning
        defaultMilliseconds = nil
        make = { _ in instruction }
    }

    /// A trigger that takes a number of milliseconds.
    init(
        _ name: String,
        _ operations: [OperationKind],
        milliseconds: Int64,
        _ make: @escaping @Sendable (Int64) -> Instruction,
        _ meaning: String
    ) {
        self.name = name
        self.operations = operations
        self.meaning = meaning
        defaultMilliseconds = milliseconds
        self.make = make
    }

    /// What it does with `milliseconds`, or with its default.
    package func instruction(milliseconds: Int64? = nil) -> Instruction {
        make(milliseconds ?? defaultMilliseconds ?? 0)
    }

    /// The word as documentation shows it: `slow_N` where it takes a number.
    package var pattern: String { defaultMilliseconds == nil ? name : name + "[_N]" }
}

/// Why a token is not one of the simulator's; never repeats the token.
package enum TokenScriptError: Error, Hashable, Sendable {
    /// It does not begin with `tok_`, or is longer than ``TokenScript/lengthLimit`` characters.
    case notAToken
    /// The part at this position, from 0, is no trigger of its operation.
    case unknownTrigger(position: Int)
    /// The part at this position contradicts an earlier one of the same operation.
    case contradiction(position: Int)

    /// A sentence for the sender.
    package var message: String {
        switch self {
        case .notAToken: "The token is not one of this PSP's."
        case .unknownTrigger(let position): "Part \(position + 1) of the token is no trigger of its operation."
        case .contradiction(let position): "Part \(position + 1) of the token contradicts an earlier one."
        }
    }
}
