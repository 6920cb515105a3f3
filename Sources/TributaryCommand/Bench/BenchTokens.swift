import ArgumentParser
import CProcess
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

/// Makes Apple Pay tokens with throw-away certificates and keys.
private struct BenchTokenMaker {
    private let keys: ApplePayTestKeys
    private let payment: ApplePayTestPayment

    /// This moment, in whole seconds.
    static var now: Timestamp { Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000) }

    /// Makes keys and certificates like Apple's.
    init() throws {
        guard let dollars = Currency(code: "USD") else { throw CommandFailure.unusable("there is no US dollar") }
        keys = try ApplePayTestKeys(merchantIdentifier: "merchant.bench", at: Self.now)
        payment = ApplePayTestPayment(amount: try Money(minorUnits: 50_000, currency: dollars))
    }

    /// An opener that knows no signer.
    func opener() throws -> ApplePayOpener {
        let key = try ProcessingKey(keys.processing.key, merchantIdentifier: keys.merchantIdentifier)
        return ApplePayOpener(
            ring: ApplePayRing([key]),
            roots: try TrustRoots([keys.root]),
            environment: .sandbox
        )
    }

    /// The text of a token with a published test number.
    func token(signedAt moment: Timestamp) throws -> [UInt8] { try payment.token(keys, signedAt: moment).bytes }
}
