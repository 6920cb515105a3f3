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
            With --accounts, every account of the journal with its debits, its credits, and the former less the latter.
            """
    )

    @Flag(name: .long, help: "Show every account of the journal instead.")
    var accounts = false

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let table = try await DatabaseUse.looking.open(database.settings()) { [marketplace, accounts] database in
            try await database.read { session in
                let owner = try marketplace.choose(in: session)
                return accounts
                    ? Self.table(try LedgerBalances.all(of: owner, in: session))
                    : Self.table(try StatementTable.balances(of: owner, in: session))
            }
        }
        output.write(table)
    }

    private static func table(_ balances: [MerchantBalance]) -> Table {
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
        return table
    }

    private static func table(_ balances: [AccountBalance]) -> Table {
        var table = Table("account", "currency", "debits", "credits", "balance")
        for balance in balances {
            table.add(
                .text(balance.account),
                .text(balance.currency.code),
                .amount(balance.debits, balance.currency),
                .amount(balance.credits, balance.currency),
                .amount(balance.balance, balance.currency)
            )
        }
        return table
    }
}
