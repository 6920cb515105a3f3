import Foundation

/// A certificate authority made for one test, with its files in a folder that goes when it does.
package final class TestAuthority: Sendable {
    /// What a certificate is for, and so what it says.
    package enum Subject: String, Sendable {
        case localhost
        case elsewhere
        case expired
        /// The merchant identity of `merchant.test.marketplace`, as Apple issues them.
        case client

        /// The subject's name, as openssl takes it.
        fileprivate var name: String {
            guard self == .client else { return "/CN=\(self)" }
            return "/UID=\(TestAuthority.merchant)/CN=Apple Pay Merchant Identity:\(TestAuthority.merchant)"
        }
    }

    /// The merchant that ``Subject/client`` is of.
    package static let merchant = "merchant.test.marketplace"
    /// SHA-256 of its name, which Apple writes into an extension of its own.
    private static let merchantHash = "79B6F9310E3213567D2FBAC5CB5A6E088C5219B4E00FD48213CA40D0D376A736"

    private let folder: URL

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "curl-transport-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=Authority",
            "-keyout",
            path("ca.key"),
            "-out",
            certificate
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of the authority's own certificate.
    package var certificate: String { path("ca.pem") }

    /// Makes a certificate with its key, and returns their paths.
    package func issue(_ subject: Subject) throws -> (certificate: String, key: String) {
        let name = subject == .elsewhere ? "elsewhere.example" : "localhost"
        let key = path("\(subject).key")
        let request = path("\(subject).csr")
        let extensions = path("\(subject).ext")
        let certificate = path("\(subject).pem")
        let identity = subject == .client ? "1.2.840.113635.100.6.32=ASN1:UTF8String:\(Self.merchantHash)\n" : ""
        try Data("subjectAltName=DNS:\(name)\n\(identity)".utf8).write(to: URL(filePath: extensions))
        try openssl(
            "req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes",
            "-subj",
            subject.name,
            "-keyout",
            key,
            "-out",
            request
        )
        try openssl(
            "x509 -req -set_serial \(UInt32.random(in: 1...UInt32.max)) -days \(subject == .expired ? -1 : 2)",
            "-in",
            request,
            "-CA",
            self.certificate,
            "-CAkey",
            path("ca.key"),
            "-extfile",
            extensions,
            "-out",
            certificate
        )
        return (certificate, key)
    }

    /// A copy of a key that is encrypted under a passphrase, as a path.
    package func encrypted(_ key: String) throws -> String {
        try openssl("pkey -aes256 -passout pass:secret", "-in", key, "-out", key + ".encrypted")
        return key + ".encrypted"
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func openssl(_ words: String, _ rest: String...) throws {
        try OpenSSLProcess.run(words.split(separator: " ").map(String.init) + rest)
    }
}
