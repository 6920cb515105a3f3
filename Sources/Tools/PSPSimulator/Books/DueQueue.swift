/// Moments at which something happens by itself, the earliest first: a binary heap.
struct DueQueue: Hashable {
    /// A moment, in milliseconds since 1970, and the position of the authorization.
    struct Entry: Hashable {
        var at: Int64
        var position: Int
    }

    private var entries: [Entry] = []

    /// The earliest moment.
    var first: Int64? { entries.first?.at }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0, entries[child].at < entries[(child - 1) / 2].at {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes the earliest entry out if its moment is not after `now`.
    mutating func next(by now: Int64) -> Entry? {
        guard let first = entries.first, first.at <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { entries[$0].at < entries[$1].at }),
                entries[least].at < entries[parent].at
            else { return }
            entries.swapAt(least, parent)
            parent = least
        }
    }
}
