import AdapterKit
import Domain
import Foundation
import Reconciliation
import StrictJSON

/// Where a result goes: standard output, or a file that takes its name once it is whole.
///
/// What is there and is no file, as a device or a pipe, is written to as it is; a directory is refused.
final class ResultOutput {
    private let handle: FileHandle
    private let path: String?
    /// The file under another name, until it is whole; nil for what is written to as it is.
    private let temporary: String?

    /// Opens it.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ path: String?) throws {
        self.path = path
        guard let path else {
            (handle, temporary) = (.standardOutput, nil)
            return
        }
        let type = Self.type(of: path)
        guard type != .typeDirectory else { throw CommandFailure.unusable("\(path.harmless) is a directory") }
        let isFile = type == nil || type == .typeRegular
        let name = isFile ? path + ".part" : path
        guard !isFile || FileManager.default.createFile(atPath: name, contents: nil),
            let handle = FileHandle(forWritingAtPath: name)
        else { throw CommandFailure.unusable("\(path.harmless) cannot be written") }
        self.handle = handle
        temporary = isFile ? name : nil
    }

    /// What was begun and not finished is nobody's result.
    deinit {
        if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
    }

    /// What stands at a path, links followed; nil for nothing.
    private static func type(of path: String) -> FileAttributeType? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let end = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: end)
        return attributes?[.type] as? FileAttributeType ?? .typeUnknown
    }

    /// Writes text.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes bytes.
    ///
    /// - Throws: ``CommandFailure``; that a reader of standard output has gone away is no reason to fail.
    func write(_ bytes: [UInt8]) throws {
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            let failure = WriteFailure(error)
            if path == nil, failure.isOfReader { return }
            throw CommandFailure.unusable("\(path?.harmless ?? "the result") cannot be written: \(failure.reason)")
        }
    }

    /// Gives the file its name.
    func finish() throws {
        guard let path else { return }
        do { try handle.close() } catch {
            throw CommandFailure.unusable("\(path.harmless) cannot be written: \(WriteFailure(error).reason)")
        }
        guard let temporary else { return }
        do {
            let (target, part) = (URL(fileURLWithPath: path), URL(fileURLWithPath: temporary))
            if FileManager.default.fileExists(atPath: path) {
                _ = try FileManager.default.replaceItemAt(target, withItemAt: part)
            } else {
                try FileManager.default.moveItem(at: part, to: target)
            }
        } catch {
            throw CommandFailure.unusable("\(path.harmless) cannot be written: \(WriteFailure(error).reason)")
        }
    }
}

/// A reconciliation's inputs and counts, as they are shown.
struct ResultPage {
    let result: ReconciliationResult
    /// How what was asked for was matched; nil if nothing was asked for.
    let explanations: [String]?

    /// The page for people: inputs, breaks, counts.
    func text(_ breaks: Table, hidden: Int) -> String {
        var inputs = Table("file", "format", "psp_account", "rows", "unusable", "sums", "sha256")
        for input in result.inputs {
            let sums = input.sums.map { "\($0.credits) \($0.debits)" }.joined(separator: ", ")
            inputs.add(
                .text(input.path),
                .text(input.formats.joined(separator: " ")),
                .optional(input.account?.account),
                .integer(Int64(input.rows)),
                .integer(Int64(input.unusableRows)),
                .optional(input.isKnown ? "taken in before" : sums),
                .text(String(input.sha256.prefix(12)))
            )
        }
        var parts = [inputs.text]
        let notes = result.inputs.flatMap { input in input.notes.map { "\(input.path.harmless): \($0.sentence)" } }
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        if !breaks.rows.isEmpty { parts.append(breaks.text) }
        if hidden > 0 { parts.append("\(hidden) more breaks; --format csv, json or jsonl has them all.") }
        if let explanations {
            let text = explanations.joined(separator: "\n")
            parts.append(explanations.isEmpty ? "Nothing of that name was compared." : text)
        }
        return (parts + [counts]).joined(separator: "\n\n")
    }

    /// The counts in words.
    private var counts: String {
        let summary = result.summary
        let breaks = summary.breaks.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.value) \($0.key.rawValue)" }
        return """
            as of \(summary.asOf?.description ?? "-"): \(summary.met) of \(summary.expectations) movements confirmed, \
            \(summary.waiting) not due; \(summary.batchesInOrder) batches in order, \(summary.batchesOpen) open; \
            \(summary.bankEntriesMatched) of \(summary.bankEntries) bank entries explained
            breaks: \(breaks.isEmpty ? "none" : breaks.joined(separator: ", "))
            """
    }

    /// The object up to the breaks.
    var jsonHead: String {
        let members = [
            JSON.Member("as_of", .optional(result.summary.asOf?.description)),
            JSON.Member("inputs", .array(result.inputs.map(\.json))),
        ]
        return JSON.object(members).text.dropLast() + ",\"breaks\":["
    }

    /// The object behind the breaks.
    var jsonFoot: String {
        var members = [JSON.Member("summary", summary)]
        if let explanations { members.append(JSON.Member("explanation", .array(explanations.map(JSON.string)))) }
        return "]," + JSON.object(members).text.dropFirst()
    }

    /// The inputs, an object each, and what was to be explained.
    var lines: [String] {
        result.inputs.map { $0.json.tagged("input").text }
            + (explanations ?? []).map { JSON.object([.init("text", .string($0))]).tagged("explanation").text }
    }

    /// The counts.
    var summary: JSON {
        let summary = result.summary
        let breaks = summary.breaks.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        return .object([
            .init("as_of", .optional(summary.asOf?.description)),
            .init("expectations", .integer(Int64(summary.expectations))), .init("met", .integer(Int64(summary.met))),
            .init("waiting", .integer(Int64(summary.waiting))),
            .init("batches_in_order", .integer(Int64(summary.batchesInOrder))),
            .init("batches_open", .integer(Int64(summary.batchesOpen))),
            .init("bank_entries", .integer(Int64(summary.bankEntries))),
            .init("bank_entries_matched", .integer(Int64(summary.bankEntriesMatched))),
            .init("unusable_rows", .integer(Int64(summary.unusableRows))),
            .init(
                "breaks",
                .object(breaks.map { .init($0.key.rawValue, .integer(Int64($0.value))) })
            ),
        ])
    }
}

extension ReconciledInput {
    fileprivate var json: JSON {
        .object([
            .init("file", .string(path)), .init("sha256", .string(sha256)),
            .init("format", .string(formats.joined(separator: " "))),
            .init("psp_account", .optional(account?.account)), .init("rows", .integer(Int64(rows))),
            .init("unusable_rows", .integer(Int64(unusableRows))),
            .init(
                "sums",
                .array(
                    sums.map { sum in
                        .object([
                            .init("currency", .string(sum.credits.currency.code)),
                            .init("credits", sum.credits.json), .init("debits", sum.debits.json),
                        ])
                    }
                )
            ),
            .init("notes", .array(notes.map(\.json))),
            .init("taken_in_before", .bool(isKnown)),
        ])
    }
}

extension ReconciledInput.Note {
    /// What it is, how often, and where first.
    fileprivate var sentence: String {
        let place = (member.map { "\($0.harmless), " } ?? "") + "line \(firstLine)"
        return "\(text) (\(count), the first in \(place))"
    }

    fileprivate var json: JSON {
        .object([
            .init("code", .string(code)), .init("count", .integer(Int64(count))),
            .init("first_line", .integer(Int64(firstLine))), .init("member", .optional(member)),
            .init("text", .string(text)),
        ])
    }
}

extension SettlementAmount {
    /// Minor units as an integer; what is finer than one as decimal text.
    fileprivate var json: JSON { minorUnits.map(JSON.integer) ?? .string(decimal) }
}
