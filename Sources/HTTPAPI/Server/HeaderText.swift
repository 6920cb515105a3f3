/// Header fields as we read them.
///
/// RFC 9110 section 5.5 calls a value beyond ASCII opaque, and none that we read has one: such a value is as good as
/// wrong, and is not looked at.
extension String {
    private static let lengthLimitBytes = 8192

    /// The value; nil if it is not ASCII, or longer than 8,192 bytes.
    var boundedASCII: String? {
        utf8.count <= Self.lengthLimitBytes && utf8.allSatisfy { $0 < 0x80 } ? self : nil
    }
}
