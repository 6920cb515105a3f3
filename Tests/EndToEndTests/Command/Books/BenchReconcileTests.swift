import StrictJSON
import Testing

@Suite("The measurement of reconciliation", .timeLimit(.minutes(10)))
struct BenchReconcileTests {
    @Test("finds what was planted, by the engine and by SQL, in a report and in one of ten times its lines")
    func planted() async throws {
        try await Workplace.with { place in
            var place = place
            place.environment["TMPDIR"] = place.path("")
            let result = try await place.json("bench", "reconcile", "--lines", "1010", "--ten-times")
            let measures = Dictionary(
                uniqueKeysWithValues: (result["measures"]?.arrayValue ?? []).map { measure in
                    (measure["name"]?.stringValue ?? "", measure)
                }
            )
            let exact = [
                "engine_lines": "1010.00", "sql_lines": "1010.00", "engine_ten_times_lines": "10100.00",
                "engine_breaks": "27.00", "sql_breaks": "27.00", "engine_ten_times_breaks": "27.00",
            ]
            for (name, value) in exact { #expect(measures[name]?["value"] == .number(value), "\(name)") }
            let bars = [
                "engine_lines_per_second_per_core", "engine_peak_memory_mb", "engine_to_sql_speed",
                "engine_ten_times_peak_memory_mb", "engine_ten_times_more_memory_mb",
            ]
            for name in bars { #expect(measures[name]?["met"]?.boolValue != nil, "\(name)") }
            #expect(try place.files().filter { $0.hasPrefix("tributary-") } == [])
        }
    }

    @Test("refuses fewer lines than what is planted needs, and says how many that is")
    func tooFew() async throws {
        try await Workplace.with { place in
            let ending = try await place.run("bench", "reconcile", "--lines", "100")
            #expect(ending.status == 2)
            #expect(ending.err.contains("--lines is 810 to 100000000"))
        }
    }
}
