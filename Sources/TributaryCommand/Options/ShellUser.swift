import Domain
import Foundation

extension AuditActor {
    /// Whoever typed the command, which acts on the database directly.
    static var commandLine: AuditActor { .shell(NSUserName(), on: hostName) }

    /// The machine's own name for itself; nil if it has none. Nobody is asked for it.
    private static var hostName: String? {
        var name = [CChar](repeating: 0, count: 256)
        // One byte less, so that a zero always ends it.
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
