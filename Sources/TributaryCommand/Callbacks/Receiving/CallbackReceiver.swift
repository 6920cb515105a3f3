import AdapterKit
import Domain
import Foundation
import StrictJSON
import Synchronization

/// Takes callbacks, verifies them, and shows them as they come.
final class CallbackReceiver: Sendable {
    private let keys: [SigningKey]
    private let format: OutputFormat
    private let endsAfterFirst: Bool
    private let first = Mutex<Bool?>(nil)
    private let news: (stream: AsyncStream<Void>, teller: AsyncStream<Void>.Continuation)

    init(keys: [SigningKey], format: OutputFormat, endsAfterFirst: Bool) {
        self.keys = keys
        self.format = format
        self.endsAfterFirst = endsAfterFirst
        let (stream, teller) = AsyncStream<Void>.makeStream()
        news = (stream, teller)
    }

    /// Whether the first callback that came was verified; false if none came.
    var isFirstVerified: Bool { first.withLock { $0 ?? false } }

    /// Waits until the first one has come.
    func waitForFirst() async { for await _ in news.stream { return } }

    /// Verifies a callback, shows it, and answers the HTTP status for it.
    func take(_ body: [UInt8], _ headers: [Header]) -> Int {
        let now = Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000))
        let incoming = IncomingWebhook(body: body, headers: headers, url: "", receivedAt: now)
        do throws(WebhookRefusal) {
            let id = try StandardWebhooks.verify(incoming, with: keys)
            show(ReceivedCallback(id: id, body: body, at: now))
            note(isVerified: true)
            return 204
        } catch {
            Console.note("refused: \(error)")
            note(isVerified: false)
            return error.status
        }
    }

    private func show(_ callback: ReceivedCallback) {
        switch format {
        case .table: Console.out(callback.line)
        case .json: Console.out(callback.json.text)
        case .csv: Console.out(Table(received: [callback]).csv.split(separator: "\n").last.map(String.init) ?? "")
        }
    }

    private func note(isVerified: Bool) {
        let isFirst = first.withLock { first in
            guard first == nil else { return false }
            first = isVerified
            return true
        }
        if isFirst { news.teller.yield() }
    }
}
