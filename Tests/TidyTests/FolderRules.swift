/// Rules of what folders use of one another, and of the names of types.
enum FolderRules {
    /// Two folders of one target that use types of each other, each pair once, with a type that either uses.
    ///
    /// Files at a target's root stand above its folders and do not count. A type whose name stands twice belongs nowhere.
    static func circles(_ sources: [SwiftSource]) -> [Finding] {
        let homes = Dictionary(grouping: declarations(sources), by: \.name).compactMapValues { types in
            let paths = Set(types.map(\.path))
            return paths.count == 1 ? paths.first : nil
        }
        var uses: [Use: String] = [:]
        for source in sources {
            let (target, folder) = (target(of: source.path), folder(of: source.path))
            guard folder != target else { continue }
            for name in words(of: source) {
                guard let home = homes[name], Self.target(of: home) == target else { continue }
                let other = Self.folder(of: home)
                guard other != target, other != folder else { continue }
                let use = Use(user: folder, used: other)
                uses[use] = min(uses[use] ?? name, name)
            }
        }
        return uses.compactMap { use, name in
            guard use.user < use.used, let back = uses[use.reversed] else { return nil }
            let problem = "uses \(name) of \(use.used), which uses \(back) of it"
            return Finding(path: use.user, line: 0, problem: problem)
        }
        .sorted { $0.description < $1.description }
    }

    /// The types at the top of a file whose name another file has for one, whatever targets the two belong to.
    static func doubledTypes(_ sources: [SwiftSource]) -> [Finding] {
        Dictionary(grouping: declarations(sources), by: \.name).values.flatMap { same in
            let sorted = same.sorted { $0.path < $1.path }
            return sorted.dropFirst().filter { $0.path != sorted[0].path }.map { type in
                Finding(path: type.path, line: type.line, problem: "has another \(type.name) than \(sorted[0].path)")
            }
        }
        .sorted { $0.description < $1.description }
    }

    private struct Use: Hashable {
        let user: String
        let used: String

        var reversed: Use { Use(user: used, used: user) }
    }

    private struct Declaration {
        let name: String
        let path: String
        let line: Int
    }

    private static let modifiers: Set<Substring> = ["public", "package", "final", "indirect"]
    private static let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]

    /// The types that a line declares without indentation, and that other files can see.
    private static func declarations(_ sources: [SwiftSource]) -> [Declaration] {
        sources.flatMap { source in
            source.code.enumerated().compactMap { index, line -> Declaration? in
                guard let first = line.utf8.first, first != UInt8(ascii: " ") else { return nil }
                let words = line.split(separator: " ").drop(while: modifiers.contains)
                guard let kind = words.first, kinds.contains(kind), let word = words.dropFirst().first else {
                    return nil
                }
                let name = word.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                return name.isEmpty ? nil : Declaration(name: String(name), path: source.path, line: index + 1)
            }
        }
    }

    /// The words of a file's code that may be types: those that begin with a capital letter.
    private static func words(of source: SwiftSource) -> Set<String> {
        let isPart: (UInt8) -> Bool = { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: byte >= 0x80
            }
        }
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return source.code.reduce(into: []) { words, line in
            for word in line.utf8.split(whereSeparator: { !isPart($0) }) {
                if let first = word.first, capitals.contains(first) { words.insert(String(Substring(word))) }
            }
        }
    }

    private static func folder(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The folder of a target: below `Sources`, `Sources/Tools` or `Adapters`.
    private static func target(of path: String) -> String {
        let parts = path.split(separator: "/")
        return parts.prefix(parts.dropFirst().first == "Tools" ? 3 : 2).joined(separator: "/")
    }
}
