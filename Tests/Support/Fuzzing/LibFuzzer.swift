// Of builds by `.ci/fuzz` alone, in which all that is fed tells libFuzzer of its branches.
#if TRIBUTARY_LIBFUZZER
import Foundation
import Glibc
package import SeededRandom

/// Has libFuzzer make the documents: it keeps what takes new ways through the code, and changes that again.
enum LibFuzzer {
    private static let environment = ProcessInfo.processInfo.environment

    /// The entrance that is fed, which is all that a process does; nil if it is to list entrances.
    static let entrance = environment["TRIBUTARY_FUZZ_ENTRANCE"]

    /// Feeds an entrance until libFuzzer has had enough, which ends the process, or a document breaks a promise, which aborts it.
    ///
    /// - Parameters:
    ///   - fuzzing: the entrance.
    ///   - read: reads a document, with random numbers that come of the document.
    /// - Throws: if there is nowhere to keep documents.
    static func feed(_ fuzzing: Fuzzing, _ read: @escaping LibFuzzerFeed.Reader) throws {
        let folder = URL(filePath: environment["TRIBUTARY_FUZZ_FOLDER"] ?? ".build/fuzz/found")
        let (found, fixtures) = (folder.appending(path: "found"), folder.appending(path: "fixtures"))
        for folder in [found, fixtures] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        for (number, document) in fuzzing.corpus.enumerated() {
            try Data(document).write(to: fixtures.appending(path: "\(number)"))
        }
        let options = environment["TRIBUTARY_FUZZ_OPTIONS"]?.split(separator: " ").map(String.init) ?? []
        // One file instead of folders is fed once more.
        let corpus = environment["TRIBUTARY_FUZZ_FILE"].map { [$0] } ?? [found.path, fixtures.path]
        unsafe current = LibFuzzerFeed(fuzzing, read)
        atexit { unsafe current?.tell() }
        let texts = ["tributary", "-artifact_prefix=\(folder.path)/"] + options + corpus
        var count = CInt(texts.count)
        var arguments = unsafe texts.map { unsafe strdup($0) } + [nil]
        unsafe arguments.withUnsafeMutableBufferPointer { buffer in
            var first = buffer.baseAddress
            exit(
                unsafe runDriver(&count, &first) { bytes, count in
                    unsafe current?.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
                    return 0
                }
            )
        }
    }
}

/// What the process feeds: libFuzzer calls a function that knows of nothing else.
private nonisolated(unsafe) var current: LibFuzzerFeed?

/// An entrance, and what it made of its documents so far.
final class LibFuzzerFeed {
    /// Reads a document, with random numbers of its own.
    typealias Reader = (_ document: [UInt8], _ random: inout SeededRandom) throws -> Fuzzing.Verdict

    private let fuzzing: Fuzzing
    private let reader: Reader
    private var counts: [Fuzzing.Verdict: Int] = [:]

    init(_ fuzzing: Fuzzing, _ reader: @escaping Reader) {
        self.fuzzing = fuzzing
        self.reader = reader
    }

    func read(_ document: [UInt8]) {
        // The same document is read in the same way each time.
        let seed = document.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var random = SeededRandom(seed: seed)
        let verdict: Fuzzing.Verdict
        do { verdict = try reader(document, &random) } catch { verdict = .broken("throws \(error)") }
        counts[verdict, default: 0] += 1
        if case .broken(let why) = verdict {
            try? FileHandle.standardError.write(contentsOf: Data("\(fuzzing.name): \(why)\n".utf8))
            abort()
        }
    }

    func tell() { fuzzing.tell(counts) }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ read: @convention(c) (_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt
) -> CInt
#endif
