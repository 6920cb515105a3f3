import StrictJSON

/// What one request may contain.
package struct RequestLimits: Hashable, Sendable {
    /// The longest body in bytes.
    package var bodyBytes: Int = 256 * 1024
    /// How deeply the body's JSON may be nested.
    package var jsonDepth: Int = 32
    /// The most token contexts of one order.
    package var contexts: Int = 50

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        bodyBytes = body.integer("body_bytes", .optional, in: 1024...16_777_216).map { Int($0) } ?? bodyBytes
        jsonDepth = body.integer("json_depth", .optional, in: 4...512).map { Int($0) } ?? jsonDepth
        contexts = body.integer("contexts", .optional, in: 1...500).map { Int($0) } ?? contexts
    }
}
