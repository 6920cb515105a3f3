import Foundation
import Testing

/// The files of `Samples`, by their path from there.
enum SampleFiles {
    /// The bytes of a file.
    static func data(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: try root.appending(path: path))) }

    /// The text of a file.
    static func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }

    /// The names in a folder, sorted; none if there is no such folder.
    static func names(in folder: String) throws -> [String] {
        let url = folder.isEmpty ? try root : try root.appending(path: folder)
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    /// The PSPs that have replies, by the names of their adapters.
    static func psps() throws -> [String] { try names(in: "").filter { try !names(in: "\($0)/replies").isEmpty } }

    private static var root: URL {
        get throws { try #require(Bundle.module.url(forResource: "Samples", withExtension: nil)) }
    }
}

/// What is wrong with a sample, or with a conversation of samples.
struct SampleProblem: Error, Equatable, CustomStringConvertible {
    /// The file, from `Samples`.
    let path: String
    /// The line, from 1; 0 for the whole file.
    let line: Int
    let problem: String

    /// `stripe/void.txt:12: there is no reply held`.
    var description: String { "\(path):\(line): \(problem)" }
}
