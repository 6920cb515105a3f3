import AdapterKit
import Foundation
import Testing

/// Recorded replies to one operation, named for what the adapter must make of them.
struct Fixture: Sendable, CustomTestStringConvertible {
    let adapter: String
    let operation: RecordedOperation
    /// The file's name without `.http` and the number of the exchange.
    let name: String
    /// The replies in the order of the exchanges.
    let replies: [WireReply]
    /// Whether the files are numbered, which asks for the call that takes more exchanges.
    let isNumbered: Bool

    var testDescription: String { "\(adapter)/\(operation.rawValue)/\(name)" }

    /// Every recording, `Fixtures/<psp>/<operation>/<expectation>[.n].http`.
    static var all: [Fixture] {
        get throws {
            var files: [String: [(number: Int?, reply: WireReply)]] = [:]
            for path in try paths() {
                let stem = String(path.dropLast(".http".count))
                let number = stem.split(separator: ".").dropFirst().last.flatMap { Int($0) }
                let key = number == nil ? stem : String(stem.prefix { $0 != "." })
                let bytes = [UInt8](try Data(contentsOf: try root.appending(path: path)))
                let recording = try #require(HTTPRecording(bytes), "\(path) is no recording")
                files[key, default: []].append((number, recording.reply))
            }
            return try files.map(Fixture.init).sorted { $0.testDescription < $1.testDescription }
        }
    }

    private init(key: String, files: [(number: Int?, reply: WireReply)]) throws {
        let parts = key.split(separator: "/").map { String($0) }
        try #require(parts.count == 3, "\(key) does not lie in <psp>/<operation>")
        adapter = parts[0]
        operation = try #require(RecordedOperation(rawValue: parts[1]), "\(key) is of no operation")
        name = parts[2]
        isNumbered = files.contains { $0.number != nil }
        let sorted = files.sorted { ($0.number ?? 1) < ($1.number ?? 1) }
        try #require(sorted.map { $0.number ?? 1 } == Array(1...sorted.count), "\(key) misses an exchange")
        replies = sorted.map { $0.reply }
    }

    /// A file among the fixtures.
    static func data(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: try root.appending(path: path))) }

    /// The paths of all recorded webhooks, `Fixtures/<psp>/webhook/<expectation>.http`.
    static func webhookPaths() throws -> [String] { try recordings().filter { $0.contains("/webhook/") } }

    private static var root: URL {
        get throws { try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)) }
    }

    private static func paths() throws -> [String] { try recordings().filter { !$0.contains("/webhook/") } }

    private static func recordings() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: try root.path).filter { $0.hasSuffix(".http") }
    }
}
