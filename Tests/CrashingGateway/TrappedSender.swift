import AdapterKit
import Gateway

/// A way to PSPs with a trap before it and one behind it.
struct TrappedSender: Sender {
    let base: any Sender
    let trap: Trap

    func send(_ request: WireRequest, freshConnection: Bool, timeoutMilliseconds: Int64) async -> SendResult {
        trap.pass(.beforeSend)
        let result = await base.send(
            request,
            freshConnection: freshConnection,
            timeoutMilliseconds: timeoutMilliseconds
        )
        trap.pass(.afterSend)
        return result
    }
}
