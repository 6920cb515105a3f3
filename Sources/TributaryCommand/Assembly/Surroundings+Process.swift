import Foundation
import Settings

extension Surroundings {
    /// This process's environment variables, and the files it can read.
    static var process: Surroundings {
        Surroundings(environment: ProcessInfo.processInfo.environment) { path in
            FileManager.default.contents(atPath: path).map(Array.init)
        }
    }
}
