import Foundation

/// Which files a folder of fixtures has.
enum FixtureFolder {
    static func names(_ folder: String, suffix: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: Fixture.url(folder).path)
        return Set(names.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" })
    }
}
