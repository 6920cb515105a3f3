import AdapterKit
import Gateway

/// A way to PSPs with a trap before it and one behind it.
struct TrappedSender: Sender {
    let base: any Sender
    let trap: Trap

    func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
        trap.pass(.beforeSend)
        let result = await base.send(request, terms)
        trap.pass(.afterSend)
        return result
    }
}
