import StrictJSON

/// What a buyer's statement says (reference/request/transaction/sale, "descriptor", read 2026).
enum BraintreeDescriptor {
    /// Checks a descriptor.
    ///
    /// - Throws: ``Refusal`` if its name is not 3, 7 or 12 characters, a star and a product of at most 18, 14 or 9.
    static func check(_ descriptor: JSON?, at path: String) throws(Refusal) {
        guard let name = descriptor?["name"]?.stringValue else { return }
        let parts = name.split(separator: "*", omittingEmptySubsequences: false)
        let limits = [3: 18, 7: 14, 12: 9]
        guard parts.count == 2, let limit = limits[parts[0].utf8.count], parts[1].utf8.count <= limit else {
            throw BraintreeFault("92201", "Dynamic descriptor name format is invalid.", at: path + ".name").refusal
        }
    }
}
