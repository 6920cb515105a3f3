/// What a scripted PSP keeps under the key of a request, as `Capabilities.KeptResults` has it.
package enum ScriptedKeys: Sendable, CaseIterable {
    /// It knows no keys.
    case none
    /// What became of the request, whatever was answered.
    case outcomes
    /// The first answer, its own errors included.
    case all
    /// Successes only.
    case successes
}
