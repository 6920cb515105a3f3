/// Who may open a transaction that writes: the use cases, and what runs beside them.
enum TransactionRules {
    /// The targets with use cases, and those that run beside them.
    static let targets: Set<String> = ["Callbacks", "Gateway", "Reconciliation", "Storage"]
    /// What measures and demonstrates.
    static let exceptions = ["Sources/TributaryCommand/Bench/", "Sources/TributaryCommand/Demo/"]

    /// Write transactions outside the use cases.
    static func writes(_ source: SwiftSource) -> [Finding] {
        guard let target = source.target, !targets.contains(target),
            !exceptions.contains(where: source.path.hasPrefix)
        else { return [] }
        return source.findings("opens a write transaction") { line in
            line.split { $0 == " " || $0 == "(" || $0 == "{" }.contains { word in
                let names = word.split(separator: ".")
                return names.last == "write"
                    && names.dropLast().last.map { $0.lowercased().hasSuffix("database") } ?? false
            }
        }
    }
}
