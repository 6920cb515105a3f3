/// Tells one listener that there is something to look at; rings while it looks become one.
struct Bell: Sendable {
    /// The rings.
    let rings: AsyncStream<Void>
    private let clapper: AsyncStream<Void>.Continuation

    init() { (rings, clapper) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func ring() { clapper.yield() }
}
