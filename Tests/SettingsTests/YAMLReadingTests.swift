import Settings
import Testing

@Suite("YAML reading")
struct YAMLReadingTests {
    private func failure(_ yaml: String) throws -> InvalidConfiguration {
        try #require(throws: InvalidConfiguration.self) {
            try ServerSettings.load(path: "t.yaml", isRequired: true, surroundings: .literal(files: ["t.yaml": yaml]))
        }
    }

    @Test(
        "names the place at which a file is not YAML",
        arguments: zip(
            ["host: [a", "a: b: c", "\thost: a", "host: *nobody", "--- {}\n--- {}", "host: 'a"],
            ["t.yaml:2:1", "t.yaml:1:5", "t.yaml:1:1", "t.yaml:1:7", "t.yaml:2:1", "t.yaml:1:9"]
        )
    )
    func malformed(yaml: String, place: String) throws {
        let summary = try failure(yaml).summary
        #expect(summary == ["\(place) malformed_yaml"])
    }

    @Test("refuses a key that stands twice")
    func duplicates() throws {
        #expect(try failure("port: 1\nhost: a\nport: 2\n").summary == ["t.yaml:1:1 duplicate_key"])
    }

    @Test(
        "refuses more than thirty combining marks in a row, escaped ones and those behind an escaped line break too",
        arguments: [
            "host: e" + String(repeating: "\u{301}", count: 31),
            "\"" + String(repeating: "\\u0301", count: 31) + "\": 1",
            "host: \"" + String(repeating: "\\u0301\\\n  ", count: 31) + "\"",
            "host: \"" + String(repeating: "\u{301}\\U00000316", count: 16) + "\"",
        ]
    )
    func combiningRuns(yaml: String) throws {
        #expect(try failure(yaml).problems.map(\.code) == ["combining_run"])
    }

    @Test("never repeats what the file says, lest it be a secret")
    func excerpts() throws {
        for yaml in ["keyring: { keys: { k1: hunter2", "keyring: { current: k1, keys: { k1: hunter2 } }"] {
            #expect(!(try failure(yaml)).description.contains("hunter2"))
        }
    }

    @Test(
        "takes text in quotes for text and plain words for what they look like",
        arguments: [
            ("port: '80'", "wrong_type"), ("port: 0080", "wrong_type"), ("port: 8_0", "wrong_type"),
            ("port: 0x50", "wrong_type"), ("port: 80.5", "not_an_integer"), ("port: 1e3", "not_an_integer"),
            ("callbacks: { allow_loopback: yes }", "wrong_type"),
            ("callbacks: { allow_loopback: 'true' }", "wrong_type"),
            ("host: 5", "wrong_type"), ("host: ''", "empty"), ("- host", "wrong_type"), ("host", "wrong_type"),
            ("? [a]\n: b", "malformed_key"), ("<<: { port: 1 }", "unknown_field"),
        ]
    )
    func scalars(yaml: String, code: String) throws {
        #expect(try failure(yaml).problems.map(\.code) == [code])
    }

    @Test("an alias stands for what its anchor names, but not a million times")
    func aliases() throws {
        let small = "psp: { connections: &n 100, queue: *n }"
        let settings = try ServerSettings.load(
            path: "t.yaml",
            isRequired: true,
            surroundings: .literal(files: ["t.yaml": small])
        )
        #expect(settings.psp.queue == 100)
        var lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
        for level in 1...8 {
            let aliases = [String](repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            lines.append("a\(level): &a\(level) [\(aliases)]")
        }
        #expect(try failure(lines.joined(separator: "\n")).summary == ["t.yaml:1:1 too_large"])
    }

    @Test("refuses a file that is not UTF-8")
    func encoding() throws {
        let surroundings = Surroundings(environment: [:]) { _ in [0x68, 0xFF] }
        let error = try #require(throws: InvalidConfiguration.self) {
            try ServerSettings.load(path: "t.yaml", surroundings: surroundings)
        }
        #expect(error.summary == ["t.yaml:1:1 unreadable_file"])
    }

    @Test(
        "reads durations by their unit",
        arguments: zip(
            ["100ms", "1s", "2m", "1h", "1d"],
            [100, 1000, 120_000, 3_600_000, 86_400_000] as [Int64]
        )
    )
    func durations(text: String, milliseconds: Int64) throws {
        let yaml = "timings: { unknown_schedule: [\(text)] }"
        let settings = try ServerSettings.load(
            path: "t.yaml",
            surroundings: .literal(files: ["t.yaml": yaml])
        )
        #expect(settings.timings.unknownScheduleMilliseconds == [milliseconds])
    }

    @Test(
        "refuses durations without a unit, with a sign, a fraction or a space",
        arguments: [
            "5", "-1s", "1.5s", "'1 s'", "s", "1D", "1S", "9999999999999h", "[]", "true",
        ]
    )
    func wrongDurations(text: String) throws {
        let error = try failure("timings: { unknown_schedule: [\(text)] }")
        #expect(error.problems.map(\.code) == ["wrong_type"])
        #expect(error.problems.map(\.path) == ["timings.unknown_schedule[0]"])
    }
}
