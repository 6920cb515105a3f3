/// Something that `tributary doctor` has to say.
struct DoctorFinding: Hashable, Sendable {
    /// Whether it does not work; otherwise it needs a look soon.
    let isError: Bool
    /// What it is about: a marketplace, or the key ring.
    let subject: String
    /// What is wrong and what to do about it.
    let sentence: String

    /// Something that does not work.
    static func error(_ subject: String, _ sentence: String) -> DoctorFinding {
        DoctorFinding(isError: true, subject: subject, sentence: sentence)
    }

    /// Something that needs a look soon.
    static func warning(_ subject: String, _ sentence: String) -> DoctorFinding {
        DoctorFinding(isError: false, subject: subject, sentence: sentence)
    }
}
