/// Rules of the pages that people read.
enum PageRules {
    /// Fewer lines than this has the page that a stranger reads first.
    static let readmeLimit = 250
    /// The page that a stranger reads first.
    static let readme = "README.md"
    /// Where the other pages are.
    static let folders = [".github/", "Sources/Tributary.docc/"]
    /// What a path into the tree begins with.
    static let roots = [".ci/", ".github/", "Adapters/", "Config/", "Sources/", "Tests/"]
    /// The name that an adapter that does not exist has where it is told how to write one.
    static let example = "acme"

    /// Whether a file is one of the pages.
    static func isPage(_ path: String) -> Bool {
        path == readme || path.hasSuffix(".md") && folders.contains(where: path.hasPrefix)
    }

    /// The first page, if it is too long.
    static func length(_ file: SourceTree.File) -> [Finding] {
        guard file.path == readme, file.lineCount >= readmeLimit else { return [] }
        return [Finding(path: file.path, line: readmeLimit, problem: "has \(file.lineCount) lines")]
    }

    /// The paths in backticks, and in links, that a page names and that do not exist.
    static func missingPaths(_ file: SourceTree.File, existing: Set<String>) -> [Finding] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { index, line -> [Finding] in
            (quoted(line) + linked(line)).compactMap { path in
                guard isInTree(path), !exists(path, among: existing) else { return nil }
                return Finding(path: file.path, line: index + 1, problem: "names \(path), which does not exist")
            }
        }
    }

    /// Whether text looks like a path into the tree: neither a top-level folder, nor one with a placeholder, nor one of
    /// the example.
    private static func isInTree(_ text: String) -> Bool {
        roots.contains(where: text.hasPrefix) && !roots.contains(text) && !text.contains("<") && !text.contains("…")
            && !text.contains("*")
            && !text.lowercased().contains(example)
    }

    private static func exists(_ path: String, among existing: Set<String>) -> Bool {
        existing.contains(path.hasSuffix("/") ? String(path.dropLast()) : path)
    }

    /// What is between backticks, up to the first space.
    private static func quoted(_ line: Substring) -> [String] {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { index, part in
            index % 2 == 1 ? part.split(separator: " ").first.map { String($0) } : nil
        }
    }

    /// What links lead to.
    private static func linked(_ line: Substring) -> [String] {
        line.ranges(of: "](").compactMap { range in
            let target = line[range.upperBound...]
            return target.firstIndex(of: ")").map { String(target[..<$0]) }
        }
    }
}
