/// Strings as the null-terminated array that C functions read, freed when it goes out of scope.
@safe struct CStringList: ~Copyable {
    private let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        unsafe list = .allocate(capacity: texts.count + 1)
        unsafe list.initialize(repeating: nil, count: texts.count + 1)
        count = texts.count
        for (position, text) in texts.enumerated() {
            let characters = Array(text.utf8CString)
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
            _ = unsafe copy.initialize(from: characters)
            unsafe list[position] = copy.baseAddress
        }
    }

    deinit {
        for position in 0..<count { unsafe list[position]?.deallocate() }
        unsafe list.deallocate()
    }

    /// Lends the array for the time of the call, which must not write to it.
    borrowing func withPointers<Answer>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Answer
    ) -> Answer {
        unsafe body(list)
    }

    /// The same, for functions that promise not to write to it.
    borrowing func withConstantPointers<Answer>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
    ) -> Answer {
        unsafe withPointers { pointers in
            unsafe body(UnsafeRawPointer(pointers).assumingMemoryBound(to: UnsafePointer<CChar>?.self))
        }
    }
}
