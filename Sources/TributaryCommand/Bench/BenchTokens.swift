import ArgumentParser
import Domain
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
