package import AdapterKit
package import Gateway

/// One instance's way to PSPs, which ends with its life.
package struct InstanceSender: Sender {
    private let base: any Sender
    private let life: InstanceLife

    /// A way through `base` for an instance with that life.
    package init(_ base: any Sender, life: InstanceLife) {
        self.base = base
        self.life = life
    }

    package func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
        let number = await life.beginCall()
        guard !life.isDead else { return .failure(reason: "ended", mayHaveArrived: true) }
        let result = await base.send(request, terms)
        await life.endCall(number)
        return result
    }
}
