import Domain

/// How many letters apart two words are, to tell whoever mistyped one what may have been meant.
enum EditDistance {
    /// How many letters have to be added, taken away, replaced or swapped with their neighbour to make one of the other.
    static func between(_ one: String, _ other: String) -> Int {
        let (left, right) = (Array(one), Array(other))
        guard !left.isEmpty else { return right.count }
        guard !right.isEmpty else { return left.count }
        var before: [Int] = []
        var above = Array(0...right.count)
        for row in 1...left.count {
            var line = [row]
            for column in 1...right.count {
                let replaced = above[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var least = min(replaced, above[column] + 1, line[column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    least = min(least, before[column - 2] + 1)
                }
                line.append(least)
            }
            (before, above) = (above, line)
        }
        return above[right.count]
    }

    /// The word that was probably meant: the nearest one, the first of those that are as near; nil if none is near.
    ///
    /// Near is a third of the longer word's letters and no more than three; longer words than 64 letters are not looked at.
    static func nearest(_ word: String, in known: [String]) -> String? {
        guard word.count <= 64 else { return nil }
        let near = known.filter { $0.count <= 64 }.compactMap { name -> (name: String, distance: Int)? in
            let distance = between(word.lowercased(), name.lowercased())
            return distance <= min(3, max(word.count, name.count) / 3) ? (name, distance) : nil
        }
        return near.min { $0.distance < $1.distance }?.name
    }

    /// A question to put behind a refusal: ` Did you mean 'orders'?`, or nothing.
    static func question(_ word: String, in known: [String]) -> String {
        nearest(word, in: known).map { " Did you mean '\($0.harmless)'?" } ?? ""
    }
}
