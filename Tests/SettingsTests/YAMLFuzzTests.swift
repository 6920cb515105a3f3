import Foundation
import SeededRandom
import Settings
import Testing
import TributaryTestKit

@Suite("YAML that was changed", .timeLimit(.minutes(60)))
struct YAMLFuzzTests {
    /// The files that are shipped, and the places where text can stand.
    private static func corpus() throws -> [[UInt8]] {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
                path: "Config"
            )
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }
        return try files.map { try Array(Data(contentsOf: $0)) } + YAMLWorkTests.places.map { Array($0.yaml("x").utf8) }
    }

    @Test("is read or refused, each problem with its place, as every kind of file there is")
    func files() throws {
        let broken = try Fuzzing("YAML", corpus: Self.corpus()).run { document, random in
            let text = String(decoding: document, as: UTF8.self)
            let surroundings = Surroundings.literal(files: ["t.yaml": text])
            do throws(InvalidConfiguration) {
                switch random.below(3) {
                case 0: _ = try Declaration.parse(text, file: "t.yaml")
                case 1: _ = try ServerSettings.load(path: "t.yaml", isRequired: true, surroundings: surroundings)
                default:
                    _ = try ReconciliationSettings.load(path: "t.yaml", isRequired: true, surroundings: surroundings)
                }
                return .taken
            } catch {
                guard let first = error.problems.first, error.problems.allSatisfy({ !$0.sentence.isEmpty }) else {
                    return .broken("is refused without a reason: \(error.summary)")
                }
                return .refused(first.code)
            }
        }
        #expect(broken == nil)
    }
}
