/// The rules that look at one file; each answers the places that break it.
enum SourceRules {
    /// The longest file, in lines.
    static let lineLimit = 400
    /// The longest function, in lines.
    static let functionLineLimit = 70
    /// The targets that own C resources, or hold the hook of the runtime, and so the only ones with unsafe code.
    static let unsafeTargets: Set<String> = [
        "HTTPTransport", "ExternalJoin", "OpenSSLCMS", "PostgresDatabase", "Printing", "SQLiteDatabase",
        "Simulation", "StatementFiles", "WalletOrders",
    ]
    /// The files of other targets that do.
    static let unsafeFiles: Set<String> = ["Sources/Storage/StepDocument.swift"]
    /// The targets that speak to a database engine, but know none of our tables.
    static let engineTargets: Set<String> = ["SQL", "SQLiteDatabase", "PostgresDatabase"]
    /// The targets that have SQL: the one that knows our tables, and one with two of its own to measure against.
    static let queryTargets: Set<String> = ["ExternalJoin", "Storage"]

    static func fileLength(_ file: SourceTree.File) -> [Finding] {
        guard file.lineCount > lineLimit else { return [] }
        return [Finding(path: file.path, line: lineLimit + 1, problem: "has \(file.lineCount) lines")]
    }

    static func functionLength(_ source: SwiftSource) -> [Finding] {
        FunctionLengths.all(in: source).filter { $0.length > functionLineLimit }.map {
            Finding(path: source.path, line: $0.line, problem: "is a function of \($0.length) lines")
        }
    }

    static func unsafeCode(_ source: SwiftSource) -> [Finding] {
        guard let target = source.target, !unsafeTargets.contains(target), !unsafeFiles.contains(source.path) else {
            return []
        }
        return source.findings("is unsafe code") { line in
            let words = line.split { !$0.isLetter && $0 != "_" && $0 != "@" }
            return words.contains("unsafe") || words.contains("@unsafe")
                || words.contains("@unchecked") && words.contains("Sendable")
        }
    }

    /// Text for the standard output; what goes into a variable (`to: &text`) is none.
    static func printing(_ source: SwiftSource) -> [Finding] {
        guard source.target != "TributaryCommand" else { return [] }
        return source.findings("prints") { line in
            !line.contains("to: &")
                && ["print(", "debugPrint(", "dump("].contains { call in
                    line.ranges(of: call).contains { range in
                        guard let before = line[..<range.lowerBound].last else { return true }
                        return !before.isLetter && !before.isNumber && before != "_" && before != "."
                            && !line[..<range.lowerBound].hasSuffix("func ")
                    }
                }
        }
    }

    static func sql(_ source: SwiftSource) -> [Finding] {
        guard let target = source.target, !queryTargets.contains(target) else { return [] }
        let isEngine = engineTargets.contains(target)
        return source.literals.filter { SQLWords.occur(in: $0.text, countingQueries: !isEngine) }.map {
            Finding(path: source.path, line: $0.line, problem: "has SQL in a string")
        }
    }

    /// Words that promise work instead of doing it.
    ///
    /// Written in halves here, so that this file passes.
    static func promises(_ file: SourceTree.File) -> [Finding] {
        mentions(["TO" + "DO", "FIX" + "ME"], in: file, problem: "promises work", asWords: true)
    }

    /// Paths that exist on one machine only.
    ///
    /// Written in halves here, so that this file passes.
    static func machinePaths(_ file: SourceTree.File) -> [Finding] {
        let folders = ["wo" + "rk", "ro" + "ot", "ho" + "me", "Us" + "ers", "t" + "mp"]
        return mentions(folders.map { "/\($0)/" }, in: file, problem: "names a path of one machine", asWords: false)
    }

    private static func mentions(
        _ patterns: [String],
        in file: SourceTree.File,
        problem: String,
        asWords: Bool
    ) -> [Finding] {
        guard patterns.contains(where: { file.text.contains($0) }) else { return [] }
        return file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
            index,
            line in
            let isFound = patterns.contains { pattern in
                asWords
                    ? line.split { !$0.isLetter && !$0.isNumber }.contains { $0 == pattern } : line.contains(pattern)
            }
            return isFound ? Finding(path: file.path, line: index + 1, problem: problem) : nil
        }
    }
}
