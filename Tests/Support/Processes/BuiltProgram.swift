package import Foundation

/// A program of this build, which stands beside the program that runs the tests.
package enum BuiltProgram: String, Hashable, Sendable {
    /// The product.
    case tributary
    /// A gateway that dies where it is told to.
    case crashingGateway = "CrashingGateway"

    /// Where the program is.
    ///
    /// - Throws: ``ProgramFailure/notBuilt(_:)``.
    package func url() throws(ProgramFailure) -> URL {
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let url = runner.deletingLastPathComponent().appendingPathComponent(rawValue)
        guard FileManager.default.isExecutableFile(atPath: url.path) else { throw .notBuilt(rawValue) }
        return url
    }
}
