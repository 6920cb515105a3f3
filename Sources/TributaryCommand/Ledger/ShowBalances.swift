import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary ledger balances`.
struct ShowBalances: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "balances",
        abstract: "Show what stands between the marketplace and its merchants, by merchant and currency.",
        discussion: """
            payable is owed to the merchant; below zero, the merchant owes it. receivable is commission that the merchant
            is invoiced, less what refunds returned; that invoices are paid is not known here.
            """
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let balances = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            try await database.read { session in
                try StatementTable.balances(of: marketplace.choose(in: session), in: session)
            }
        }
        var table = Table("external_identifier", "currency", "payable", "receivable", "merchant")
        for balance in balances {
            table.add(
                .text(balance.externalIdentifier),
                .text(balance.currency.code),
                .amount(balance.payable, balance.currency),
                .amount(balance.receivable, balance.currency),
                .text(balance.merchant.text)
            )
        }
        output.write(table)
    }
}
