import Foundation

/// A gateway that places one order, dies where it is told to, and else ends once the order is at rest; or a deliverer
/// of callbacks that does the same.
///
/// Its only argument is a JSON document, ``Instructions``; or there are two, `deliver` and ``DeliveryInstructions``. It
/// writes the checkout's answer to standard output.
@main
enum CrashingGateway {
    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            let document = arguments.last ?? ""
            if arguments.first == "deliver" {
                let instructions = try DeliveryInstructions(text: document)
                Lifeline.hold()
                try await OneDelivery(instructions).run()
            } else {
                let instructions = try Instructions(text: document)
                Lifeline.hold()
                try await OneOrder(instructions).run()
            }
            exit(0)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }
}
