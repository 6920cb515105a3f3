import ArgumentParser
import Domain
import OpenSSLCMS
import WalletTokens

/// `tributary apple-pay open`.
struct OpenApplePay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Verify and decrypt an Apple Pay token, or say which check it fails.",
        discussion: """
            Takes the token in any of its shapes: paymentData itself, an object with paymentData, or one with
            token.paymentData. Shows the card's number masked and the cryptogram not at all. Exits 0 if every check
            passed, 1 if one failed, 2 if an argument cannot be used.

            The signer has to lead to Apple Root CA - G3, which is built in. A token of the past is verified with
            --at and the time it was signed.

            Example:
              tributary apple-pay open token.json --key key.pem --certificate processing.pem
            """
    )

    @Argument(help: ArgumentHelp("The token's file; - for standard input.", valueName: "token"))
    var token: String

    @Option(name: .long, help: ArgumentHelp("The payment processing key, in PEM or DER.", valueName: "file"))
    var key: String

    @Option(name: .long, help: ArgumentHelp("Its certificate, in PEM or DER.", valueName: "file"))
    var certificate: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The merchant identifier the key is for, instead of a certificate.", valueName: "id")
    )
    var merchantIdentifier: String?

    @Option(name: .long, help: ArgumentHelp("Another root to trust instead of Apple's.", valueName: "file"))
    var root: String?

    @OptionGroup var time: MomentOption

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How far from that time it may be signed: 30s, 1h or off; 5m unless said.",
            valueName: "time"
        ),
        transform: { try SigningWindow(argument: $0) }
    )
    var window = SigningWindow(milliseconds: ApplePayOpener.usualWindowMilliseconds)

    @Option(name: .long, help: "Whose tokens are taken: production, sandbox or any; the answer says which it is.")
    var environment: WalletAccess.ApplePay.Environment = .any

    @OptionGroup var output: FormatOption

    func validate() throws {
        guard (certificate == nil) != (merchantIdentifier == nil) else {
            throw ValidationError("say either --certificate or --merchant-identifier")
        }
        guard [token, key, certificate, root].filter({ $0 == "-" }).count <= 1 else {
            throw ValidationError("only one of the files can be standard input")
        }
    }

    func run() throws {
        let moment = time.moment
        let opener = ApplePayOpener(
            ring: ApplePayRing([try processingKey(at: moment)]),
            roots: try roots(),
            windowMilliseconds: window.milliseconds,
            environment: environment
        )
        let bytes = try TokenFile.read(token)
        do throws(TokenRefusal) {
            write(ApplePayAnswer(try opener.open(bytes, at: moment)))
        } catch {
            write(ApplePayAnswer(error))
            throw ExitCode(1)
        }
    }

    private func write(_ answer: ApplePayAnswer) { output.write(answer.table, json: answer.json) }

    private func processingKey(at moment: Timestamp) throws(CommandFailure) -> ProcessingKey {
        let bytes = try TokenFile.read(key)
        guard let certificate else { return try processingKey(bytes) }
        let pair = ApplePayCertificate(certificate: try TokenFile.read(certificate), key: bytes, at: moment)
        guard let processing = pair.key else {
            let why = pair.findings.first?.detail ?? "they open nothing"
            throw .unusable("\(certificate.harmless), \(key.harmless): \(why)")
        }
        for finding in pair.findings { Console.note("warning: \(certificate.harmless): \(finding)") }
        return processing
    }

    private func processingKey(_ bytes: [UInt8]) throws(CommandFailure) -> ProcessingKey {
        do {
            return try ProcessingKey(PrivateKey(bytes), merchantIdentifier: merchantIdentifier ?? "")
        } catch {
            throw .unusable("\(key.harmless): \(error)")
        }
    }

    private func roots() throws(CommandFailure) -> TrustRoots {
        var file = Array(AppleRoot.pem.utf8)
        if let root { file = try TokenFile.read(root) }
        do throws(OpenSSLFailure) {
            return try TrustRoots(file: file)
        } catch {
            throw .unusable("\(root?.harmless ?? "the built-in root"): there is no certificate that can be read")
        }
    }
}

extension WalletAccess.ApplePay.Environment: ExpressibleByArgument {}
