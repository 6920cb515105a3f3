import AdapterKit
import Domain
import Logging
import Telemetry
import Tracing

/// Records one call to a PSP: a line of the log, and a span.
///
/// Nothing stands there that a PSP may choose at will: outcomes and reasons are words of ours.
struct PSPCallRecorder: Sendable {
    let call: Call
    /// The PSP's name and the account, as they are counted.
    let labels: PSPMetrics.Account
    /// How many times the operation was taken in hand, this time included.
    let tries: Int64
    /// The trace that the order was placed in, as it is kept.
    let traceParent: String?
    let traces: TraceWriter
    let logger: Logger

    /// The call's word.
    var word: String { call.purpose == .perform ? call.kind.word : "inquire" }

    /// Makes the call within a span: of the request that brings it about, or else of the one that placed the order.
    func recording<Value>(_ body: (OTLPSpan?) async -> Value) async -> Value {
        await traces.inSpan("psp \(word)", .client, below: traces.parent(orStored: traceParent), body)
    }

    /// Records what became of it.
    func record(_ outcome: Outcome, status: Int?, microseconds: Int64, on span: OTLPSpan?) {
        func metadata() -> Logger.Metadata {
            let fraction = String(1000 + microseconds % 1000).dropFirst()
            var metadata: Logger.Metadata = [
                "order": "\(call.order)", "payment": "\(call.payment)", "operation": "\(call.operation)",
                "psp": "\(labels.psp)", "psp_account": "\(labels.account)", "call": "\(word)",
                "outcome": "\(outcome.name)", "try": "\(tries)",
                "duration_ms": "\(microseconds / 1000).\(fraction)",
            ]
            if let status { metadata["status"] = "\(status)" }
            if let reason = outcome.reasonWord { metadata["reason"] = "\(reason)" }
            metadata.addOrigin(span?.position)
            return metadata
        }
        switch outcome {
        case .unknown: logger.notice("a PSP was called, and nobody knows yet what became of it", metadata: metadata())
        default: logger.info("a PSP was called", metadata: metadata())
        }
        guard let span else { return }
        span.set("tributary.order.id", call.order.text)
        span.set("tributary.payment.id", call.payment.text)
        span.set("tributary.operation.id", call.operation.text)
        span.set("tributary.psp", labels.psp)
        span.set("tributary.psp_account", labels.account)
        span.set("tributary.call", word)
        span.set("tributary.outcome", outcome.name)
        span.set("tributary.reason", outcome.reasonWord)
        span.set("tributary.try", tries)
        span.set("http.response.status_code", status.map(Int64.init))
        switch outcome {
        case .unknown, .notSent, .rejected: span.fail(outcome.name)
        case .succeeded, .declined, .pending, .actionRequired: break
        }
    }
}

/// Logs an order's steps: what was decided, and what a person should look at.
struct StepLogger: Sendable {
    let logger: Logger

    /// Logs what of a committed step is worth a line.
    func log(_ step: OrderStep) {
        let order = step.order
        for event in step.record.events {
            switch event.type {
            case "order.cleared", "order.accepted", "order.refused", "order.canceled":
                var metadata = metadata(of: order)
                metadata["decision"] = "\(event.type.dropFirst("order.".count))"
                if let reason = order.decision.reason { metadata["reason"] = "\(reason.rawValue)" }
                logger.info("an order was decided", metadata: metadata)
            case "order.attention_required":
                var metadata = metadata(of: order)
                if let payment = event.payment { metadata["payment"] = "\(payment)" }
                if let operation = event.operation {
                    metadata["operation"] = "\(operation)"
                    let reasons = order.attention.filter { $0.operation == operation }.map(\.reason.rawValue)
                    metadata["reason"] = "\(reasons.sorted().joined(separator: ","))"
                }
                logger.warning("an order needs a person", metadata: metadata)
            default: continue
            }
        }
    }

    private func metadata(of order: Order) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "order": "\(order.id)", "marketplace": "\(order.marketplace)", "status": "\(order.status.rawValue)",
        ]
        metadata.addOrigin(order.traceParent.flatMap(TraceContext.init))
        return metadata
    }
}

extension Logger.Metadata {
    /// Adds the trace that a line belongs to, and the request that brings about what it tells of, where there are any.
    mutating func addOrigin(_ position: TraceContext?) {
        if let position { self["trace_id"] = "\(position.trace)" }
        if let request = InstrumentationContext.current?.requestID { self["request_id"] = "\(request)" }
    }
}

extension TraceWriter {
    /// Records a step that was stored: the transaction, from its beginning until now.
    func record(_ step: OrderStep, since begin: DefaultTracerClock.Timestamp?) {
        let order = step.order
        let name = order.version == 1 ? "place order" : "order step"
        record(name, since: begin, below: parent(orStored: order.traceParent)) {
            $0.set("tributary.order.id", order.id.text)
            $0.set("tributary.order.version", order.version)
            $0.set("tributary.order.status", order.status.rawValue)
        }
    }
}

extension Outcome {
    /// Why, in a word of ours; nil if there is none.
    fileprivate var reasonWord: String? {
        switch self {
        case .declined(let decline): decline.category.rawValue
        case .rejected(let rejection): rejection.reason.rawValue
        case .succeeded, .pending, .actionRequired, .notSent, .unknown: nil
        }
    }
}
