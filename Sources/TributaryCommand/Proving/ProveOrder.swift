import ArgumentParser
import Domain
import Reconciliation
import SQL
import Storage
import StrictJSON

/// `tributary orders proof`.
struct ProveOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proof",
        abstract: "Show where an order's money went, as equations, each figure with its source.",
        discussion: """
            From the total over contexts, allocation lines, operations and postings to the PSP's lines, its payouts and the
            bank's credits. `agrees` is proven, `waiting` means that no file has told of it yet, `differs` is a break.
            Exits 1 if a file differs from our books, 4 if our own books contradict each other.
            """
    )

    @OptionGroup var order: OrderArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (order, proof) = try await DatabaseUse.looking.open(database.settings()) { [order] database in
            try await database.read { session in
                let order = try order.load(in: session)
                let proof = try OrderProofTable.proof(of: order.id, marketplace: order.marketplace, in: session)
                return (order, proof)
            }
        }
        guard let proof else { throw CommandFailure.finding("there is no order \(self.order.order.harmless)") }
        let equations = OrderEquations(order, proof)
        switch output.format {
        case .table: Console.out(ProofPage(order, proof, equations).text)
        case .json: Console.out(ProofPage(order, proof, equations).json.prettyText)
        case .csv: output.write(Table(equations))
        }
        if equations.areBooksWrong { throw CommandFailure.brokenBooks("the books of this order contradict each other") }
        if equations.differ { throw CommandFailure.finding("what files say of this order is not what our books say") }
    }
}
