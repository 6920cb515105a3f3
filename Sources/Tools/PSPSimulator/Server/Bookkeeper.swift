import StrictJSON

/// The one who writes in the books: takes requests one at a time, and has them on disk before they are answered.
package actor Bookkeeper {
    private var books: Books
    private let file: BooksFile?
    private let clock: @Sendable () -> Int64
    private var lastTime: Int64 = 0
    private var unwritten: [UInt8] = []
    private var lastWrite: Task<Void, any Error>?
    private let webhookSender: WebhookSender
    private let lateness: Int64
    /// The books before each change of late, as far back as inquiries see.
    private var past: [(at: Int64, books: Books)] = []
    /// What wakes when something is due by itself, and when, in milliseconds since 1970.
    private var alarm: (at: Int64, task: Task<Void, Never>)?

    /// Opens the books.
    ///
    /// What happened before they were closed is not told again.
    ///
    /// - Parameters:
    ///   - storage: where they are kept.
    ///   - webhookSender: who is told what happens.
    ///   - clock: the time in milliseconds since 1970.
    ///   - keeping: which results are kept under idempotency keys.
    ///   - lateness: how old the books are that inquiries see, in milliseconds.
    /// - Throws: ``BooksFileError``.
    init(
        _ storage: BooksStorage,
        webhookSender: WebhookSender,
        clock: @escaping @Sendable () -> Int64,
        keeping: ResultKeeping = .effects,
        lateness: Int64 = 0
    ) async throws(BooksFileError) {
        self.clock = clock
        self.webhookSender = webhookSender
        self.lateness = lateness
        switch storage {
        case .memory:
            file = nil
            books = Books(instance: Self.newInstance(), keeping: keeping)
        case .file(let path):
            let (file, entries) = try await BooksFile.open(path: path)
            self.file = file
            guard let first = entries.first else {
                books = Books(instance: Self.newInstance(), keeping: keeping)
                try await file.append(Self.line(.opening(instance: books.instance)))
                return
            }
            guard case .opening(let instance) = first else {
                await file.close()
                throw .unreadable(path: path, line: 1)
            }
            books = Books(instance: instance, keeping: keeping)
            for entry in entries.dropFirst() { replay(entry) }
            books.advance(to: lastTime)
            _ = books.takeEvents()
        }
    }

    /// Processes a request.
    ///
    /// - Throws: ``BooksFileError`` if it cannot be kept; it must not be answered then.
    package func receive(account: String, key: String?, command: Command) async throws(BooksFileError) -> BookAnswer {
        var submission = Submission(at: now(), account: account, key: key, command: command)
        submission.delivery = MeantDelivery.current
        keepSnapshot()
        let answer = books.receive(submission)
        let events = books.takeEvents()
        try await keep(.submission(submission))
        publish(events)
        return answer
    }

    /// Takes a buyer's answer; nil if nobody waits for it.
    ///
    /// - Throws: ``BooksFileError`` if it cannot be kept.
    package func receive(
        answerFor authorization: String,
        approves: Bool
    ) async throws(BooksFileError) -> Authorization? {
        let answer = ActionAnswer(at: now(), authorization: authorization, approves: approves)
        keepSnapshot()
        let result = books.receive(answer)
        let events = books.takeEvents()
        if result != nil { try await keep(.answer(answer)) }
        publish(events)
        return result
    }

    /// Does what somebody wants without the API.
    ///
    /// - Throws: ``Refusal`` if it cannot be done, ``BooksFileError`` if it cannot be kept.
    package func receive(_ original: DashboardAction) async throws -> Authorization {
        var action = original
        action.at = now()
        keepSnapshot()
        defer { publish(books.takeEvents()) }
        let result = try books.receive(action)
        let events = books.takeEvents()
        try await keep(.action(action))
        publish(events)
        return result
    }

    /// Tells what happens by itself from now on, if anybody hears.
    func watch() { publish([]) }

    private func publish(_ events: [BookEvent]) {
        webhookSender.post(events)
        guard webhookSender.isHeard, let due = books.nextDueAt else { return }
        // An alarm that should have rung sleeps on where the clock was set forward meanwhile: it is set anew.
        let set = alarm?.at ?? .max
        guard due < set || set <= now() else { return }
        alarm?.task.cancel()
        let wait = min(max(0, due - now()), Self.longestSleepMilliseconds)
        let task = Task { [weak self] in
            guard (try? await Task.sleep(for: .milliseconds(wait))) != nil else { return }
            await self?.runAlarm()
        }
        alarm = (due, task)
    }

    /// Does what has become due.
    private func runAlarm() {
        alarm = nil
        advance()
    }

    /// Does and tells what has become due.
    func advance() {
        keepSnapshot()
        books.advance(to: now())
        publish(books.takeEvents())
    }

    /// Keeps the books as they are before a change, for inquiries that come too early to see it.
    private func keepSnapshot() {
        guard lateness > 0 else { return }
        past.append((now(), books))
        past.removeFirst(max(0, (past.firstIndex { $0.at > now() - lateness } ?? past.count) - 1))
    }

    private static let longestSleepMilliseconds: Int64 = 3_600_000

    /// Reads the books and the time as of which to read them.
    package func read<Value: Sendable>(_ body: @Sendable (Books, _ now: Int64) -> Value) -> Value { body(books, now()) }

    /// Reads the books as an inquiry finds them now, and the time as of which to read them.
    func inquire<Value: Sendable>(_ body: @Sendable (Books, _ now: Int64) -> Value) -> Value {
        let moment = now() - lateness
        return body(past.first { $0.at > moment }?.books ?? books, moment)
    }

    /// Waits for what is being written and closes the file.
    package func close() async {
        alarm?.task.cancel()
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
        case .action(let action):
            lastTime = max(lastTime, action.at)
            _ = try? books.receive(action)
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

    private static func newInstance() -> String { String(NameDraw.number(UInt32.self), radix: 36) }
}
