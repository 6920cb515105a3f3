import Settings

extension Surroundings {
    /// Surroundings whose files are given as text.
    static func literal(environment: [String: String] = [:], files: [String: String] = [:]) -> Surroundings {
        Surroundings(environment: environment) { path in files[path].map { Array($0.utf8) } }
    }
}

extension InvalidConfiguration {
    /// Place, code and path of every problem, for comparison.
    var summary: [String] {
        problems.map { "\($0.place) \($0.code)" + ($0.path.isEmpty ? "" : " \($0.path)") }
    }
}
