/// One word of the token grammar, with what it does and what the documentation says of it.
package struct Trigger: Sendable {
    /// What a trigger changes: what happens, how the reply is delivered, or how webhooks tell of it.
    package enum Instruction: Hashable, Sendable {
        /// What happens in the books.
        case effect(Effect)
        /// How the reply is delivered.
        case delivery(Delivery)
        /// How webhooks tell of it.
        case announcement(Announcement)
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
