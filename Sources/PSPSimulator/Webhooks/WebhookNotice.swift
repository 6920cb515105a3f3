package import StrictJSON

/// What a PSP tells in one `POST`, before it is signed.
package struct WebhookNotice: Hashable, Sendable {
    /// The PSP's name for it, the same whenever it is sent again.
    package let id: String
    /// What it says; a PSP that does not speak JSON keeps its text in a string.
    package let document: JSON

    /// Makes a notice.
    package init(id: String, _ document: JSON) {
        self.id = id
        self.document = document
    }
}
