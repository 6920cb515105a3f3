import ArgumentParser
import Domain
import SQL
import Storage

/// The break a command is about.
struct BreakArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The break's id.", valueName: "brk_…"))
    var id: String

    func validate() throws {
        guard BreakID(id) != nil else { throw ValidationError("\(id.harmless) is no break's id (brk_…)") }
    }

    /// Reads the break and what was done about it.
    ///
    /// - Throws: ``CommandFailure`` if the marketplace has none with that id, or `SQLError`.
    func load(
        of marketplace: String,
        in session: any Session
    ) throws -> (difference: StoredBreak, actions: [BreakAction]) {
        guard let id = BreakID(id), let found = try BreakTable.show(id, of: marketplace, in: session) else {
            throw CommandFailure.finding("there is no break \(id.harmless)")
        }
        return found
    }
}
