package import Tracing

/// Names a trace: everything that one request brings about, wherever that is done.
package struct TraceID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// 128 random bits that are not all zero, as W3C Trace Context wants them.
    package static func random() -> TraceID {
        TraceID(high: .random(in: .min ... .max), low: .random(in: 1 ... .max))
    }

    /// 32 hexadecimal digits in lower case.
    package var description: String { TraceContext.digits(high) + TraceContext.digits(low) }
}

/// Names a span within a trace.
package struct SpanID: Hashable, Sendable, CustomStringConvertible {
    let bits: UInt64

    /// 64 random bits that are not all zero.
    package static func random() -> SpanID { SpanID(bits: .random(in: 1 ... .max)) }

    /// 16 hexadecimal digits in lower case.
    package var description: String { TraceContext.digits(bits) }
}

/// Where a span stands in a trace, as services tell one another in the header field `traceparent`.
///
/// Source: W3C Trace Context, Recommendation of 23 November 2021, section 3.2. `tracestate` is neither kept nor passed on.
package struct TraceContext: Hashable, Sendable {
    /// The header field.
    package static let field = "traceparent"
    /// `00-`, 32 digits, a dash, 16 digits, a dash, and two digits.
    private static let length = 55
    private static let dash = UInt8(ascii: "-")

    /// The trace.
    package let trace: TraceID
    /// The span in it.
    package let span: SpanID
    /// Whether the trace is recorded.
    package let isSampled: Bool

    init(trace: TraceID, span: SpanID, isSampled: Bool) {
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
    }

    /// Reads the field; nil if it is not as the norm has it, and a new trace is to be begun.
    ///
    /// Of a version that is not known yet the part is read that the first one has, as the norm asks for, and of the flags
    /// the one that says whether the trace is recorded.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.length + 1))
        guard bytes.count >= Self.length, [2, 35, 52].allSatisfy({ bytes[$0] == Self.dash }),
            let version = Self.number(bytes[0..<2]), version != 0xFF,
            bytes.count == Self.length || (version > 0 && bytes[Self.length] == Self.dash),
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]), high | low != 0,
            let span = Self.number(bytes[36..<52]), span != 0, let flags = Self.number(bytes[53..<55])
        else { return nil }
        self.init(trace: TraceID(high: high, low: low), span: SpanID(bits: span), isSampled: flags & 1 == 1)
    }

    /// The field's value, version 00.
    package var text: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

    /// The number that at most 16 hexadecimal digits make; nil unless all are digits in lower case.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    fileprivate static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension InstrumentationContext {
    private enum TraceKey: InstrumentationContextKey {
        typealias Value = TraceContext
    }

    private enum RequestKey: InstrumentationContextKey {
        typealias Value = String
    }

    /// The span that whatever is done now belongs to; nil if it is not traced.
    package var trace: TraceContext? {
        get { self[TraceKey.self] }
        set { self[TraceKey.self] = newValue }
    }

    /// The request that brings about whatever is done now, by the name that we gave it; nil if none does.
    package var requestID: String? {
        get { self[RequestKey.self] }
        set { self[RequestKey.self] = newValue }
    }
}
