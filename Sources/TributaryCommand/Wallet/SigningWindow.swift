import ArgumentParser

/// How far a token's signing time may be from the time it is checked against: `5m`, `30s`, or `off` for any distance.
struct SigningWindow: Hashable {
    /// The distance in milliseconds; nil for any.
    let milliseconds: Int64?

    init(milliseconds: Int64?) { self.milliseconds = milliseconds }

    /// Reads `off`, or a whole number with one of the units s, m and h.
    ///
    /// - Throws: `ValidationError` for anything else.
    init(argument: String) throws {
        guard argument != "off" else {
            milliseconds = nil
            return
        }
        guard let match = argument.wholeMatch(of: /([0-9]{1,6})(s|m|h)/), let count = Int64(match.1) else {
            throw ValidationError("write a whole number and s, m or h, as in 5m, or off")
        }
        milliseconds = count * (match.2 == "s" ? 1000 : match.2 == "m" ? 60_000 : 3_600_000)
    }
}
