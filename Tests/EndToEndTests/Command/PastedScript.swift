import Foundation
import Testing
import TributaryTestKit

/// What stands in the fences of pages, as somebody pastes it into one terminal, in order.
///
/// Only what a fence calls `bash` is pasted, and what it calls `python` is the callbacks' receiver; what cannot run on any
/// machine stands in a fence of another language.
struct PastedScript: Sendable {
    private static let ports = ["8080", "9901", "9100"]

    /// What stands in a fence: its language and its text.
    private struct Fence: Sendable {
        let language: String
        let text: String
    }

    private var fences: [Fence]

    private init(_ page: Substring) {
        fences = page.matches(of: /```(?<language>[a-z]+)\n(?<text>(?s).*?)```/).map { match in
            Fence(language: String(match.output.language), text: String(match.output.text))
        }
    }

    /// The README from "One order" on, or only that section.
    static func readme(onlyOneOrder: Bool = false) throws -> PastedScript {
        let page = try text(of: "README.md")
        let start = try #require(page.range(of: "## One order\n"))
        let rest = page[start.upperBound...]
        guard onlyOneOrder else { return PastedScript(rest) }
        let end = try #require(rest.range(of: "\n## "))
        return PastedScript(rest[..<end.lowerBound])
    }

    /// A page of the documentation, behind the README's one order.
    static func page(_ name: String) throws -> PastedScript {
        var script = try readme(onlyOneOrder: true)
        let own = PastedScript(try text(of: "Sources/Tributary.docc/\(name).md")[...])
        try #require(own.fences.contains { $0.language == "bash" })
        script.fences += own.fences
        return script
    }

    private static func text(of page: String) throws -> String {
        try String(contentsOfFile: #require(Workplace.repositoryFile(page)), encoding: .utf8)
    }

    /// How many fences there are.
    var count: Int { fences.count }

    /// The same without the fences in which a word stands.
    func without(_ word: String) -> PastedScript {
        var script = self
        script.fences.removeAll { $0.text.contains(word) }
        return script
    }

    /// Runs it in a folder of its own, as one script that ends at its first failure, with all that it has started.
    ///
    /// `swift run tributary` is the program of this build and the ports are free ones.
    ///
    /// - Parameters:
    ///   - python: what `python3` is; nil for the machine's.
    ///   - seconds: how long it may take.
    /// - Returns: how it ended.
    /// - Throws: `ProgramFailure` if it took longer.
    func run(python: String? = nil, within seconds: Int) async throws -> Finished {
        var ending: Finished?
        try await Workplace.with { place in
            var place = place
            try await furnish(&place, python: python)
            let timeout = ["--kill-after=5", "\(seconds)", "/bin/bash", place.path("pasted.sh")]
            let shell = try place.start("/usr/bin/timeout", timeout)
            ending = try await Finished(shell, within: .seconds(seconds + 10))
        }
        return try #require(ending)
    }

    /// Lays out the folder: the settings and declarations, the programs by the names that are typed, and one script of
    /// all that is pasted.
    private func furnish(_ place: inout Workplace, python: String?) async throws {
        var numbers: [(String, String)] = []
        for port in Self.ports { numbers.append((port, String(try await FreePort.find()))) }
        func renumbered(_ text: String) -> String {
            numbers.reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
        let config = try #require(Workplace.repositoryFile("Config"))
        let files = FileManager.default
        try files.createDirectory(atPath: place.path("Config"), withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: config) where name.hasSuffix(".yaml") {
            let text = try String(contentsOfFile: "\(config)/\(name)", encoding: .utf8)
            try place.write(renumbered(text), to: "Config/\(name)")
        }
        for fence in fences where fence.language == "python" {
            try place.write(renumbered(fence.text), to: "receiver.py")
        }
        let script = fences.filter { $0.language == "bash" }.map(\.text).joined()
        try place.write(try opening(python: python) + renumbered(script), to: "pasted.sh")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        place.environment = ["PATH": place.path("bin") + ":" + path]
    }

    /// What a script begins with: it ends at its first failure, with all that it has started, and writes the programs
    /// down by the names that are typed.
    ///
    /// The script writes them, not the tests: a program that another test starts meanwhile may hold what these have open
    /// for writing, and what somebody can write to cannot be run (`ETXTBSY`).
    private func opening(python: String?) throws -> String {
        let program = try BuiltProgram.tributary.url().path
        var lines = ["swift": "[ \"$1 $2\" = 'run tributary' ] && shift 2 && exec '\(program)' \"$@\""]
        if let python { lines["python3"] = "exec '\(python)' \"$@\"" }
        let written = lines.map { "cat > bin/\($0) << 'END'\n#!/bin/sh\n\($1)\nEND\n" }
        return "set -eo pipefail\ntrap 'jobs -p | xargs -r kill' EXIT\nmkdir bin\n" + written.joined()
            + "chmod +x bin/*\n"
    }
}
