import CProcess
import Foundation
import Glibc
import Synchronization

/// The terminal behind standard output; where there is none nothing is fitted, shortened or coloured.
enum Terminal {
    /// How a list is shown, as `--wide` and `--columns` say.
    struct Choice: Hashable, Sendable {
        /// Every column in full, whatever the width, and times in full.
        var isWide = false
        /// The columns that are asked for, in this order; empty for those there are.
        var columns: [String] = []
    }

    /// A narrower terminal is taken for one of so many columns.
    private static let narrowest = 20
    private static let chosen = Mutex(Choice())

    /// What was typed; set once, as the options are read.
    static var choice: Choice {
        get { chosen.withLock(\.self) }
        set { chosen.withLock { $0 = newValue } }
    }

    /// Whether standard output is a terminal.
    static let isThere = isatty(STDOUT_FILENO) == 1

    /// How many columns there are: what COLUMNS says, else the terminal; nil where everything is written in full.
    static var width: Int? { isThere && !choice.isWide ? columns : nil }

    /// How many columns the terminal has, whatever was typed; nil if there is none.
    static let columns: Int? =
        isThere
        ? columns(
            said: ProcessInfo.processInfo.environment["COLUMNS"],
            found: Int(cprocess_terminal_columns(STDOUT_FILENO))
        )
        : nil

    /// Whether standard output takes colours: NO_COLOR, where it is not empty, and TERM=dumb say that it does not.
    static let hasColors = isThere && takesColors(ProcessInfo.processInfo.environment)

    /// How many columns there are, given what the environment says and what the terminal answers; 0 is no answer.
    static func columns(said: String?, found: Int) -> Int? {
        if let said = said.flatMap({ Int($0) }), said > 0 { return max(said, narrowest) }
        return found > 0 ? max(found, narrowest) : nil
    }

    /// Whether an environment lets a program write in colours (no-color.org).
    static func takesColors(_ environment: [String: String]) -> Bool {
        (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}

/// What a cell's word means at a glance.
enum Shade: String {
    /// It is well.
    case good = "32"
    /// It is under way, or waits.
    case waiting = "33"
    /// It needs a look.
    case bad = "31"
    /// The head of a table.
    case head = "1"

    /// The columns whose words are shaded.
    static let columns: Set<String> = ["status", "state", "verdict", "severity", "decision", "result"]

    private static let words: [String: Shade] = [
        "paid": .good, "captured": .good, "succeeded": .good, "accepted": .good, "agrees": .good, "delivered": .good,
        "active": .good, "matched": .good, "ok": .good, "pending": .waiting, "requires_action": .waiting,
        "unknown": .waiting, "unresolved": .waiting, "open": .waiting, "waiting": .waiting, "warning": .waiting,
        "compensating": .waiting, "investigating": .waiting, "paused": .waiting, "failed": .bad, "declined": .bad,
        "capture_failed": .bad, "differs": .bad, "dead": .bad, "disabled": .bad, "error": .bad, "refused": .bad,
    ]

    /// What a word says; nil for one that is neither good nor bad.
    static func of(_ word: String) -> Shade? { words[word] }

    /// A text in its colour.
    func paint(_ text: String) -> String { text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
