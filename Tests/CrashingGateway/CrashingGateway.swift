import Foundation

/// A gateway that places one order, dies where it is told to, and else ends once the order is at rest.
///
/// Its only argument is a JSON document, ``Instructions``. It writes the checkout's answer to standard output.
@main
enum CrashingGateway {
    static func main() async {
        do {
            let instructions = try Instructions(text: CommandLine.arguments.dropFirst().first ?? "")
            Lifeline.hold()
            try await OneOrder(instructions).run()
            exit(0)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }
}
