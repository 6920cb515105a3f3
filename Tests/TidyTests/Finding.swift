/// One place in the tree that breaks a rule.
struct Finding: Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let problem: String

    /// `Sources/Domain/Money.swift:12: imports Foundation`.
    var description: String { "\(path):\(line): \(problem)" }
}
