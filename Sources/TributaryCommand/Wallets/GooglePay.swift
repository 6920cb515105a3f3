import ArgumentParser
import Domain
import StrictJSON
import WalletTokens

/// `tributary google-pay`.
struct GooglePay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "google-pay",
        abstract: "Open Google Pay tokens.",
        subcommands: [OpenGooglePay.self]
    )
}

/// `tributary google-pay open`.
struct OpenGooglePay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Verify and decrypt a Google Pay token, or say which check it fails.",
        discussion: """
            Shows the card's number masked and the cryptogram not at all. Exits 0 if every check passed, 1 if one
            failed, 2 if an argument cannot be used. Google publishes its root keys at
            https://payments.developers.google.com/paymentmethodtoken/keys.json, those of its test environment under
            https://payments.developers.google.com/paymentmethodtoken/test/keys.json.

            Example:
              tributary google-pay open token.json --key key.pem --recipient merchant:12345 --roots keys.json
            """
    )

    @Argument(help: ArgumentHelp("The token's file; - for standard input.", valueName: "token"))
    var token: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A private key in PEM; may be repeated while keys are replaced.",
            valueName: "file"
        )
    )
    var key: [String]

    @Option(
        name: .long,
        help: ArgumentHelp("Whom the token must be signed for: merchant:ID or gateway:ID.", valueName: "id")
    )
    var recipient: String

    @Option(name: .long, help: ArgumentHelp("Google's root signing keys.", valueName: "file"))
    var roots: String

    @Option(
        name: .long,
        help: ArgumentHelp("The gateway's merchant the token must be for; any unless said.", valueName: "id")
    )
    var gatewayMerchantID: String?

    @OptionGroup var time: MomentOption
    @OptionGroup var output: FormatOption

    func validate() throws {
        guard !recipient.isEmpty else { throw ValidationError("--recipient is empty") }
        guard ([token, roots] + key).filter({ $0 == "-" }).count <= 1 else {
            throw ValidationError("only one of the files can be standard input")
        }
    }

    func run() throws {
        let opener = try opener()
        let moment = time.moment
        let bytes = try TokenFile.read(token)
        let payment: GooglePayPayment
        do throws(TokenRefusal) {
            payment = try opener.open(bytes, at: moment, gatewayMerchantIdentifier: gatewayMerchantID)
        } catch {
            write([
                ("verified", false), ("stage", .string(error.stage.rawValue)), ("code", .string(error.code)),
                ("detail", .string(error.detail)),
            ])
            throw ExitCode(1)
        }
        write(Self.members(of: payment))
    }

    private func opener() throws(CommandFailure) -> GooglePayOpener {
        var keys: [Secret] = []
        for path in key {
            let file = Secret(String(decoding: try TokenFile.read(path), as: UTF8.self))
            _ = try read(path) { () throws(UnusableGooglePayKeys) in try GooglePayPrivateKeys(pem: [file]) }
            keys.append(file)
        }
        let file = try TokenFile.read(roots)
        return GooglePayOpener(
            roots: try read(roots) { () throws(UnusableGooglePayKeys) in try GooglePayRoots(file: file) },
            keys: try read("--key") { () throws(UnusableGooglePayKeys) in try GooglePayPrivateKeys(pem: keys) },
            recipientIdentifier: recipient
        )
    }

    /// Says where it was when something cannot be used.
    private func read<Value>(
        _ place: String,
        _ body: () throws(UnusableGooglePayKeys) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(UnusableGooglePayKeys) {
            return try body()
        } catch {
            throw .unusable("\(place.harmless): \(error)")
        }
    }

    private func write(_ members: [(String, JSON)]) {
        var table = Table("field", "value")
        for (name, value) in members {
            table.add(.text(name), value.isNull ? .absent : .text(value.stringValue ?? value.text))
        }
        output.write(table, json: .object(members.map { JSON.Member($0.0, $0.1) }))
    }

    private static func members(of payment: GooglePayPayment) -> [(String, JSON)] {
        let card = payment.card
        let method: String
        let indicator: String?
        switch card.authentication {
        case .numberOnly: (method, indicator) = ("PAN_ONLY", nil)
        case .cryptogram(_, let eci): (method, indicator) = ("CRYPTOGRAM_3DS", eci)
        }
        return [
            ("verified", true),
            ("version", .string(payment.version.rawValue)),
            ("message_id", .string(payment.messageIdentifier)),
            ("message_expiration", .string(payment.messageExpiration.description)),
            ("gateway_merchant_id", .optional(payment.gatewayMerchantIdentifier)),
            ("pan", .string(card.maskedNumber)),
            ("expiration", .string(card.lastDay)),
            ("auth_method", .string(method)),
            ("eci", .optional(indicator)),
        ]
    }
}

extension GooglePayCard {
    /// The last day of the month until whose end it is valid: `2028-02-29`.
    fileprivate var lastDay: String {
        let isLeap = expirationYear % 4 == 0 && (expirationYear % 100 != 0 || expirationYear % 400 == 0)
        let days = expirationMonth == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(expirationMonth) ? 30 : 31
        return "\(expirationYear)-\(expirationMonth < 10 ? "0" : "")\(expirationMonth)-\(days)"
    }
}
