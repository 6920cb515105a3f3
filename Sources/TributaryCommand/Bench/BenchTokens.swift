import ArgumentParser
import CProcess
import Crypto
import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import WalletTokens

/// `tributary bench tokens`: how many Apple Pay tokens one core verifies and decrypts, beside what that must cost.
struct BenchTokens: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Apple Pay tokens opened a second on one core, every check included.",
        discussion: """
            Makes keys, certificates and tokens of its own. Opens tokens of a signer that is known, on one core, beside
            `openssl speed` on the same core: opening a token takes one key agreement and one signature, and may take as
            long as one key agreement and two signatures on P-256. Then first tokens, each of a signer that the opener
            does not know. Takes about six times --seconds.
            """
    )

    /// How many tokens are opened by turns.
    private static let tokenCount = 32
    /// How many first tokens are opened.
    private static let signerCount = 200

    @Option(name: .long, help: "How long each measurement runs, in seconds.")
    var seconds = 3

    @OptionGroup var format: FormatOption

    func validate() throws {
        guard (1...600).contains(seconds) else { throw ValidationError("--seconds is 1 to 600") }
    }

    func run() async throws {
        let moment = BenchTokenMaker.now
        let maker = try BenchTokenMaker()
        let tokens = try (0..<Self.tokenCount).map { _ in try maker.token(signedAt: moment) }
        Console.note("openssl speed, before…")
        let before = try OpenSSLSpeed.measure(seconds: seconds)
        Console.note("tokens of a signer that is known…")
        let rate = try openedPerSecond(tokens, maker, at: moment)
        Console.note("openssl speed, after…")
        let after = try OpenSSLSpeed.measure(seconds: seconds)
        Console.note("first tokens…")
        let first = try firstTokenMilliseconds(tokens, maker, at: moment)
        var report = BenchReport()
        let reference = (before.tokenBudgetsPerSecond + after.tokenBudgetsPerSecond) / 2
        report.add("tokens_per_second_per_core", rate)
        report.add("microseconds_per_token", 1_000_000 / rate)
        report.add("openssl_p256_ecdh_per_second", (before.agreements + after.agreements) / 2)
        report.add("openssl_p256_ecdsa_verify_per_second", (before.verifications + after.verifications) / 2)
        report.add("openssl_ecdh_and_two_verifications_per_second", reference)
        report.add(ratio: "tokens_to_openssl", rate / reference, atLeast: 1)
        report.add(ratio: "first_token_of_a_signer_ms", first, atMost: 3)
        format.write(report.table, json: report.json)
        if let missed = report.missed { Console.note(missed) }
    }

    /// Tokens a second, from their JSON text on, with all checks, on the thread that calls.
    private func openedPerSecond(_ tokens: [[UInt8]], _ maker: BenchTokenMaker, at moment: Timestamp) throws -> Double {
        let opener = try maker.opener()
        for token in tokens { _ = try opener.open(token, at: moment) }
        var count = 0
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        while clock.now < end {
            for token in tokens { _ = try opener.open(token, at: moment) }
            count += tokens.count
        }
        return Double(count) / ((clock.now - start) / .seconds(1))
    }

    /// The median time of a token whose signer the opener does not know, in milliseconds.
    private func firstTokenMilliseconds(
        _ tokens: [[UInt8]],
        _ maker: BenchTokenMaker,
        at moment: Timestamp
    ) throws -> Double {
        let clock = ContinuousClock()
        let times = try (0..<Self.signerCount).map { index in
            let opener = try maker.opener()
            let start = clock.now
            _ = try opener.open(tokens[index % tokens.count], at: moment)
            return (clock.now - start) / .milliseconds(1)
        }
        return times.sorted()[times.count / 2]
    }
}

/// What `openssl speed` measures on one core of this machine.
private struct OpenSSLSpeed {
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
            // By this signal `openssl speed` ends; threads of tasks block it, and children inherit that.
            cprocess_unblock_alarm()
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

/// Makes Apple Pay tokens with certificates and keys of its own.
private struct BenchTokenMaker {
    private static let merchantIdentifier = "merchant.bench"

    private let root: SigningIdentity
    private let authority: SigningIdentity
    private let signer: SigningIdentity
    private let merchant: PrivateKey

    /// This moment, in whole seconds.
    static var now: Timestamp { Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000) }

    /// Makes keys and certificates like Apple's.
    init() throws {
        let marker = { (number: String) in CertificateRequest.Extension("1.2.840.113635.100.6.\(number)", [5, 0]) }
        root = try .selfSigned(Self.request("Bench Root CA", isAuthority: true, []), key: .generate(.p384))
        let authorityKey = try PrivateKey.generate(.p256)
        authority = SigningIdentity(
            certificate: try root.issue(
                Self.request("Bench Integration CA", isAuthority: true, [marker("2.14")]),
                for: authorityKey.publicKey
            ),
            key: authorityKey
        )
        let signerKey = try PrivateKey.generate(.p256)
        signer = SigningIdentity(
            certificate: try authority.issue(
                Self.request("bench-smp-broker-sign-PROD", isAuthority: false, [marker("29")]),
                for: signerKey.publicKey
            ),
            key: signerKey
        )
        merchant = try .generate(.p256)
    }

    /// An opener that knows no signer.
    func opener() throws -> ApplePayOpener {
        let key = try ProcessingKey(merchant, merchantIdentifier: Self.merchantIdentifier)
        return ApplePayOpener(ring: ApplePayRing([key]), roots: try TrustRoots([root.certificate]))
    }

    /// The text of a token with a published test number.
    func token(signedAt moment: Timestamp) throws -> [UInt8] {
        let ephemeral = try PrivateKey.generate(.p256)
        let publicKey = ephemeral.publicKey.subjectPublicKeyInfo
        let sealed = try AESGCM.seal(
            Array(Self.payload.utf8),
            key: try contentKey(ephemeral),
            nonce: [UInt8](repeating: 0, count: 16)
        )
        let transaction = (0..<32).map { _ in UInt8.random(in: 0x80 ... .max) }
        let signature = try SignedMessage.signature(
            over: publicKey + sealed + transaction,
            by: [signer],
            certificates: [authority.certificate],
            at: moment.microseconds / 1_000_000
        )
        let hash = Data(SHA256.hash(data: merchant.publicKey.subjectPublicKeyInfo))
        let data: JSON = [
            "version": "EC_v1", "data": .string(Data(sealed).base64EncodedString()),
            "signature": .string(Data(signature).base64EncodedString()),
            "header": [
                "ephemeralPublicKey": .string(Data(publicKey).base64EncodedString()),
                "publicKeyHash": .string(hash.base64EncodedString()),
                "transactionId": .string(transaction.map { String($0, radix: 16) }.joined()),
            ],
        ]
        return JSON.object([.init("paymentData", data)]).bytes
    }

    /// The key that the merchant derives (SP 800-56A as Apple uses it).
    private func contentKey(_ ephemeral: PrivateKey) throws -> [UInt8] {
        let point = Array(merchant.publicKey.subjectPublicKeyInfo.suffix(65))
        guard let secret = AgreementKey(ephemeral)?.sharedSecret(withPoint: point) else {
            throw CommandFailure.unusable("OpenSSL cannot agree on a key")
        }
        var hash = SHA256()
        hash.update(data: [0, 0, 0, 1] + secret + [0x0D])
        hash.update(data: Array("id-aes256-GCMApple".utf8))
        hash.update(data: Array(SHA256.hash(data: Array(Self.merchantIdentifier.utf8))))
        return Array(hash.finalize())
    }

    private static let payload = """
        {"applicationPrimaryAccountNumber":"4000000000000002","applicationExpirationDate":"391231",\
        "currencyCode":"840","transactionAmount":50000,"deviceManufacturerIdentifier":"040010030273",\
        "paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"AAECAwQFBgcICQoLDA0ODxAREhM=",\
        "eciIndicator":"7"}}
        """

    private static func request(
        _ name: String,
        isAuthority: Bool,
        _ extensions: [CertificateRequest.Extension]
    ) -> CertificateRequest {
        let seconds = now.microseconds / 1_000_000
        return CertificateRequest(
            subject: [("CN", name), ("O", "Bench")],
            notBefore: seconds - 86_400,
            notAfter: seconds + 86_400,
            isAuthority: isAuthority,
            extensions: extensions
        )
    }
}
