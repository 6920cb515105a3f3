import ArgumentParser
import Domain

/// `--currency`, for commands about one currency.
struct CurrencyOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The currency, as ISO 4217 names it.", valueName: "code"),
        transform: { text in
            guard let currency = Currency(code: text) else {
                throw ValidationError("\(text.harmless) is no currency of ISO 4217")
            }
            return currency
        }
    )
    var currency: Currency
}
