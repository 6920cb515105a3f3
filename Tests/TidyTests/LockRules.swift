/// What is done under a lock.
enum LockRules {
    /// What wakes whoever waits, or runs somebody else's code: that of a cancellation, or of a stream's end.
    private static let calls = [".yield(", ".resume(", ".finish()", ".cancel()"]

    /// Who is woken, ended or cancelled in the closure that has a lock.
    ///
    /// Waking a task waits for the lock of that task, and whoever cancels it has that in hand while its cancellation handlers
    /// come for ours.
    static func wakes(_ source: SwiftSource) -> [Finding] {
        var depth = 0
        /// How deep the outermost closure under a lock begins.
        var floor: Int?
        return source.code.enumerated().flatMap { index, line in
            var found: [Finding] = []
            let lock = line.firstRange(of: ".withLock").flatMap { line[$0.upperBound...].firstIndex(of: "{") }
            for place in line.indices {
                if place == lock { floor = floor ?? depth }
                if line[place] == "{" { depth += 1 }
                if line[place] == "}" { depth -= 1 }
                if let least = floor, line[place] == "}", depth <= least { floor = nil }
                guard floor != nil, calls.contains(where: { line[place...].hasPrefix($0) }) else { continue }
                found.append(Finding(path: source.path, line: index + 1, problem: "wakes somebody under a lock"))
            }
            return found
        }
    }
}
