import Domain
import StrictJSON

extension Decline.RetryAdvice {
    /// The advice as documents have it: milliseconds to wait, or a word.
    var document: JSON {
        switch self {
        case .after(let milliseconds): .integer(milliseconds)
        case .never: "never"
        case .revoked: "revoked"
        }
    }

    /// Reads advice back; nil for what ``document`` does not write.
    init?(document: JSON) {
        if let milliseconds = document.integerValue {
            self = .after(milliseconds: milliseconds)
        } else {
            switch document.stringValue {
            case "never": self = .never
            case "revoked": self = .revoked
            default: return nil
            }
        }
    }
}
