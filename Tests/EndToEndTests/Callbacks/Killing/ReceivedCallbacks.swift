import AdapterKit
import Domain
import Storage
import TributaryTestKit

/// What endpoints got, held against what was written down for them.
struct ReceivedCallbacks {
    /// Every whole request, in the order of arrival.
    let requests: [ReceivedRequest]

    /// How many requests came under each `webhook-id`.
    var tries: [String: Int] {
        Dictionary(requests.compactMap { $0.header("webhook-id") }.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// What is wrong, in sentences; empty if each callback arrived at least once, always with its own body, signed,
    /// and nothing else arrived, and so the numbers of each order are without gaps.
    func complaints(against written: [NewCallback], key: SigningKey) -> [String] {
        let known = Dictionary(written.map { ($0.id.text, $0) }) { first, _ in first }
        var complaints = written.filter { tries[$0.id.text] == nil }.map { "\($0.id) never arrived" }
        for request in requests {
            guard let callback = request.header("webhook-id").flatMap({ known[$0] }) else {
                complaints.append("\(request.header("webhook-id") ?? "nothing") was never written down")
                continue
            }
            if request.body != Array(callback.payload.utf8) { complaints.append("\(callback.id) has another body") }
            let seconds = request.header("webhook-timestamp").flatMap { Int64($0) } ?? 0
            let incoming = IncomingWebhook(
                body: request.body,
                headers: ["webhook-id", "webhook-timestamp", "webhook-signature"].map {
                    Header($0, request.header($0) ?? "")
                },
                url: "",
                receivedAt: Timestamp(microseconds: seconds * 1_000_000)
            )
            if (try? StandardWebhooks.verify(incoming, with: [key])) != callback.id.text {
                complaints.append("\(callback.id) is signed wrongly")
            }
        }
        return complaints + gaps(in: known)
    }

    private func gaps(in known: [String: NewCallback]) -> [String] {
        var numbers: [String: Set<Int64>] = [:]
        for id in tries.keys {
            guard let callback = known[id], let order = callback.order else { continue }
            numbers[order.text, default: []].insert(callback.sequence)
        }
        return numbers.filter { $0.value != Set(1...Int64($0.value.count)) }.map { "\($0.key) has gaps: \($0.value)" }
    }
}
