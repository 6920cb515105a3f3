import Crypto
import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import WireFormats

/// Throw-away certificates and keys in the place of Apple's, and a merchant's processing certificate under them.
///
/// The keys of root and authority are forgotten when the certificates are made, so that nothing else is issued by them.
/// The signer's name ends in `-SANDBOX`: a marketplace that takes production's tokens refuses these whatever it trusts.
struct ApplePayTestKeys {
    /// How long the certificates are valid, in seconds: a year.
    private static let life: Int64 = 365 * 86_400
    /// What marks the certificate that signs tokens, and the authority that issues such certificates (Apple, "Payment
    /// token format reference").
    private static let markers = (signer: "1.2.840.113635.100.6.29", authority: "1.2.840.113635.100.6.2.14")
    /// What carries the digest of the merchant identifier in a processing certificate (the same).
    private static let merchantExtension = "1.2.840.113635.100.6.32"

    /// What has to be trusted.
    let root: Certificate
    /// What issued the signer and the processing certificate.
    let authority: Certificate
    /// What signs tokens.
    let signer: SigningIdentity
    /// What opens them.
    let processing: SigningIdentity
    /// Whose tokens are opened.
    let merchantIdentifier: String

    /// Makes keys, and certificates that are valid from a day before `now` on.
    ///
    /// - Throws: what OpenSSL says if it cannot make them.
    init(merchantIdentifier: String, at now: Timestamp) throws {
        let start = now.microseconds / 1_000_000 - 86_400
        func request(
            _ subject: [(String, String)],
            _ extensions: [(String, [UInt8])],
            isAuthority: Bool = false
        )
            -> CertificateRequest
        {
            CertificateRequest(
                subject: subject.map { (name: $0.0, value: $0.1) } + [(name: "O", value: "Throw-away test keys")],
                notBefore: start,
                notAfter: start + Self.life,
                isAuthority: isAuthority,
                extensions: extensions.map { .init($0.0, $0.1) }
            )
        }
        let anchor = try SigningIdentity.selfSigned(
            request([("CN", "Test Root CA")], [], isAuthority: true),
            key: .generate(.p384)
        )
        let issuer = try Self.identity(
            request([("CN", "Test Integration CA")], [(Self.markers.authority, [5, 0])], isAuthority: true),
            from: anchor
        )
        let hash = SHA256.hash(data: Array(merchantIdentifier.utf8))
        let digest = Array(Hexadecimal.encode(hash).uppercased().utf8)
        root = anchor.certificate
        authority = issuer.certificate
        signer = try Self.identity(
            request([("CN", "test-token-signer-SANDBOX")], [(Self.markers.signer, [5, 0])]),
            from: issuer
        )
        processing = try Self.identity(
            // A UTF8String of 64 hexadecimal digits.
            request(
                [("UID", merchantIdentifier), ("CN", "Test Payment Processing")],
                [(Self.merchantExtension, [0x0C, UInt8(digest.count)] + digest)]
            ),
            from: issuer
        )
        self.merchantIdentifier = merchantIdentifier
    }

    private static func identity(
        _ request: CertificateRequest,
        from issuer: SigningIdentity
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(.p256)
        return SigningIdentity(certificate: try issuer.issue(request, for: key.publicKey), key: key)
    }
}

/// The folder that throw-away keys are kept in.
extension ApplePayTestKeys {
    private enum File: String {
        case root = "root.pem"
        case authority = "authority.pem"
        case signer = "signer.pem"
        case signerKey = "signer.key"
        case processing = "processing.pem"
        case processingKey = "processing.key"
    }

    /// Reads a folder that ``write(to:)`` has made.
    ///
    /// - Throws: ``CommandFailure`` if a file is missing or cannot be read.
    init(folder: String) throws(CommandFailure) {
        root = try Self.certificate(.root, in: folder)
        authority = try Self.certificate(.authority, in: folder)
        signer = SigningIdentity(
            certificate: try Self.certificate(.signer, in: folder),
            key: try Self.key(.signerKey, in: folder)
        )
        processing = SigningIdentity(
            certificate: try Self.certificate(.processing, in: folder),
            key: try Self.key(.processingKey, in: folder)
        )
        guard let identifier = processing.certificate.userIdentifier else {
            throw .unusable("\(Self.path(.processing, in: folder).harmless) names no merchant identifier")
        }
        merchantIdentifier = identifier
    }

    /// Makes the folder, which only its owner may enter, and writes the files, which only their owner may read.
    ///
    /// - Throws: ``CommandFailure`` if it is there already or cannot be written; what OpenSSL says.
    func write(to folder: String) throws {
        let files: [(File, [UInt8])] = [
            (.root, try root.pem()), (.authority, try authority.pem()), (.signer, try signer.certificate.pem()),
            (.signerKey, try signer.key.pem()), (.processing, try processing.certificate.pem()),
            (.processingKey, try processing.key.pem()),
        ]
        let manager = FileManager.default
        guard !manager.fileExists(atPath: folder) else {
            throw CommandFailure.unusable("\(folder.harmless) is there already; name a new folder")
        }
        do {
            try manager.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure.unusable("\(folder.harmless) cannot be made: \(WriteFailure(error).reason)")
        }
        for (file, bytes) in files {
            let path = Self.path(file, in: folder)
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            guard manager.createFile(atPath: path, contents: Data(bytes), attributes: attributes) else {
                throw CommandFailure.unusable("\(path.harmless) cannot be written")
            }
        }
    }

    /// What a declaration says to open the tokens of the keys in a folder, and to trust their root.
    static func declaration(folder: String) -> String {
        // A text in JSON is one in YAML too.
        func reference(_ file: File) -> String { JSON.string("file:" + path(file, in: folder)).text }
        return """
            apple_pay:
              environment: sandbox
              root: \(reference(.root))
              processing_certificates:
                - { certificate: \(reference(.processing)), key: \(reference(.processingKey)) }
            """
    }

    private static func path(_ file: File, in folder: String) -> String { "\(folder)/\(file.rawValue)" }

    private static func certificate(_ file: File, in folder: String) throws(CommandFailure) -> Certificate {
        let path = path(file, in: folder)
        let bytes = try TokenFile.read(path)
        guard let certificate = try? Certificate(bytes) else {
            throw .unusable("\(path.harmless): there is no certificate that can be read")
        }
        return certificate
    }

    private static func key(_ file: File, in folder: String) throws(CommandFailure) -> PrivateKey {
        let path = path(file, in: folder)
        let bytes = try TokenFile.read(path)
        do throws(KeyRefusal) {
            return try PrivateKey(bytes)
        } catch {
            throw .unusable("\(path.harmless): \(error)")
        }
    }
}
