import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import SQL

/// `tributary payouts record`.
struct RecordPayout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record that a merchant was paid what it is owed, or a part of it.",
        discussion: """
            The reference is the bank's or the PSP's, and stands for one payout. Recorded again with the same values,
            nothing changes; with other values, it is refused. The merchant's balance may go below zero.
            Exits 1 if it is refused, and if the payout was recorded before and has failed since.

            Example:
              tributary payouts record --merchant airline-1 --amount 12.34 --currency USD --reference SEPA-20261121-7
            """
    )

    @Option(name: .long, help: ArgumentHelp("The merchant's external identifier, or its id.", valueName: "merchant"))
    var merchant: String

    @Option(name: .long, help: ArgumentHelp("How much, in the currency's major unit, as 12.34.", valueName: "decimal"))
    var amount: String

    @OptionGroup var currency: CurrencyOption

    @Option(name: .long, help: ArgumentHelp("What the bank or the PSP calls it.", valueName: "reference"))
    var reference: String

    @Option(name: .long, help: ArgumentHelp("When the money went; now unless said.", valueName: "time or date"))
    var paidAt: String?

    @OptionGroup var zone: TimeZoneOption
    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws {
        reference = try TextRule.reference.checked(reference, "--reference")
        guard try money().minorUnits > 0 else { throw ValidationError("--amount is above zero") }
        _ = try paidAt.map(zone.moment)
    }

    func run() async throws {
        let amount = try money()
        let time = try paidAt.map(zone.moment)
        let (told, owner) = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, merchant, reference] database in
            let owner = try await database.read { session in try marketplace.merchant(merchant, in: session) }
            let draft = try PayoutDraft(
                marketplace: owner.marketplace,
                merchant: owner.id,
                amount: amount,
                reference: reference,
                paidAt: time,
                origin: .operator
            )
            let desk = PayoutDesk(
                database: database,
                clock: try await DatabaseClock(database),
                presentation: OrderPresenter.presentation
            )
            return (try await desk.record(draft), owner)
        }
        output.write(Table(payouts: [told.payout], names: [owner.id: owner.externalIdentifier]))
        guard !told.isNews else { return }
        let sentence = "\(told.payout.id) is recorded already with this reference; nothing was changed"
        guard case .failed(let failure) = told.payout.state else { return Console.note(sentence + ".") }
        throw CommandFailure.finding("\(sentence), and it failed at \(failure.at): \(failure.reason.harmless)")
    }

    private func money() throws -> Money {
        do throws(MoneyError) {
            return try Money(decimal: amount, currency: currency.currency)
        } catch {
            let reason =
                switch error {
                case .negative: "is below zero"
                case .tooPrecise: "has more decimal digits than \(currency.currency) has"
                case .overflow: "is too much"
                case .malformed, .currencyMismatch: "is no amount; write 12.34"
                }
            throw ValidationError("--amount \(amount.harmless) \(reason)")
        }
    }
}
