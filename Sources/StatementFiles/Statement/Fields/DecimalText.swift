/// Decimal numbers as XML Schema and SWIFT write them, made into the one form that amounts are read from.
enum DecimalText {
    /// `+12`, `.5` and `5.` as `12`, `0.5` and `5`; everything else as it is.
    static func canonical(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        if text.first == UInt8(ascii: "+") { text = text.dropFirst() }
        if text.first == UInt8(ascii: "."), text.count > 1 { text = [UInt8(ascii: "0")] + text }
        if text.last == UInt8(ascii: "."), text.count > 1 { text = text.dropLast() }
        return text
    }

    /// SWIFT's comma as a point; banks leave it out where nothing follows.
    static func swift(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return text }
        var text = text
        text[comma] = UInt8(ascii: ".")
        return text.last == UInt8(ascii: ".") ? text.dropLast() : text
    }
}
