import ArgumentParser
import StrictJSON

/// `tributary manual`.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the manual page, of every command and option.",
        discussion: """
            In roff, made from the same declarations that read what is typed. The Debian package installs it as tributary(1).

            Example:
              tributary manual > tributary.1 && man -l tributary.1
            """
    )

    func run() throws {
        let dump = try JSON.parse(Array(Tributary._dumpHelp().utf8))
        guard let command = dump["command"].flatMap(CommandPage.init) else {
            throw CommandFailure.unusable("the parser describes itself in a form that this build does not know")
        }
        let page = ManualPage(command, version: BuildVersion.number, day: BuildVersion.commitDate ?? "")
        Console.out(bytes: page.text.utf8)
    }
}
