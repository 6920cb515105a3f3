/// How a process divides the descriptors that it may have: peers, PSPs and endpoints of callbacks never take one another's,
/// nor those of the database and of files.
package struct DescriptorBudget: Hashable, Sendable {
    /// What connections want of it.
    package struct Wishes: Hashable, Sendable {
        /// The most connections from outside that are ever open.
        package var incoming: Int
        /// The most to PSPs.
        package var psp: Int
        /// The most to endpoints of callbacks.
        package var callbacks: Int
        /// How many there are to the database.
        package var database: Int

        /// Gathers wishes.
        package init(incoming: Int, psp: Int, callbacks: Int, database: Int) {
            self.incoming = incoming
            self.psp = psp
            self.callbacks = callbacks
            self.database = database
        }
    }

    /// Files, pipes, the embedded database, name servers, and what is open for a moment only.
    private static let ownDescriptors = 48
    /// What each processor's event loops take.
    private static let descriptorsPerProcessor = 6

    /// The most connections from outside that may ever be open.
    package let incoming: Int
    /// The most to PSPs.
    package let psp: Int
    /// The most to endpoints of callbacks.
    package let callbacks: Int
    /// Whether somebody gets less than was wished for.
    package let isShort: Bool

    /// Divides so many descriptors; where they are too few, half of them are for peers and three tenths for PSPs.
    package init(_ limit: Int, for wishes: Wishes, processors: Int) {
        let own = Self.ownDescriptors + Self.descriptorsPerProcessor * processors + wishes.database
        let rest = max(16, limit - own)
        isShort = wishes.incoming + wishes.psp + wishes.callbacks > rest
        psp = isShort ? min(wishes.psp, max(4, rest * 3 / 10)) : wishes.psp
        callbacks = isShort ? min(wishes.callbacks, max(4, rest / 5)) : wishes.callbacks
        incoming = isShort ? min(wishes.incoming, max(8, rest - psp - callbacks)) : wishes.incoming
    }
}
