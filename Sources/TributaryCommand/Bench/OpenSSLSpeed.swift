import Foundation

/// What `openssl speed` measures on one core of this machine.
struct OpenSSLSpeed {
    /// Key agreements on P-256 a second.
    let agreements: Double
    /// Verified ECDSA signatures on P-256 a second.
    let verifications: Double

    /// How often a second one key agreement and two verified signatures fit.
    var tokenBudgetsPerSecond: Double { 1 / (1 / agreements + 2 / verifications) }

    /// Runs it.
    ///
    /// - Throws: ``CommandFailure`` if there is no such program, or it answers something else.
    static func measure(seconds: Int) throws -> OpenSSLSpeed {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "speed", "-seconds", String(seconds), "ecdhp256", "ecdsap256"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw CommandFailure.unusable("openssl cannot be started: \(error.localizedDescription)")
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let agreement = text.firstMatch(of: /ecdh \(nistp256\).* ([0-9.]+)\n/),
            let verification = text.firstMatch(of: /ecdsa \(nistp256\).* ([0-9.]+)\n/),
            let agreements = Double(agreement.1), let verifications = Double(verification.1),
            agreements > 0, verifications > 0
        else { throw CommandFailure.unusable("openssl speed failed; install the package openssl") }
        return OpenSSLSpeed(agreements: agreements, verifications: verifications)
    }
}
