/// Fields that every answer carries: no browser guesses what it is, keeps it, tells others whence it came, or runs it.
///
/// Source: OWASP REST Security Cheat Sheet, "Security Headers".
enum SecurityHeaders {
    /// Names and values.
    static let all = [
        ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]
}
