/// The two PSPs of the demonstration.
enum DemoPSP: String, CaseIterable {
    /// Where the airline and the marketplace have their account.
    case alpha
    /// Where the hotel has its account.
    case beta

    /// The variable that holds the account's key.
    var variable: String { "DEMO_\(rawValue.uppercased())_KEY" }

    /// The account's key: the simulator takes any, and names the account for it.
    var key: String { "key_" + rawValue }
}
