import Foundation
import Testing

/// The files beside the tests.
enum Fixture {
    /// The bytes of a file, by its path below `Fixtures`.
    static func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url(path))) }

    /// The text of a file, to be changed.
    static func text(_ path: String) throws -> String { try String(decoding: bytes(path), as: UTF8.self) }

    /// Where a file lies.
    static func url(_ path: String) throws -> URL {
        let folder = try #require(Bundle.module.resourceURL)
        return folder.appendingPathComponent("Fixtures").appendingPathComponent(path)
    }
}
