import Telemetry
import Testing

@Suite("traceparent")
struct TraceContextTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"

    @Test(
        "is read as the norm has it, a later version as far as the first one goes",
        arguments: [
            ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", false), ("00-\(trace)-\(span)-03", true),
            ("00-\(trace)-\(span)-fe", false), ("01-\(trace)-\(span)-01", true), ("cc-\(trace)-\(span)-01-more", true),
            ("fe-\(trace)-\(span)-00-", false),
        ]
    )
    func read(_ text: String, isSampled: Bool) throws {
        let context = try #require(TraceContext(text))
        #expect("\(context.trace)" == Self.trace && "\(context.span)" == Self.span)
        #expect(context.isSampled == isSampled)
        #expect(context.text == "00-\(Self.trace)-\(Self.span)-\(isSampled ? "01" : "00")")
    }

    @Test(
        "of another form begins a new trace",
        arguments: [
            "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-1",
            "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-more", "00-\(trace)-\(span)-011",
            "ff-\(trace)-\(span)-01", "FE-\(trace)-\(span)-01", "0-\(trace)-\(span)-01",
            "00-0AF7651916CD43DD8448EB211C80319C-\(span)-01", "00-\(trace)-B7AD6B7169203331-01",
            "00-\(trace)-\(span)-0G", "00-\(trace)-\(span)-0A",
            "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
            "00_\(trace)_\(span)_01", "00-\(trace)\(span)--01", "cc-\(trace)-\(span)-01.more",
            " 00-\(trace)-\(span)-01", "00-\(trace)-\(span)-01 ", "00-é\(trace.dropFirst(2))-\(span)-01",
        ]
    )
    func refused(_ text: String) { #expect(TraceContext(text) == nil) }

    @Test("of our own is read again, with its zeros")
    func own() throws {
        for _ in 0..<100 {
            let text = "00-\(TraceID.random())-\(SpanID.random())-01"
            #expect(TraceContext(text)?.text == text)
        }
        let small = "00-0000000000000000000000000000000a-000000000000000b-00"
        #expect(TraceContext(small)?.text == small)
    }
}
