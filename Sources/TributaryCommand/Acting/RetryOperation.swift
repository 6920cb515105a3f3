import ArgumentParser
import Domain
import Foundation
import Gateway

/// `tributary orders retry`.
struct RetryOperation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Try now what rests: ask or send again what is in doubt, try once more what a PSP refused.",
        discussion: """
            A release, a refund or a capture that a PSP keeps refusing rests after some tries, with an item in `attention
            list`. Once its cause is mended (a key, a permission, a balance at the PSP), this tries it once more, under a
            new idempotency key. What is in doubt is asked after, or sent again under its own key, without waiting for
            its next turn. If it is refused again, it rests again.
            """
    )

    @Option(name: .long, help: "The operation's id; may be left out for all of the order's that rest.")
    var operation: String?

    @OptionGroup var action: OrderAction

    func run() async throws {
        try await action.ask { [operation] _ in
            guard let operation else { return .retry(nil, by: NSUserName()) }
            guard let id = OperationID(operation) else {
                throw CommandFailure.unusable("\(operation.harmless) is no operation's id; `orders show` lists them")
            }
            return .retry(id, by: NSUserName())
        }
    }
}
