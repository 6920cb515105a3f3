import Foundation
import Testing
import TributaryTestKit

/// Runs the README from "One order" on, as somebody who pastes it into one terminal.
///
/// `swift run tributary` is the program of
/// this build, the ports are free ones, and the callback's receiver runs where its library is installed.
@Suite("The commands that the README prints", .timeLimit(.minutes(3)))
struct ReadmeTests {
    private static let ports = ["8080", "9901", "9100"]
    private static let seconds = 120

    /// What stands in a fence: its language and its text.
    private struct Snippet {
        let language: String
        let text: String
    }

    @Test("do in order, as they are pasted, what is said of them")
    func pasted() async throws {
        let readme = try #require(Workplace.repositoryFile("README.md"))
        var snippets = try Self.snippets(of: String(contentsOfFile: readme, encoding: .utf8))
        try #require(snippets.count >= 5)
        let python = StandardWebhooksPython.path
        if python == nil { snippets.removeAll { $0.text.contains("receiver.py") } }
        try await Workplace.with { place in
            var place = place
            try await Self.furnish(&place, python: python, &snippets)
            let timeout = ["--kill-after=5", "\(Self.seconds)", "/bin/bash", place.path("pasted.sh")]
            let shell = try place.start("/usr/bin/timeout", timeout)
            let ending = try await Finished(shell, within: .seconds(Self.seconds + 10))
            #expect(ending.status == 0, "\(ending.out)\n\(ending.err)")
            #expect(ending.out.contains(#""status":"paid""#), "\(ending.out)")
            #expect(ending.out.contains("cart-10293"))
            if python != nil { #expect(ending.out.contains("endpoint.test"), "\(ending.out)\n\(ending.err)") }
        }
    }

    /// Lays out the folder: the settings and declarations, the programs by the names that are typed, and one script of
    /// all that is pasted.
    private static func furnish(
        _ place: inout Workplace,
        python: String?,
        _ snippets: inout [Snippet]
    ) async throws {
        var numbers: [(String, String)] = []
        for port in ports { numbers.append((port, String(try await FreePort.find()))) }
        func renumbered(_ text: String) -> String {
            numbers.reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
        let files = FileManager.default
        for folder in ["Config", "bin"] {
            try files.createDirectory(atPath: place.path(folder), withIntermediateDirectories: true)
        }
        let config = try #require(Workplace.repositoryFile("Config"))
        for name in try files.contentsOfDirectory(atPath: config) where name.hasSuffix(".yaml") {
            let text = try String(contentsOfFile: "\(config)/\(name)", encoding: .utf8)
            try place.write(renumbered(text), to: "Config/\(name)")
        }
        let program = try BuiltProgram.tributary.url().path
        var shims = ["swift": "[ \"$1 $2\" = 'run tributary' ] && shift 2 && exec '\(program)' \"$@\""]
        if let python { shims["python3"] = "exec '\(python)' \"$@\"" }
        for (name, line) in shims {
            try place.write("#!/bin/sh\n\(line)\n", to: "bin/\(name)")
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path("bin/\(name)"))
        }
        for snippet in snippets where snippet.language == "python" {
            try place.write(renumbered(snippet.text), to: "receiver.py")
        }
        let script = snippets.filter { $0.language == "bash" }.map(\.text).joined()
        try place.write("set -eo pipefail\ntrap 'kill $(jobs -p)' EXIT\n" + renumbered(script), to: "pasted.sh")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        place.environment = ["PATH": place.path("bin") + ":" + path]
    }

    private static func snippets(of readme: String) throws -> [Snippet] {
        let start = try #require(readme.range(of: "## One order"))
        return readme[start.upperBound...].matches(of: /```(?<language>[a-z]+)\n(?<text>(?s).*?)```/).map { match in
            Snippet(language: String(match.output.language), text: String(match.output.text))
        }
    }
}
