import Domain
import Foundation

extension AuditActor {
    /// Whoever typed the command, which acts on the database directly.
    static var commandLine: AuditActor { .shell(NSUserName(), on: ProcessInfo.processInfo.hostName) }
}
