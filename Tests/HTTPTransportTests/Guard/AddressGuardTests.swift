import Testing

@testable import HTTPTransport

@Suite("The guard at the moment of connecting")
struct AddressGuardTests {
    private static let here = IPAddress.v4(0x7F00_0001)
    private static let wideHere = IPAddress.v6(1)
    private static let inside = IPAddress.v4(0x0A00_0001)
    private static let outside = IPAddress.v4(0x0808_0808)

    @Test("lets through what is public")
    func byDefault() {
        let addressGuard = AddressGuard(AddressPolicy(), isPlain: false)
        #expect(addressGuard.refusal(of: Self.outside) == nil)
        #expect(addressGuard.refusal(of: Self.here) == .address(.loopback))
        #expect(addressGuard.refusal(of: Self.wideHere) == .address(.loopback))
        #expect(addressGuard.refusal(of: Self.inside) == .address(.privateUse))
    }

    @Test("lets through this machine under the development switch, and plain http nowhere else")
    func development() {
        for isPlain in [true, false] {
            let addressGuard = AddressGuard(AddressPolicy(allowsLoopback: true), isPlain: isPlain)
            #expect(addressGuard.refusal(of: Self.here) == nil)
            #expect(addressGuard.refusal(of: Self.wideHere) == nil)
            #expect(addressGuard.refusal(of: Self.inside) == .address(.privateUse))
            #expect(addressGuard.refusal(of: Self.outside) == (isPlain ? .scheme : nil))
        }
    }

    @Test("is asked again before the request is sent, and of an address it cannot read")
    func departure() {
        let checks = DepartureChecks(sendBefore: nil, addressGuard: AddressGuard(AddressPolicy(), isPlain: false))
        let refusals: [(IPAddress?, DestinationRefusal?)] = [
            (Self.outside, nil), (Self.inside, .address(.privateUse)), (Self.here, .address(.loopback)),
            (nil, .address(.reserved)),
        ]
        for (peer, refusal) in refusals {
            #expect(checks.refusalToConnect(to: peer) == refusal?.failure)
            #expect(checks.refusalToSend(to: peer, at: .now) == refusal?.failure)
        }
    }

    @Test("is not asked where the operator named the destination")
    func trusted() {
        let checks = DepartureChecks(sendBefore: nil, addressGuard: nil)
        for peer in [Self.outside, Self.inside, nil] {
            #expect(checks.refusalToConnect(to: peer) == nil)
            #expect(checks.refusalToSend(to: peer, at: .now) == nil)
        }
    }
}
