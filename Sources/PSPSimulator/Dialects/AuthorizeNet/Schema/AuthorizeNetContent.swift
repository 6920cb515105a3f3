/// What an element of Authorize.Net's schema may hold.
indirect enum AuthorizeNetContent: Sendable {
    /// Text of so many characters.
    case text(ClosedRange<Int>)
    /// A decimal number (`xs:decimal`).
    case decimal
    /// `true`, `false`, `1` or `0` (`xs:boolean`).
    case boolean
    /// A whole number within a range.
    case integer(ClosedRange<Int64>)
    /// One digit or more (`numericString`).
    case digits
    /// A date and a time of day (`xs:dateTime`).
    case moment
    /// One of some words.
    case words([String])
    /// Elements in an order.
    case sequence([AuthorizeNetParticle])
    /// Anything; the simulator does not look into it.
    case anything
}
