import ExternalJoin

/// Joining lines and expectations, pass by pass.
extension Reconciler {
    /// How many bytes of both sides are joined in memory at once.
    private static let windowBytes = 2 << 20
    /// Up to how many bytes a partition is read once for each window of it; a larger one is divided further.
    private static let joinLimitBytes = 24 << 20
    /// How often what shares the first bits of a digest is divided further.
    private static let depthLimit = 4

    /// Runs every pass; what is left is what nothing matched.
    func runPasses(
        into sink: inout some ReconciliationSink
    ) async throws -> (lines: [Spool], expectations: [Spool]) {
        order = RecordOrder(fileRanks: files.ranks)
        var deferred = (lines: narrow, expectations: narrow)
        for (number, pass) in passes.enumerated() {
            if number > 0 {
                if number == 1 { try deferUnshared(&deferred.lines, &deferred.expectations) }
                guard restLines.count > 0, restExpectations.count > 0 else { break }
                try distribute(pass)
            }
            let (theirs, ours) = (lines, expectations)
            (lines, expectations) = (narrow, narrow)
            try await join(theirs, ours, pass, depth: 0, into: &sink)
        }
        defer { (restLines, restExpectations) = (narrow, narrow) }
        return ([deferred.lines, restLines], [deferred.expectations, restExpectations])
    }

    private var narrow: Spool { Spool(in: scope.spillDirectory, isWide: false) }
    private func wide(_ depth: Int = 0) -> Spool { Spool(in: scope.spillDirectory, isWide: true, depth: depth) }

    // MARK: Who takes part

    /// Puts what is left where a pass joins it; what has no key stays.
    private func distribute(_ pass: LinePass) throws(ReconciliationFailure) {
        var (oldLines, oldExpectations) = (restLines, restExpectations)
        (restLines, restExpectations) = (narrow, narrow)
        (lines, expectations) = (wide(), wide())
        try oldLines.forEachLine { line throws(ReconciliationFailure) in
            if let digest = pass.digest(of: line, accounts) {
                try lines.append(line, digest: digest)
            } else {
                try restLines.append(line, digest: 0)
            }
        }
        try oldExpectations.forEachExpectation { expectation throws(ReconciliationFailure) in
            if let digest = pass.digest(of: expectation, accounts) {
                try expectations.append(expectation, digest: digest)
            } else {
                try restExpectations.append(expectation, digest: 0)
            }
        }
    }

    /// Defers what shares no key of any rule with the other side, so that the passes to come do not carry it.
    private func deferUnshared(
        _ deferredLines: inout Spool,
        _ deferredExpectations: inout Spool
    ) throws(ReconciliationFailure) {
        guard restLines.count > 0, restExpectations.count > 0 else { return }
        var seen: Set<ReconciliationRule> = []
        let keys = passes.filter { seen.insert($0.rule).inserted }
        var (oldLines, oldExpectations) = (restLines, restExpectations)
        (restLines, restExpectations) = (narrow, narrow)
        var theirs = DigestFilter(capacity: oldLines.count * keys.count)
        var kept = narrow
        try oldLines.forEachLine { line throws(ReconciliationFailure) in
            for key in keys { if let digest = key.digest(of: line, accounts) { theirs.insert(digest) } }
            try kept.append(line, digest: 0)
        }
        var ours = DigestFilter(capacity: oldLines.count * keys.count)
        try oldExpectations.forEachExpectation { expectation throws(ReconciliationFailure) in
            let digests = keys.compactMap { $0.digest(of: expectation, accounts) }
            if digests.contains(where: { theirs.mayContain($0) }) {
                for digest in digests { ours.insert(digest) }
                try restExpectations.append(expectation, digest: 0)
            } else {
                try deferredExpectations.append(expectation, digest: 0)
            }
        }
        try kept.forEachLine { line throws(ReconciliationFailure) in
            let digests = keys.compactMap { $0.digest(of: line, accounts) }
            if digests.contains(where: { ours.mayContain($0) || theirs.mayRepeat($0) }) {
                try restLines.append(line, digest: 0)
            } else {
                try deferredLines.append(line, digest: 0)
            }
        }
    }

    // MARK: Joining

    /// Joins two spools that are divided alike.
    private func join(
        _ theirs: Spool,
        _ ours: Spool,
        _ pass: LinePass,
        depth: Int,
        into sink: inout some ReconciliationSink
    ) async throws {
        var (theirs, ours) = (theirs, ours)
        for index in 0..<Spool.width {
            let size = theirs.byteCount(of: index) + ours.byteCount(of: index)
            if size <= Self.joinLimitBytes || theirs.byteCount(of: index) == 0 {
                try await join(index, &theirs, &ours, pass, into: &sink)
                continue
            }
            var (deeperTheirs, deeperOurs) = (wide(depth + 1), wide(depth + 1))
            try theirs.forEachLine(index) { line throws(ReconciliationFailure) in
                try deeperTheirs.append(line, digest: line.header.digest)
            }
            try ours.forEachExpectation(index) { expectation throws(ReconciliationFailure) in
                try deeperOurs.append(expectation, digest: expectation.header.digest)
            }
            if depth == Self.depthLimit || deeperTheirs.commonDigest != nil {
                try passOver(&deeperTheirs, &deeperOurs)
            } else {
                try await join(deeperTheirs, deeperOurs, pass, depth: depth + 1, into: &sink)
            }
        }
    }

    /// Leaves what shares a key that names nothing in particular to the passes to come.
    private func passOver(_ theirs: inout Spool, _ ours: inout Spool) throws(ReconciliationFailure) {
        for index in 0..<theirs.width {
            try theirs.forEachLine(index) { line throws(ReconciliationFailure) in
                try restLines.append(line, digest: 0)
            }
            try ours.forEachExpectation(index) { expectation throws(ReconciliationFailure) in
                try restExpectations.append(expectation, digest: 0)
            }
        }
    }

    private func join(
        _ index: Int,
        _ theirs: inout Spool,
        _ ours: inout Spool,
        _ pass: LinePass,
        into sink: inout some ReconciliationSink
    ) async throws {
        guard theirs.byteCount(of: index) > 0 else {
            return try ours.forEachExpectation(index) { expectation throws(ReconciliationFailure) in
                try restExpectations.append(expectation, digest: 0)
            }
        }
        let size = theirs.byteCount(of: index) + ours.byteCount(of: index)
        let windows = (size + Self.windowBytes - 1) / Self.windowBytes
        guard windows > 1 else {
            let counts = (theirs.count(of: index), ours.count(of: index))
            let (lines, expectations) = (try theirs.take(index), try ours.take(index))
            return try await join((lines, counts.0), (expectations, counts.1), pass, into: &sink)
        }
        for window in 0..<windows {
            let lines = try theirs.copy(index, share: window, of: windows, LineHeader.extent)
            let expectations = try ours.copy(index, share: window, of: windows, ExpectationHeader.extent)
            try await join(lines, expectations, pass, into: &sink)
        }
        theirs.clear(index)
        ours.clear(index)
    }

    /// Joins records of both sides, each with how many there are.
    private func join(
        _ theirs: (bytes: [UInt8], count: Int),
        _ ours: (bytes: [UInt8], count: Int),
        _ pass: LinePass,
        into sink: inout some ReconciliationSink
    ) async throws {
        var cursor = GroupCursor(
            lines: theirs.bytes,
            lineCount: theirs.count,
            expectations: ours.bytes,
            expectationCount: ours.count,
            pass: pass
        )
        while true {
            if let (line, expectation) = cursor.nextPair() {
                if agree(line, expectation, pass) {
                    confirm(line, expectation, pass)
                } else {
                    try match([line], [expectation], pass)
                }
            } else if let (lines, expectations) = cursor.next() {
                try match(lines, expectations, pass)
            } else {
                break
            }
            if findings.isFull { try await findings.flush(into: &sink) }
        }
    }
}
