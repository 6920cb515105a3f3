import AdapterKit
import Domain
import Testing

/// A call that is not the conversation's: another payment's, or another operation on the same payment; with the amount,
/// the currency and all that is asked the same.
///
/// Its identifiers have the length of those in the samples and differ in their last character.
struct OtherCall {
    let call: Call
    /// What the samples call things, and what samples of this call would.
    private let names: [(sampled: String, other: String)]

    /// The call of another payment.
    static func payment(_ subject: AdapterUnderTest, _ conversation: Conversation) throws -> OtherCall {
        var call = try subject.call(conversation)
        let names = [
            ("5v37e3", "5v37e5"), ("643dzvm", "643dzvk"), ("7tan9zt", "7tan9zs"), ("wjrp1xp", "wjrp1xs"),
            (subject.pspReference, try changed(subject.pspReference)),
        ]
        call.order = try #require(OrderID(replaced(call.order.text, names)))
        call.payment = try #require(PaymentID(replaced(call.payment.text, names)))
        call.attempt = try #require(AttemptID(replaced(call.attempt.text, names)))
        call.operation = try #require(OperationID(replaced(call.operation.text, names)))
        let all = subject.otherNames + names
        call.pspReference = call.pspReference.map { replaced($0, all) }
        call.pspState = call.pspState.map { replaced($0, all) }
        return OtherCall(call: call, names: all)
    }

    /// The call of another operation of the same kind on the same payment.
    static func operation(_ subject: AdapterUnderTest, _ conversation: Conversation) throws -> OtherCall {
        var call = try subject.call(conversation)
        let names = [("wjrp1xp", "wjrp1xs")]
        call.operation = try #require(OperationID(replaced(call.operation.text, names)))
        return OtherCall(call: call, names: names)
    }

    /// The reply as it would be to this call.
    func own(_ reply: WireReply) -> WireReply {
        let headers = reply.headers.map { Header($0.name, Self.replaced($0.value, names)) }
        let body = Self.replaced(String(decoding: reply.body, as: UTF8.self), names)
        return WireReply(status: reply.status, headers: headers, body: Array(body.utf8))
    }

    /// The text with another last character of the same kind.
    private static func changed(_ text: String) throws -> String {
        let last = try #require(text.last)
        let other: Character = last.isNumber ? (last == "7" ? "8" : "7") : (last == "Q" ? "R" : "Q")
        return text.dropLast() + String(other)
    }

    private static func replaced(_ text: String, _ names: [(sampled: String, other: String)]) -> String {
        names.reduce(text) { $0.replacing($1.sampled, with: $1.other) }
    }
}
