/// One thing that is wrong with a configuration.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// Where it was written.
    package let place: Place
    /// The setting it concerns, for example `merchants[0].routes[1].psp_account`; empty for the whole document.
    package let path: String
    /// The rule that is broken, in snake case and stable: `unknown_field`, `literal_secret`.
    package let code: String
    /// What is wrong, as a sentence; never repeats the value.
    package let sentence: String

    init(place: Place, path: String, code: String, sentence: String) {
        self.place = place
        self.path = path
        self.code = code
        self.sentence = sentence
    }

    /// One line for a terminal: place, setting, sentence.
    package var description: String { path.isEmpty ? "\(place): \(sentence)" : "\(place): \(path): \(sentence)" }
}
