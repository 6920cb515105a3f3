/// Says of each address, when it is about to be connected to, whether it may be.
struct AddressGuard: Hashable, Sendable {
    private let policy: AddressPolicy
    private let isPlain: Bool

    /// A request in plain `http` never leaves this machine.
    init(_ policy: AddressPolicy, isPlain: Bool) {
        self.policy = policy
        self.isPlain = isPlain
    }

    /// Why the address may not be connected to; nil if it may.
    func refusal(of address: IPAddress) -> DestinationRefusal? {
        if policy.exempted.contains(address) { return nil }
        switch SpecialRange.containing(address) {
        case .loopback where policy.allowsLoopback: return nil
        case .some(let range): return .address(range)
        case nil: return isPlain ? .scheme : nil
        }
    }
}
