/// The rules that look at names and numbers of files.
enum LayoutRules {
    /// What stands at the top level beside hidden files.
    static let topLevel = ["Adapters", "Config", "Package.swift", "README.md", "Sources", "Tests"]

    /// The most lines that half of the files have.
    static let medianLimit = 160

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

    /// What every adapter needs: a page about it, and conversations that end in an approval, a decline and a doubt.
    static func adapters(_ files: [SourceTree.File]) -> [Finding] {
        let texts = Dictionary(files.map { ($0.path, $0.text) }, uniquingKeysWith: { first, _ in first })
        let adapters = Set(
            texts.keys.compactMap { path -> Substring? in
                let parts = path.split(separator: "/")
                return parts.count > 2 && parts[0] == "Adapters" ? parts[1] : nil
            }
        )
        return adapters.sorted().flatMap { adapter -> [Finding] in
            let names = texts["\(samples)\(name(of: adapter))/authorize.txt", default: ""].split(separator: "\n")
            let kinds = [("approved", "succeeded"), ("declined", "declined"), ("unknown", "unknown")]
            let missing = kinds.filter { kind in !names.contains { $0.hasPrefix(kind.1) } }
            let page = texts["Adapters/\(adapter)/README.md"] == nil ? ["README.md"] : []
            return (page + missing.map { "\($0.0) conversation" }).map {
                Finding(path: "Adapters/\(adapter)", line: 0, problem: "has no \($0)")
            }
        }
    }

    /// Where the adapters' samples are.
    static let samples = "Tests/AdapterTests/Samples/"

    /// The samples that are another one's copy, byte by byte.
    static func copies(_ samples: [(path: String, bytes: [UInt8])]) -> [Finding] {
        let sorted = samples.sorted { $0.path < $1.path }
        return Dictionary(grouping: sorted, by: \.bytes).values.flatMap { same in
            same.dropFirst().map { Finding(path: $0.path, line: 0, problem: "is a copy of \(same[0].path)") }
        }
        .sorted { $0.path < $1.path }
    }

    /// The adapters whose files are not in one folder, or not called after the PSP.
    static func folders(_ paths: [String]) -> [Finding] {
        paths.filter { $0.hasPrefix("Adapters/") && $0.hasSuffix(".swift") }.compactMap { path in
            let parts = path.split(separator: "/")
            guard parts.count == 3 else { return Finding(path: path, line: 0, problem: "is in a subfolder") }
            return parts[2].hasPrefix(parts[1])
                ? nil : Finding(path: path, line: 0, problem: "is not called after its PSP")
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
