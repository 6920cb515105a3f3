import ArgumentParser

/// How many rows a list shows at most.
struct ListLimit: Hashable, ExpressibleByArgument {
    /// What a list shows unless it is told otherwise.
    static let usual = ListLimit(count: 100)
    /// The most that one list takes into memory.
    private static let greatest = 10_000

    /// The number, from 1 to 10,000.
    let count: Int

    private init(count: Int) { self.count = count }

    /// Reads a number from 1 to 10,000; nil for anything else.
    init?(argument: String) {
        guard let count = Int(argument), (1...Self.greatest).contains(count) else { return nil }
        self.count = count
    }

    var defaultValueDescription: String { String(count) }
}
