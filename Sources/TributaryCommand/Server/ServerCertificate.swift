import Domain
import HTTPAPI
import Logging
import OpenSSLCMS
import ServiceLifecycle
import Settings
import Synchronization

/// The certificate and the key that the API is served with, as their files have them.
struct ServerCertificate: Hashable, Sendable {
    /// How long before it expires it is warned of, in milliseconds: 30 days.
    private static let warningMilliseconds: Int64 = 30 * 86_400_000
    /// `extKeyUsage` (RFC 5280, 4.2.1.12).
    private static let usageExtension = "2.5.29.37"
    /// `id-kp-serverAuth` and `anyExtendedKeyUsage` in DER.
    private static let serverUsages: [[UInt8]] = [
        [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01], [0x06, 0x04, 0x55, 0x1D, 0x25, 0x00],
    ]

    /// The certificate, and those between it and its authority, in PEM.
    let certificates: [UInt8]
    /// The private key, in PEM.
    let key: [UInt8]

    /// Reads both files, and looks at nothing in them.
    ///
    /// - Throws: ``CommandFailure`` that names the file that cannot be read.
    init(_ settings: TLSSettings, surroundings: Surroundings) throws(CommandFailure) {
        certificates = try Self.read("tls.certificate_file", settings.certificateFile, surroundings)
        key = try Self.read("tls.key_file", settings.keyFile, surroundings)
    }

    private static func read(
        _ setting: String,
        _ path: String,
        _ surroundings: Surroundings
    ) throws(CommandFailure) -> [UInt8] {
        guard let bytes = surroundings.readFile(path) else {
            throw .unusable("\(setting): the file \(path) cannot be read")
        }
        return bytes
    }

    /// The certificate itself, once it is known to be of this key.
    ///
    /// - Throws: ``CommandFailure`` that says which file is wrong, and how.
    func matched() throws(CommandFailure) -> Certificate {
        for (setting, bytes) in [("tls.certificate_file", certificates), ("tls.key_file", key)]
        where bytes.firstRange(of: Array("-----BEGIN ".utf8)) == nil {
            throw .unusable("\(setting): the file is not in PEM")
        }
        guard let certificate = try? Certificate(certificates) else {
            throw .unusable("tls.certificate_file: there is no certificate that can be read")
        }
        do throws(KeyRefusal) {
            let key = try PrivateKey(self.key)
            if certificate.subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo { return certificate }
        } catch {
            throw .unusable("tls.key_file: \(error)")
        }
        throw .unusable("tls.key_file: the private key is not that of the certificate")
    }

    /// What is wrong with it at a moment, in sentences: what keeps clients away, and what will need a look soon.
    func findings(at now: Timestamp) -> (problems: [String], warnings: [String]) {
        do {
            let certificate = try matched()
            _ = try ServerTLS(certificates: certificates, key: key)
            return Self.findings(certificate, at: now)
        } catch let failure as CommandFailure {
            return ([failure.description], [])
        } catch {
            return (["tls: \(error)"], [])
        }
    }

    private static func findings(
        _ certificate: Certificate,
        at now: Timestamp
    ) -> (problems: [String], warnings: [String]) {
        let start = Timestamp(seconds: certificate.notBefore)
        let end = Timestamp(seconds: certificate.notAfter)
        var (problems, warnings): ([String], [String]) = ([], [])
        if now < start {
            problems.append("tls.certificate_file: the certificate is valid from \(start.wholeSeconds) on")
        } else if now >= end {
            problems.append("tls.certificate_file: the certificate expired at \(end.wholeSeconds)")
        } else if end.milliseconds(since: now) <= warningMilliseconds {
            warnings.append("tls.certificate_file: the certificate expires at \(end.wholeSeconds)")
        }
        if let usages = certificate.extensionValue(usageExtension),
            !serverUsages.contains(where: { usages.firstRange(of: $0) != nil })
        {
            problems.append("tls.certificate_file: the certificate is not for servers (extended key usage)")
        }
        return (problems, warnings)
    }
}

/// Serves with what the files of the settings have, and takes what they have next.
final class ServerCertificateKeeper: Sendable {
    private struct State {
        /// What is served with.
        var current: ServerCertificate
        /// What the files had when they were looked at last, and whether that was told to be wrong.
        var seen: ServerCertificate?
        var isTold = false
    }

    /// What the server shows.
    let tls: ServerTLS
    private let settings: TLSSettings
    private let figures: CertificateFigures
    private let surroundings: Surroundings
    private let logger: Logger
    private let state: Mutex<State>

    /// Loads the certificate and its key.
    ///
    /// - Throws: ``CommandFailure`` if they cannot be served with.
    init(
        _ settings: TLSSettings,
        figures: CertificateFigures,
        surroundings: Surroundings,
        logger: Logger
    ) throws(CommandFailure) {
        let pair = try ServerCertificate(settings, surroundings: surroundings)
        let certificate = try pair.matched()
        do throws(TLSRefusal) {
            tls = try ServerTLS(certificates: pair.certificates, key: pair.key)
        } catch {
            throw .unusable("tls: \(error)")
        }
        self.settings = settings
        self.figures = figures
        self.surroundings = surroundings
        self.logger = logger
        state = Mutex(State(current: pair, seen: pair))
        figures.note(server: certificate.notAfter)
    }

    /// Looks at the files, and serves with what they have if it is new and whole.
    ///
    /// What is wrong is told at the second look, once: in between, one of the two files may be new and the other not.
    func look() {
        do {
            let pair = try ServerCertificate(settings, surroundings: surroundings)
            let (isCurrent, isSettled) = state.withLock { state in
                defer {
                    if state.seen != pair { (state.seen, state.isTold) = (pair, false) }
                    if state.current == pair { state.isTold = false }
                }
                return (state.current == pair, state.seen == pair)
            }
            guard !isCurrent else { return }
            do {
                let certificate = try pair.matched()
                try tls.replace(certificates: pair.certificates, key: pair.key)
                state.withLock { $0.current = pair }
                figures.note(server: certificate.notAfter)
                let end = Timestamp(seconds: certificate.notAfter).wholeSeconds
                logger.info("the server's certificate was replaced", metadata: ["expires": "\(end)"])
            } catch {
                if isSettled { tell(error) }
            }
        } catch {
            // A file that is not there may be about to come: it counts as something else that was seen.
            let isSettled = state.withLock { state in
                defer { if state.seen != nil { (state.seen, state.isTold) = (nil, false) } }
                return state.seen == nil
            }
            if isSettled { tell(error) }
        }
    }

    private func tell(_ error: any Error) {
        let isNew = state.withLock { state in
            defer { state.isTold = true }
            return !state.isTold
        }
        guard isNew else { return }
        logger.error(
            "the server's new certificate cannot be used; the old one stays",
            metadata: ["reason": "\(error)"]
        )
    }
}

/// Looks after the server's certificate, as a service of the process.
struct ServerCertificateService: Service {
    private static let pause = Duration.seconds(10)

    let keeper: ServerCertificateKeeper

    /// Looks at the files again and again until it is shut down.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.pause)) != nil { keeper.look() }
        }
    }
}
