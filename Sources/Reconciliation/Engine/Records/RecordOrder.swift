import SpillFiles

/// The order in which equals are taken: by date, reference, file and row; never by when they arrived.
struct RecordOrder {
    /// The rank of each file, by its digest, then member.
    let fileRanks: [Int]

    func precedes(_ left: LineRecord, _ right: LineRecord) -> Bool {
        if left.header.day != right.header.day { return left.header.day < right.header.day }
        let order = Self.compare(left.bytes[left.entry], right.bytes[right.entry])
        if order != 0 { return order < 0 }
        let places = (fileRanks[Int(left.header.file)], fileRanks[Int(right.header.file)])
        if places.0 != places.1 { return places.0 < places.1 }
        return left.header.row < right.header.row
    }

    func precedes(_ left: ExpectationRecord, _ right: ExpectationRecord) -> Bool {
        if left.header.at != right.header.at { return left.header.at < right.header.at }
        let areDisputes = (left.header.subjectKind != 0, right.header.subjectKind != 0)
        if areDisputes.0 != areDisputes.1 { return areDisputes.0 }
        return left.bytes.identifier(at: left.subject) < right.bytes.identifier(at: right.subject)
    }

    static func compare(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}
