import ArgumentParser

/// `tributary google-pay`.
struct GooglePay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "google-pay",
        abstract: "Open Google Pay tokens.",
        subcommands: [OpenGooglePay.self]
    )
}
