extension Duration {
    /// How long a test waits for what has to come, in real time: it comes within moments, unless the machine does much else.
    package static let patience = Duration.seconds(300)
}
