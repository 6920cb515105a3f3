import StrictJSON

/// Sends spans that have ended to a collector, in batches and off everybody's way.
///
/// A collector that is away, or has no room, is asked again after 1 s, 2 s and so on up to 30 s while spans wait; what it
/// refuses otherwise is dropped. Source: OTLP 1.x, "OTLP/HTTP Response": 429, 502, 503 and 504 may be tried again.
package struct SpanExporter: Sendable {
    /// What a collector said.
    package enum Reply: Sendable {
        /// It answered.
        case answer(status: Int, body: [UInt8])
        /// It did not.
        case silence
    }

    private static let passingStatuses: Set<Int> = [429, 502, 503, 504]
    private static let pauses: [Duration] = [1, 2, 4, 8, 16, 30].map { .seconds($0) }
    private static let replyDepth = 8

    private let queue: SpanQueue
    private let document: SpanDocument
    private let interval: Duration
    private let patience: Duration
    private let send: @Sendable (_ body: [UInt8]) async -> Reply
    private let onTrouble: @Sendable (_ trouble: String) -> Void

    /// Makes an exporter.
    ///
    /// - Parameters:
    ///   - tracer: whose spans are sent.
    ///   - instance: the name that no other instance has.
    ///   - interval: how long a span waits for others at the most.
    ///   - patience: for how long spans are sent once the process is asked to end.
    ///   - onTrouble: told the first time that the collector does not take something, and again once it had.
    ///   - send: sends an `ExportTraceServiceRequest` in JSON.
    package init(
        _ tracer: OTLPTracer,
        instance: String,
        interval: Duration = .seconds(1),
        patience: Duration = .seconds(3),
        onTrouble: @escaping @Sendable (_ trouble: String) -> Void = { _ in },
        send: @escaping @Sendable (_ body: [UInt8]) async -> Reply
    ) {
        queue = tracer.queue
        document = SpanDocument(resource: [("service.name", "tributary"), ("service.instance.id", instance)])
        self.interval = interval
        self.patience = patience
        self.onTrouble = onTrouble
        self.send = send
    }

    /// Sends what ends, until ``stop()``; then what waits, as far as there is time.
    package func run() async {
        let ticker = Task { [queue, interval] in
            while !Task.isCancelled {
                queue.signal()
                try? await Task.sleep(for: interval)
            }
        }
        defer { ticker.cancel() }
        var trouble = Trouble()
        for await _ in queue.wakeUps {
            await sendAll(&trouble)
            if queue.closedAt != nil || Task.isCancelled { break }
        }
        queue.dropRest()
    }

    /// Lets ``run()`` come to an end; spans that end from now on are dropped.
    package func stop() { queue.close() }

    /// Sends all that waits, once; for tests.
    package func flush() async {
        var trouble = Trouble()
        await sendAll(&trouble)
    }

    /// How often the collector took nothing in a row, and until when it is left alone.
    private struct Trouble {
        var failures = 0
        var until: ContinuousClock.Instant?
    }

    /// Sends batches until none is left, the collector takes none, or there is no time any more.
    private func sendAll(_ trouble: inout Trouble) async {
        while true {
            if let closed = queue.closedAt {
                guard .now < closed + patience else { return }
            } else if let until = trouble.until, .now < until {
                return
            }
            let batch = queue.take()
            guard !batch.isEmpty else { return }
            switch await send(document.bytes(batch)) {
            case .answer(let status, let body) where (200..<300).contains(status):
                let rejected = min(Self.rejected(body), Int64(batch.count))
                queue.count(sent: Int64(batch.count) - rejected, rejected: rejected)
                trouble = Trouble()
            case .answer(let status, _) where !Self.passingStatuses.contains(status):
                queue.count(rejected: Int64(batch.count), failedRequest: true)
                if trouble.failures == 0 { onTrouble("HTTP \(status)") }
                trouble.failures += 1
            case let reply:
                queue.putBack(batch)
                queue.count(failedRequest: true)
                if trouble.failures == 0 { onTrouble(reply.words) }
                trouble.until = .now + Self.pauses[min(trouble.failures, Self.pauses.count - 1)]
                trouble.failures += 1
                // Nobody comes again once the process ends.
                if queue.closedAt != nil { return }
            }
        }
    }

    /// How many spans of a request the collector did not take: `partialSuccess.rejectedSpans`, a number as text or not.
    private static func rejected(_ body: [UInt8]) -> Int64 {
        let reply = try? JSON.parse(body, depthLimit: replyDepth)
        guard let count = reply?["partialSuccess"]?["rejectedSpans"] else { return 0 }
        return max(0, count.integerValue ?? count.stringValue.flatMap { Int64($0) } ?? 0)
    }
}

extension SpanExporter.Reply {
    fileprivate var words: String {
        switch self {
        case .answer(let status, _): "HTTP \(status)"
        case .silence: "no answer"
        }
    }
}
