import Foundation
import Testing

/// The fixture files beside these tests.
enum Fixture {
    /// The rows of a comma-separated file by column name.
    static func rows(_ name: String) throws -> [[String: String]] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/" + name, withExtension: nil))
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        let columns = try #require(lines.first).split(separator: ",").map(String.init)
        return lines.dropFirst().map { line in
            let values = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return Dictionary(uniqueKeysWithValues: zip(columns, values))
        }
    }
}
