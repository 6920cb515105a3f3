import Foundation
import Glibc
package import SeededRandom

/// Feeds an entrance changed documents, and holds it to what every entrance owes: it neither crashes nor takes longer than
/// what it is given explains, and either takes a document or says precisely why not.
///
/// `TRIBUTARY_FUZZ_EXECUTIONS` says how many documents each entrance is fed (100 unless told otherwise),
/// `TRIBUTARY_FUZZ_SEED` which ones, `TRIBUTARY_FUZZ_FIRST` from which number on, so that one that failed can be fed alone.
package struct Fuzzing: Sendable {
    /// What an entrance made of a document.
    package enum Verdict: Hashable, Sendable {
        /// It took it.
        case taken
        /// It refused it; with the kind of reason.
        case refused(String)
        /// It broke a promise.
        case broken(String)
    }

    /// How long reading may take, in nanoseconds of the processor's time: so much, and so much for each byte.
    ///
    /// Plain builds of tests take ten times what optimised ones take; a hang takes for ever.
    private static let allowance: (once: Int64, perByte: Int64) = (1_000_000_000, 100_000)

    /// What it is called.
    package let name: String
    /// What documents are made of.
    package let corpus: [[UInt8]]
    /// How many times fewer documents it is fed than others, because each takes so much longer.
    package let cost: Int

    /// Makes an entrance.
    package init(_ name: String, corpus: [[UInt8]], cost: Int = 1) {
        self.name = name
        self.corpus = corpus
        self.cost = cost
    }

    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// How many documents each entrance is fed.
    package static let executions = Int(variable("TRIBUTARY_FUZZ_EXECUTIONS") ?? 100)
    /// Which ones: the same each time, unless the environment names others.
    package static let seed = variable("TRIBUTARY_FUZZ_SEED") ?? 1
    /// The number of the first.
    package static let first = Int(variable("TRIBUTARY_FUZZ_FIRST") ?? 0)

    /// Whether libFuzzer makes the documents, from what became of those before.
    package static var isGuided: Bool {
        #if TRIBUTARY_LIBFUZZER
        true
        #else
        false
        #endif
    }

    /// Feeds it documents until one breaks a promise.
    ///
    /// Which one is being read stands in a file while it is: a process that dies leaves it behind.
    ///
    /// - Parameters:
    ///   - executions: how many at the most; nil for as many as the environment says.
    ///   - read: reads a document, with random numbers of its own.
    /// - Returns: the promise that was broken, and how to feed that document alone; nil if none was.
    /// - Throws: what `read` throws.
    package func run(
        executions: Int? = nil,
        _ read: (_ document: [UInt8], _ random: inout SeededRandom) throws -> Verdict
    ) throws -> String? {
        guard !corpus.isEmpty else { return "\(name) has no corpus" }
        #if TRIBUTARY_LIBFUZZER
        guard let entrance = LibFuzzer.entrance else {
            try? FileHandle.standardError.write(contentsOf: Data("entrance: \(name)\n".utf8))
            return nil
        }
        guard entrance == name else { return nil }
        try withoutActuallyEscaping(read) { try LibFuzzer.feed(self, $0) }
        #endif
        let marker = try FuzzMarker(name)
        let mutators = FuzzMutator(corpus, SeededRandom(seed: Self.seed))
        var (counts, longest): ([Verdict: Int], (nanoseconds: Int64, number: Int)) = ([:], (0, 0))
        let count = max(1, (executions ?? Self.executions) / cost)
        for number in Self.first..<Self.first + count {
            var random = SeededRandom(seed: Self.seed, number: number)
            var mutator = mutators.with(random)
            let document = mutator.next()
            _ = random.next()
            marker.write("\(name): TRIBUTARY_FUZZ_SEED=\(Self.seed) TRIBUTARY_FUZZ_FIRST=\(number)")
            let start = Self.processorTime
            let verdict = try read(document, &random)
            let nanoseconds = Self.processorTime - start
            if nanoseconds > longest.nanoseconds { longest = (nanoseconds, number) }
            counts[verdict, default: 0] += 1
            var broken: String? = if case .broken(let why) = verdict { why } else { nil }
            let allowed = Self.allowance.once + Self.allowance.perByte * Int64(document.count)
            if nanoseconds > allowed { broken = "took \(nanoseconds / 1_000_000) ms for \(document.count) bytes" }
            if let broken {
                tell(counts, longest: longest)
                return """
                    \(name): \(broken); again: TRIBUTARY_FUZZ_EXECUTIONS=1 TRIBUTARY_FUZZ_SEED=\(Self.seed) \
                    TRIBUTARY_FUZZ_FIRST=\(number); \(Self.shown(document))
                    """
            }
        }
        marker.remove()
        tell(counts, longest: longest)
        return nil
    }

    /// Tells on standard error what became of documents.
    func tell(_ counts: [Verdict: Int], longest: (nanoseconds: Int64, number: Int)? = nil) {
        let reasons = counts.compactMap { verdict, count -> (String, Int)? in
            if case .refused(let why) = verdict { (why, count) } else { nil }
        }
        .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        let refused = reasons.prefix(6).map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        let total = counts.values.reduce(0, +)
        let line = """
            fuzz \(name): \(total) executions, seed \(Self.seed), \(counts[.taken, default: 0]) taken, \
            \(reasons.reduce(0) { $0 + $1.1 }) refused (\(refused)\(reasons.count > 6 ? ", …" : ""))\
            \(longest.map { ", longest \($0.nanoseconds / 1_000_000) ms at \($0.number)" } ?? "")

            """
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }

    /// The document in a failure's description: as text where it is some, else as Base64; the beginning of a long one.
    private static func shown(_ document: [UInt8]) -> String {
        let text = String(validating: document, as: UTF8.self)
        return text.map { "document: \($0.prefix(4000))" }
            ?? "in base 64: \(Data(document.prefix(4000)).base64EncodedString())"
    }

    private static var processorTime: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A small file that says what is being read.
private struct FuzzMarker {
    private let url: URL
    private let file: FileHandle

    init(_ name: String) throws {
        let plain = String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("tributary-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(plain)")
        try Data().write(to: url)
        file = try FileHandle(forWritingTo: url)
    }

    func write(_ text: String) {
        // As long each time: numbers grow only.
        try? file.seek(toOffset: 0)
        try? file.write(contentsOf: Data((text + "\n").utf8))
    }

    func remove() {
        try? file.close()
        try? FileManager.default.removeItem(at: url)
    }
}
