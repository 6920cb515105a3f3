import ArgumentParser
import Domain

/// Text that an option brings.
extension TextRule {
    /// The text in the one spelling it has.
    ///
    /// - Throws: `ValidationError` that names the character which has no place in it.
    func checked(_ text: String, _ option: String) throws -> String {
        do throws(TextObjection) {
            return try accept(text)
        } catch {
            throw ValidationError("\(option): \(error)")
        }
    }
}
