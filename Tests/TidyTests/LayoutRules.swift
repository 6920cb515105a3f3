/// The rules that look at names and numbers of files.
enum LayoutRules {
    /// What stands at the top level beside hidden files.
    static let topLevel = ["Adapters", "Config", "Package.swift", "README.md", "Sources", "Tests"]

    /// The most lines that half of the files have.
    static let medianLimit = 90

    /// What is missing at the top level, or too much there.
    static func topLevel(_ names: [String]) -> [Finding] {
        let missing = Set(topLevel).subtracting(names).map { Finding(path: $0, line: 0, problem: "is missing") }
        let extra = Set(names).subtracting(topLevel).map { Finding(path: $0, line: 0, problem: "does not belong here") }
        return (missing + extra).sorted { $0.path < $1.path }
    }

    /// The lower median of the lengths; 0 of none.
    static func median(_ lengths: [Int]) -> Int {
        lengths.isEmpty ? 0 : lengths.sorted()[(lengths.count - 1) / 2]
    }

    /// What every adapter needs: a page about it, and a recorded approval, decline and doubt.
    static func adapters(_ paths: [String]) -> [Finding] {
        let adapters = Set(
            paths.compactMap { path -> Substring? in
                let parts = path.split(separator: "/")
                return parts.count > 2 && parts[0] == "Adapters" ? parts[1] : nil
            }
        )
        return adapters.sorted().flatMap { adapter -> [Finding] in
            let folder = "Tests/AdapterTests/Fixtures/\(name(of: adapter))/authorize/"
            let kinds = [["approved", "succeeded"], ["declined"], ["unknown"]]
            let fixtures = kinds.filter { words in
                !paths.contains { path in words.contains { path.hasPrefix(folder + $0) } }
            }
            let page = paths.contains("Adapters/\(adapter)/README.md") ? [] : ["README.md"]
            return (page + fixtures.map { "\($0[0]) fixture" }).map {
                Finding(path: "Adapters/\(adapter)", line: 0, problem: "has no \($0)")
            }
        }
    }

    /// An adapter's own name: its folder's in lower case, with a dash before each word but the first.
    private static func name(of folder: Substring) -> String {
        folder.reduce(into: "") { name, letter in
            if letter.isUppercase, !name.isEmpty { name += "-" }
            name += letter.lowercased()
        }
    }
}
