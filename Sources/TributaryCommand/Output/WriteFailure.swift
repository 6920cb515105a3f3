import Foundation

/// Why something could not be written.
struct WriteFailure {
    /// Whether whoever read it has gone away, which is no reason to fail.
    let isOfReader: Bool
    /// The system's words.
    let reason: String

    /// Reads the system's error, which Foundation keeps underneath its own.
    init(_ error: any Error) {
        let outer = error as NSError
        let inner = outer.userInfo[NSUnderlyingErrorKey] as? NSError
        let system = [inner, outer].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
        isOfReader = system?.code == Int(EPIPE)
        reason = system?.localizedFailureReason ?? "\(error)"
    }
}
