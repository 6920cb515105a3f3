import StrictJSON

/// A declared account at a PSP.
package struct PSPAccountDeclaration: Hashable, Sendable {
    /// Its identifier, which routes name.
    package var id: String
    /// The PSP's name, as its adapter has it.
    package var psp: String
    /// The PSP's address: https, or plain http to the loopback interface.
    package var baseURL: String
    /// Where each credential is kept, by the name that the adapter asks for.
    package var credentials: [String: SecretReference]

    init?(_ body: ObjectReader, file: String) {
        let id = body.slug("id")
        let psp = body.slug("psp")
        let baseURL = body.webAddress("base_url")
        let credentials = body.object("credentials", .optional) { body in
            body.keys.reduce(into: [:]) { $0[$1] = body.secretReference($1, relativeTo: file) }
        }
        guard let id, let psp, let baseURL else { return nil }
        self.id = id
        self.psp = psp
        self.baseURL = baseURL
        self.credentials = credentials ?? [:]
    }
}
