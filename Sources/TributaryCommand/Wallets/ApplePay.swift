import ArgumentParser
import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import WalletTokens

/// `tributary apple-pay`.
struct ApplePay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple-pay",
        abstract: "Open Apple Pay tokens, and make some for tests.",
        subcommands: [OpenApplePay.self, MakeTestToken.self, HashCommands.self]
    )
}

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

/// What `tributary apple-pay open` says about a token: the same members for people and programs.
struct ApplePayAnswer {
    private let members: KeyValuePairs<String, JSON>

    /// A token that was opened; the number masked, and no cryptogram.
    init(_ opened: OpenedApplePay) {
        let payment = opened.payment
        let (type, indicator): (String, String?) =
            switch payment.authentication {
            case .threeDSecure(_, let eci): ("3DSecure", eci)
            case .emv: ("EMV", nil)
            }
        members = [
            "verified": true,
            "version": .string(opened.version.rawValue),
            "environment": .string(opened.environment.rawValue),
            "signing_time": .string(opened.signingTime.wholeSeconds),
            "transaction_id": .string(opened.transactionID),
            "pan": .string(payment.maskedNumber),
            "expiration": .string(payment.expiration.description),
            "currency": .string(payment.amount.currency.code),
            "amount": .integer(payment.amount.minorUnits),
            "payment_data_type": .string(type),
            "eci": .optional(indicator),
            "merchant_token": .bool(payment.merchantTokenIdentifier != nil),
            "authentication_responses": .array(
                payment.responses.map { response in
                    ["merchant_identifier": .string(response.merchantHash), "amount": .integer(response.amount)]
                }
            ),
        ]
    }

    /// A token that was refused.
    init(_ refusal: TokenRefusal) {
        members = [
            "verified": false,
            "stage": .string(refusal.stage.rawValue),
            "code": .string(refusal.code),
            "detail": .string(refusal.detail),
        ]
    }

    /// One row a member.
    var table: Table {
        members.reduce(into: Table("field", "value")) { table, member in
            let value = member.value
            table.add(.text(member.key), value.isNull ? .absent : .text(value.stringValue ?? value.text))
        }
    }

    /// One object.
    var json: JSON { .object(members.map { JSON.Member($0.key, $0.value) }) }
}

/// How far a token's signing time may be from the time it is checked against: `5m`, `30s`, or `off` for any distance.
struct SigningWindow: Hashable {
    /// The distance in milliseconds; nil for any.
    let milliseconds: Int64?

    init(milliseconds: Int64?) { self.milliseconds = milliseconds }

    /// Reads `off`, or a whole number with one of the units s, m and h.
    ///
    /// - Throws: `ValidationError` for anything else.
    init(argument: String) throws {
        guard argument != "off" else {
            milliseconds = nil
            return
        }
        guard let match = argument.wholeMatch(of: /([0-9]{1,6})(s|m|h)/), let count = Int64(match.1) else {
            throw ValidationError("write a whole number and s, m or h, as in 5m, or off")
        }
        milliseconds = count * (match.2 == "s" ? 1000 : match.2 == "m" ? 60_000 : 3_600_000)
    }
}

/// A small file that was named on the command line: a token, a key, a certificate.
enum TokenFile {
    /// The bytes of a file, or of standard input for `-`.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - limit: the most that is read, in bytes; whole MiB.
    /// - Returns: what is in it.
    /// - Throws: ``CommandFailure`` if it cannot be read or is too long.
    static func read(_ path: String, limit: Int = 1_048_576) throws(CommandFailure) -> [UInt8] {
        guard path == "-" || FileManager.default.fileExists(atPath: path) else {
            throw .unusable("\(path.harmless): no such file")
        }
        guard let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw .unusable("\(path.harmless) cannot be read")
        }
        var bytes: [UInt8] = []
        do {
            while bytes.count <= limit, let more = try file.read(upToCount: limit), !more.isEmpty { bytes += more }
        } catch {
            throw .unusable("\(path.harmless) cannot be read")
        }
        guard bytes.count <= limit else { throw .unusable("\(path.harmless) is longer than \(limit / 1_048_576) MiB") }
        return bytes
    }
}
