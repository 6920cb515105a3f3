import AdapterKit
import Gateway
import StrictJSON

/// A PSP without a network: approves everything in the simulator's dialect, at once or after a fixed time.
struct InstantPSP: Sender {
    /// How long it thinks, in milliseconds.
    let latencyMilliseconds: Int64

    func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
        if latencyMilliseconds > 0 { try? await Task.sleep(for: .milliseconds(latencyMilliseconds)) }
        guard let body = try? JSON.parse(request.body) else {
            return .failure(reason: "the request is no JSON", mayHaveArrived: false)
        }
        let reply = request.url.hasSuffix("/v1/authorizations") ? authorization(body) : operation(body, request.url)
        let keys = request.headers.filter { $0.name == "Idempotency-Key" }
        let headers = [Header("Content-Type", "application/json")] + keys
        return .reply(WireReply(status: 201, headers: headers, body: reply.bytes))
    }

    private func authorization(_ body: JSON) -> JSON {
        [
            "object": "authorization", "id": .string("au_" + (body["reference"]?.stringValue ?? "")),
            "reference": body["reference"] ?? .null, "currency": body["currency"] ?? .null,
            "amount": body["amount"] ?? .null, "status": "authorized", "authorized_amount": body["amount"] ?? .null,
            "captured_amount": 0, "capture_method": "manual",
            "payment_method": ["network": "visa", "last4": "4242"],
        ]
    }

    private func operation(_ body: JSON, _ url: String) -> JSON {
        let authorization = url.split(separator: "/").dropLast().last.map(String.init) ?? ""
        let kind = url.hasSuffix("/captures") ? "capture" : url.hasSuffix("/refunds") ? "refund" : "void"
        return [
            "object": "operation", "id": .string("op_" + (body["reference"]?.stringValue ?? "")),
            "authorization": .string(authorization), "reference": body["reference"] ?? .null, "kind": .string(kind),
            "currency": "USD",
            "amount": body["amount"] ?? .integer(0), "status": "succeeded",
        ]
    }
}
