import StrictJSON

/// A code that a problem, or one of its violations, can have: what it means and what to do about it.
///
/// The one table of them, served where a problem's `type` leads, and written out in the page on errors.
struct ProblemCode: Hashable, Sendable {
    /// Where the codes are; what a problem's `type` begins with.
    static let path = "/problems"

    /// The word, which programs may rely on.
    let code: String
    /// The HTTP statuses that it comes with, when it is a problem's own.
    let statuses: [Int]
    /// What is wrong, in a sentence.
    let meaning: String
    /// What the caller does about it, in a sentence.
    let remedy: String

    /// Makes an entry.
    init(_ code: String, _ statuses: [Int], _ meaning: String, _ remedy: String) {
        self.code = code
        self.statuses = statuses
        self.meaning = meaning
        self.remedy = remedy
    }

    /// Every code there is, by subject.
    static let all: [ProblemCode] =
        RequestProblems.all + OrderProblems.all + DocumentProblems.all + TokenProblems.all + WebhookProblems.all
        + BookProblems.all + DeviceProblems.all + AgreementProblems.all

    /// The codes by word.
    static let byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }

    /// The address of a code, which is the `type` of its problems.
    static func address(of code: String) -> String { "\(path)/\(code)" }

    /// The entry as the API shows it.
    var json: JSON {
        [
            "type": .string(Self.address(of: code)), "code": .string(code),
            "statuses": .array(statuses.map { .integer(Int64($0)) }), "meaning": .string(meaning),
            "remedy": .string(remedy),
        ]
    }

    /// The entry as a row of the page on errors.
    var row: String {
        "| `\(code)` | \(statuses.map(String.init).joined(separator: ", ")) | \(meaning) | \(remedy) |"
    }
}
