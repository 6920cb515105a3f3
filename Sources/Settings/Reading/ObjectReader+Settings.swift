import Domain
import StrictJSON

/// Values that only configuration has.
extension ObjectReader {
    /// A duration in milliseconds: `250ms`, `20s`, `15m` or `24h`.
    func duration(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let json = value(key, .optional) else { return nil }
        return Self.duration(json, at: pointer(to: key), in: range, violations)
    }

    /// A list of durations in milliseconds.
    func durations(_ key: String, count: ClosedRange<Int>, in range: ClosedRange<Int64>) -> [Int64]? {
        guard let json = value(key, .optional) else { return nil }
        guard let elements = json.arrayValue, count.contains(elements.count) else {
            refuse(key, "wrong_type", "Must be a list of \(count.lowerBound) to \(count.upperBound) durations.")
            return nil
        }
        let place = pointer(to: key)
        let values = elements.enumerated().compactMap { index, json in
            Self.duration(json, at: place.appending(index), in: range, violations)
        }
        return values.count == elements.count ? values : nil
    }

    private static func duration(
        _ json: JSON,
        at pointer: JSONPointer,
        in range: ClosedRange<Int64>,
        _ violations: Violations
    ) -> Int64? {
        guard let milliseconds = json.stringValue.flatMap(DurationText.milliseconds) else {
            violations.add(at: pointer, "wrong_type", "Must be a duration such as 250ms, 20s, 15m or 24h.")
            return nil
        }
        guard range.contains(milliseconds) else {
            let (low, high) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
            violations.add(at: pointer, "out_of_range", "Must be from \(low) to \(high).")
            return nil
        }
        return milliseconds
    }

    /// A name that people type: lower-case letters, digits, point, hyphen and underscore, at most 64.
    func slug(_ key: String, _ presence: Presence = .required) -> String? {
        parsed(key, presence, expecting: "1 to 64 of a-z, 0-9, '.', '-', '_', beginning with a letter or a digit") {
            Slug.isValid($0) ? $0 : nil
        }
    }

    /// A place where a secret is kept.
    func secretReference(_ key: String, _ presence: Presence = .required, relativeTo file: String) -> SecretReference? {
        guard let json = value(key, presence) else { return nil }
        guard let reference = json.stringValue.flatMap({ SecretReference($0, relativeTo: file) }) else {
            let sentence = "Must be a reference, env:NAME or file:PATH; a secret itself has no place in a file."
            refuse(key, "literal_secret", sentence)
            return nil
        }
        return reference
    }

    /// An https address, or plain http to this machine.
    func webAddress(_ key: String) -> String? {
        parsed(key, expecting: "an https:// address, or http:// to the loopback interface") {
            WebAddress.isAcceptable($0) ? $0 : nil
        }
    }

    /// Amounts in minor units by currency code.
    func amounts(_ key: String) -> [String: Int64]? {
        object(key, .optional) { body in
            var amounts: [String: Int64] = [:]
            for code in body.keys {
                guard Currency(code: code) != nil else {
                    body.ignore(code)
                    body.refuse(code, "unknown_currency", "Must be a currency of ISO 4217.")
                    continue
                }
                amounts[code] = body.integer(code, in: 0 ... .max)
            }
            return amounts
        }
    }
}
