/// What a file is called in the archive that it is part of.
struct MemberName: Hashable, Sendable {
    /// The name; nil for a file that is part of none.
    let text: String?

    /// Whether a name stays in its folder, and shows what it is.
    ///
    /// Nothing is ever written under a member's name; a name that tries to leave is refused all the same, because whoever
    /// made the archive means no good.
    static func isSafe(_ name: String) -> Bool {
        let parts = name.split { $0 == "/" || $0 == "\\" }
        return !name.isEmpty && name.utf8.count <= 1_024 && !name.hasPrefix("/") && !name.hasPrefix("\\")
            && !parts.contains("..") && !parts.contains { $0.dropFirst().first == ":" && $0.count == 2 }
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }

    /// Whether it is what macOS adds to archives, beside the files.
    static func isAddedByFinder(_ name: String) -> Bool {
        name.hasPrefix("__MACOSX/") || name == ".DS_Store" || name.hasSuffix("/.DS_Store")
    }
}
