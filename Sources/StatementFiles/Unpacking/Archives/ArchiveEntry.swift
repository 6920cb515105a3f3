/// A member of an archive, before it is read.
struct ArchiveEntry {
    /// What a member is.
    enum Kind {
        /// A file.
        case file
        /// A folder.
        case folder
        /// A link, a device, a socket.
        case other
    }

    /// Its name as the archive has it; nil if that is no text.
    let name: String?
    let kind: Kind
    let isEncrypted: Bool
}
