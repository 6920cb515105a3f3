import StrictJSON

/// The one who writes in the books: takes requests one at a time, and has them on disk before they are answered.
package actor Bookkeeper {
    private var books: Books
    private let file: BooksFile?
    private let clock: @Sendable () -> Int64
    private var lastTime: Int64 = 0
    private var unwritten: [UInt8] = []
    private var lastWrite: Task<Void, any Error>?

    /// Opens the books.
    ///
    /// - Parameters:
    ///   - storage: where they are kept.
    ///   - clock: the time in milliseconds since 1970.
    /// - Throws: ``BooksFileError``.
    package init(_ storage: BooksStorage, clock: @escaping @Sendable () -> Int64) async throws(BooksFileError) {
        self.clock = clock
        switch storage {
        case .memory:
            file = nil
            books = Books(instance: Self.newInstance())
        case .file(let path):
            let (file, entries) = try await BooksFile.open(path: path)
            self.file = file
            guard let first = entries.first else {
                books = Books(instance: Self.newInstance())
                try await file.append(Self.line(.opening(instance: books.instance)))
                return
            }
            guard case .opening(let instance) = first else {
                await file.close()
                throw .unreadable(path: path, line: 1)
            }
            books = Books(instance: instance)
            for entry in entries.dropFirst() { replay(entry) }
        }
    }

    /// Processes a request.
    ///
    /// - Throws: ``BooksFileError`` if it cannot be kept; it must not be answered then.
    package func receive(account: String, key: String, command: Command) async throws(BooksFileError) -> Verdict {
        let submission = Submission(at: now(), account: account, key: key, command: command)
        let verdict = books.receive(submission)
        try await keep(.submission(submission))
        return verdict
    }

    /// Takes a buyer's answer; nil if nobody waits for it.
    ///
    /// - Throws: ``BooksFileError`` if it cannot be kept.
    package func receive(
        answerFor authorization: String,
        approves: Bool
    ) async throws(BooksFileError) -> Authorization? {
        let answer = ActionAnswer(at: now(), authorization: authorization, approves: approves)
        guard let result = books.receive(answer) else { return nil }
        try await keep(.answer(answer))
        return result
    }

    /// Reads the books and the time as of which to read them.
    package func read<Value: Sendable>(_ body: @Sendable (Books, _ now: Int64) -> Value) -> Value { body(books, now()) }

    /// Waits for what is being written and closes the file.
    package func close() async {
        _ = await lastWrite?.result
        await file?.close()
    }

    /// The time, which never goes back.
    private func now() -> Int64 {
        lastTime = max(lastTime, clock())
        return lastTime
    }

    private func replay(_ entry: BooksEntry) {
        switch entry {
        case .opening: break
        case .submission(let submission):
            lastTime = max(lastTime, submission.at)
            _ = books.receive(submission)
        case .answer(let answer):
            lastTime = max(lastTime, answer.at)
            _ = books.receive(answer)
        }
    }

    /// Writes the entry and everything before it that is not on disk yet.
    ///
    /// Whoever waits meanwhile shares the next write. After a write that failed, every later one fails too.
    private func keep(_ entry: BooksEntry) async throws(BooksFileError) {
        guard file != nil else { return }
        unwritten += Self.line(entry)
        let previous = lastWrite
        let write = Task {
            try await previous?.value
            try await self.writeUnwritten()
        }
        lastWrite = write
        do {
            try await write.value
        } catch let error as BooksFileError {
            throw error
        } catch {
            throw .inaccessible(path: "", reason: "\(error)")
        }
    }

    private func writeUnwritten() async throws(BooksFileError) {
        guard let file, !unwritten.isEmpty else { return }
        let lines = unwritten
        unwritten = []
        try await file.append(lines)
    }

    private static func line(_ entry: BooksEntry) -> [UInt8] { entry.json.bytes + [UInt8(ascii: "\n")] }

    private static func newInstance() -> String { String(UInt32.random(in: .min ... .max), radix: 36) }
}
