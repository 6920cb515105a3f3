import ArgumentParser
import Domain
import StrictJSON
import WireFormats

/// `tributary apple-pay make-test-token`.
struct MakeTestToken: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-test-token",
        abstract: "Make throw-away keys in the place of Apple's, and payment tokens with them.",
        discussion: """
            With --out, makes a folder with a root, an authority, a signer of tokens, and a payment processing certificate
            and key for a merchant identifier, and writes what a declaration has to say to open their tokens. It refuses a
            folder that is there already.

            With --keys, writes a token as the payment of an order, signed now: it is good for five minutes and one order.
            Amounts are in major units with all of the currency's digits. With --context for each merchant it is the
            token of a multi-merchant sheet; with --payment-request it is for what POST /v1/payment-requests answered. A
            --number that begins with 999999 has the simulator do what its last three digits say
            (Adapters/Simulator/README.md).

            Examples:
              tributary apple-pay make-test-token --out keys --merchant-identifier merchant.test.travel > apple-pay.yaml
              tributary apple-pay make-test-token --keys keys --amount 12.00 --currency USD > payment.json
              tributary apple-pay make-test-token --keys keys --amount 12.00 --currency USD \\
                --context airline-1=7.00 --context hotel-7=5.00
            """
    )

    @Option(name: .long, help: ArgumentHelp("Make keys, in this new folder.", valueName: "folder"))
    var out: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The merchant identifier that the new processing certificate is for.", valueName: "id")
    )
    var merchantIdentifier: String?

    @Option(name: .long, help: ArgumentHelp("Make a token with the keys in this folder.", valueName: "folder"))
    var keys: String?

    @Option(name: .long, help: ArgumentHelp("What the buyer authorizes, as 12.00.", valueName: "amount"))
    var amount: String?

    @Option(name: .long, help: ArgumentHelp("Its currency.", valueName: "code"))
    var currency: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A merchant's part, as hotel-7=5.00; one for each.", valueName: "merchant=amount")
    )
    var context: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("The answer to a payment request, instead of amounts; - for stdin.", valueName: "file")
    )
    var paymentRequest: String?

    @Option(name: .long, help: ArgumentHelp("The device's number, 12 to 19 digits.", valueName: "digits"))
    var number = ApplePayTestPayment.usualNumber

    @Option(
        name: .long,
        help: ArgumentHelp("When it is signed, as 2026-11-21T07:40:09Z; now unless said.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var signedAt: Timestamp?

    func validate() throws {
        guard (out == nil) != (keys == nil) else { throw ValidationError("say either --out or --keys") }
        guard number.wholeMatch(of: /[0-9]{12,19}/) != nil else { throw ValidationError("--number is 12 to 19 digits") }
        if out != nil {
            guard let merchantIdentifier else { throw ValidationError("say --merchant-identifier with --out") }
            _ = try TextRule.identifier.checked(merchantIdentifier, "--merchant-identifier")
            guard 1...100 ~= merchantIdentifier.utf8.count else {
                throw ValidationError("--merchant-identifier has 1 to 100 bytes")
            }
            guard amount == nil, currency == nil, context.isEmpty, paymentRequest == nil else {
                throw ValidationError("make the keys with --out first, then tokens with --keys")
            }
            return
        }
        guard merchantIdentifier == nil else {
            throw ValidationError("--merchant-identifier belongs to --out; the keys are for the one they were made for")
        }
        if paymentRequest == nil {
            _ = try typedPayment()
        } else if amount != nil || currency != nil || !context.isEmpty {
            throw ValidationError("say either --payment-request or amounts")
        }
    }

    func run() throws {
        let moment = signedAt ?? MomentOption.now
        if let out {
            let made = try ApplePayTestKeys(merchantIdentifier: merchantIdentifier ?? "", at: moment)
            try made.write(to: out)
            Console.out(ApplePayTestKeys.declaration(folder: out))
            Console.note("made throw-away keys for \(made.merchantIdentifier.harmless) in \(out.harmless)")
        } else if let keys {
            var payment = try paymentRequest.map(Self.payment) ?? typedPayment()
            payment.number = number
            let token = try payment.token(ApplePayTestKeys(folder: keys), signedAt: moment)
            Console.out(JSON.object([.init("type", "apple_pay"), .init("token", token)]).text)
        }
    }

    /// The payment that is typed.
    ///
    /// - Throws: `ValidationError` for an amount that is none, or parts that come to more than the whole.
    private func typedPayment() throws -> ApplePayTestPayment {
        guard let amount, let code = currency else { throw ValidationError("say --amount and --currency") }
        guard let currency = Currency(code: code) else {
            throw ValidationError("--currency: there is no currency \(code.harmless)")
        }
        let total = try Self.money(amount, currency, "--amount")
        let parts = try context.map { text in
            let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2 else { throw ValidationError("--context: write hotel-7=5.00") }
            return ApplePayTestPayment.Part(merchant: sides[0], amount: try Self.money(sides[1], currency, "--context"))
        }
        guard Set(parts.map(\.merchant)).count == parts.count else {
            throw ValidationError("--context: one part for each merchant")
        }
        return ApplePayTestPayment(amount: total, parts: parts)
    }

    private static func money(_ text: String, _ currency: Currency, _ option: String) throws -> Money {
        guard let amount = TypedAmount(argument: text) else {
            throw ValidationError("\(option): \(text.harmless) is no amount")
        }
        do throws(CommandFailure) {
            return try amount.money(in: currency, option)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The payment that a stored payment request asks for.
    ///
    /// - Throws: ``CommandFailure`` if the file is no answer of `POST /v1/payment-requests`.
    private static func payment(_ path: String) throws(CommandFailure) -> ApplePayTestPayment {
        let answer = try? JSON.parse(try TokenFile.read(path), depthLimit: 16)
        let sheet = answer?["request"]
        guard let sheet, let currency = sheet["currencyCode"]?.stringValue.flatMap({ Currency(code: $0) }),
            let amount = sheet["total"]?["amount"]?.stringValue.flatMap({ try? Money(decimal: $0, currency: currency) }
            ),
            let data = sheet["applicationData"]?.stringValue.flatMap({ Base64.decode($0) })
        else { throw .unusable("\(path.harmless) is no answer of POST /v1/payment-requests") }
        let contexts = sheet["multiTokenContexts"]?.arrayValue ?? []
        let parts = contexts.compactMap { context -> ApplePayTestPayment.Part? in
            guard let merchant = context["externalIdentifier"]?.stringValue,
                let text = context["amount"]?.stringValue, let part = try? Money(decimal: text, currency: currency)
            else { return nil }
            return ApplePayTestPayment.Part(merchant: merchant, amount: part)
        }
        guard parts.count == contexts.count else {
            throw .unusable("\(path.harmless) has a context without merchant or amount")
        }
        return ApplePayTestPayment(amount: amount, parts: parts, applicationData: data)
    }
}
