import Foundation

/// The files of the package, as they stand on disk beside this one.
enum SourceTree {
    /// A file whose content is text.
    struct File: Sendable {
        /// The path from the package's root, with slashes.
        let path: String
        let text: String

        /// The lines, not counting the end behind the last line break.
        var lineCount: Int {
            text.utf8.count { $0 == UInt8(ascii: "\n") } + (text.isEmpty || text.hasSuffix("\n") ? 0 : 1)
        }
    }

    /// The package's root, found from this file's own path.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The names at the top level that are neither hidden nor left by a build.
    static let topLevel: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path())) ?? []
        return names.filter { !$0.hasPrefix(".") && $0 != "Package.resolved" && !$0.contains(".sqlite") }.sorted()
    }()

    /// The paths of all files below the top level's folders, sorted.
    static let paths: [String] = ["Sources", "Tests", "Adapters", "Config", ".ci", ".github"].flatMap { folder in
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path())?.allObjects
        return (names ?? []).compactMap { $0 as? String }.map { "\(folder)/\($0)" }
    }.sorted()

    /// Every file that is UTF-8 text, the manifest among them.
    static let texts: [File] = (paths + ["Package.swift", "README.md"]).compactMap { path in
        guard let data = try? Data(contentsOf: root.appending(path: path)),
            let text = String(data: data, encoding: .utf8)
        else { return nil }
        return File(path: path, text: text)
    }

    /// Every Swift file, read into code and strings.
    static let sources: [SwiftSource] = texts.filter { $0.path.hasSuffix(".swift") }.map { SwiftSource($0) }

    /// The Swift files that ship: libraries, adapters and the command.
    static let shipped: [SwiftSource] = sources.filter {
        $0.path.hasPrefix("Sources/") || $0.path.hasPrefix("Adapters/")
    }
}
