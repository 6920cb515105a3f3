import Callbacks

/// A way to endpoints with a trap before it and one behind it.
struct TrappedCallbackSender: CallbackSender {
    let base: any CallbackSender
    let trap: Trap

    func send(_ request: CallbackRequest) async -> CallbackReply {
        trap.pass(.beforeSend)
        let reply = await base.send(request)
        trap.pass(.afterSend)
        return reply
    }

    func refusal(of url: String) -> String? { base.refusal(of: url) }
}
