/// A line without its end.
struct MTLine {
    /// Which it is, the file's first being 1.
    let number: Int
    let bytes: ArraySlice<UInt8>
}
