/// How many of each side a rule may match to each other; theirs first.
package enum Cardinality: String, Hashable, Sendable, CaseIterable {
    /// One line, one effect.
    case oneToOne = "one_to_one"
    /// One line for several effects, one credit for several payouts.
    case oneToMany = "one_to_many"
    /// Several lines for one effect: partial settlements, split fees.
    case manyToOne = "many_to_one"
    /// Any number of both that share the key; within a batch first.
    case manyToMany = "many_to_many"

    /// Whether it admits several of theirs.
    var admitsManyTheirs: Bool { self == .manyToOne || self == .manyToMany }
    /// Whether it admits several of ours.
    var admitsManyOurs: Bool { self == .oneToMany || self == .manyToMany }
}
