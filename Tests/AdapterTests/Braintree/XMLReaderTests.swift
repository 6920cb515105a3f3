import BraintreeAdapter
import SeededRandom
import Testing

@Suite("The XML reader")
struct XMLReaderTests {
    static func read(_ text: String) throws(XMLRefusal) -> XMLElement { try XMLReader.read(Array(text.utf8)) }

    @Test("reads elements, attributes and text")
    func reads() throws {
        let root = try Self.read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <a id='1' b-c="x &quot;y&quot;">
              <b nil="true"/><c> t &amp; &lt;u&gt; &apos;v&apos; &#8364;&#x20AC; é </c><d></d><e/><e />
            </a>

            """
        )
        #expect(root.name == "a" && root.attributes == ["id": "1", "b-c": #"x "y""#] && root.text.isEmpty)
        #expect(root.children.map(\.name) == ["b", "c", "d", "e", "e"])
        #expect(root.value("c") == " t & <u> 'v' €€ é ")
        #expect(root["b"]?.attributes == ["nil": "true"])
        #expect(root.value("b") == nil && root.value("d") == nil && root.value("z") == nil)
        #expect(root["e"] == nil, "there are two")
    }

    @Test("gives no value of an element that is marked as nil, or holds elements")
    func values() throws {
        let root = try Self.read(#"<a><b nil="true">x</b><c><d>x</d></c><e nil="false">x</e></a>"#)
        #expect(root.value("b") == nil && root.value("c") == nil && root.value("e") == "x")
    }

    @Test(
        "refuses what makes XML dangerous, wherever it stands",
        arguments: [
            "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "<a><!DOCTYPE b></a>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<?xml version='1.0'?><!DOCTYPE a><a/>", "<a><!-- b --></a>",
            "<!-- b --><a/>", "<a/><!-- b -->", "<a><![CDATA[b]]></a>", "<a><?php b ?></a>", "<?php b ?><a/>",
            "<a/><?b?>", "<?xml version='1.1'?><a/>", "<?xml version='1.0' encoding='UTF-16'?><a/>",
            "<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "<?xml encoding='UTF-8'?><a/>",
            "<?xml version='1.0' x='y'?><a/>", "<a></a><?xml version='1.0'?>", " <?xml version='1.0'?><a/>",
        ]
    )
    func forbidden(text: String) { #expect(throws: XMLRefusal.forbidden) { try Self.read(text) } }

    @Test(
        "knows five entities",
        arguments: ["<a>&b;</a>", "<a>&nbsp;</a>", "<a>&AMP;</a>", "<a>&;</a>", "<a b='&c;'/>", "<a>&amp </a>;"]
    )
    func entities(text: String) {
        #expect(throws: XMLRefusal.unknownEntity) { try Self.read(text) }
    }

    @Test(
        "takes no character that XML does not have",
        arguments: [
            "<a>&#0;</a>", "<a>&#8;</a>", "<a>&#xFFFE;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#;</a>",
            "<a>&#x;</a>", "<a>&#-1;</a>", "<a>&#+65;</a>", "<a>&#1_0;</a>", "<a>&#xg;</a>", "<a>\u{0}</a>",
            "<a>\u{1}</a>",
            "<a>\u{FFFE}</a>", "<a b='\u{B}'/>",
        ]
    )
    func characters(text: String) { #expect(throws: XMLRefusal.invalidCharacter) { try Self.read(text) } }

    @Test(
        "takes UTF-8 only",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
        ] as [[UInt8]]
    )
    func bytes(bytes: [UInt8]) {
        #expect(throws: XMLRefusal.invalidCharacter) {
            try XMLReader.read(Array("<a>".utf8) + bytes + Array("</a>".utf8))
        }
    }

    @Test(
        "refuses what is not well formed",
        arguments: [
            "", " ", "a", "<", "<a", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a/>b", "b<a/>", "<a b/>", "<a b=/>",
            "<a b=c/>",
            "<a b='c/>", "<a b='c\"/>", "<a b='c' b='d'/>", "<a b='c'd='e'/>", "<a b='<'/>", "<a>b<c/></a>",
            "<a><c/>b</a>",
            "<a><b></a></b>", "<1/>", "<-a/>", "< a/>", "<a>&amp</a>", "<a>&#38</a>", "<a>&aaaaaaaaaaaaaaaaaa;</a>",
            "<a/", "<a /b>", "<a></a", "<a>]]", "<b:a/>", "<é/>", "<a é='b'/>", "<?xml version='1.0'",
            "<?xml version='1.0'>",
            "<?xml ?", "\u{FEFF}<a/>", "<a:b xmlns:a='c'/>",
        ]
    )
    func malformed(text: String) { #expect(throws: XMLRefusal.malformed) { try Self.read(text) } }

    @Test("reads no deeper, no more and no longer than it says")
    func limits() throws {
        let nested = { (depth: Int) in
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        _ = try Self.read(nested(XMLReader.depthLimit))
        for depth in [XMLReader.depthLimit + 1, 30_000] {
            #expect(throws: XMLRefusal.tooDeep) { try Self.read(nested(depth)) }
        }
        let many = { (count: Int) in "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>" }
        #expect(try Self.read(many(XMLReader.elementLimit)).children.count == XMLReader.elementLimit - 1)
        #expect(throws: XMLRefusal.tooMany) { try Self.read(many(XMLReader.elementLimit + 1)) }
        let attributes = { (count: Int) in "<a" + (0..<count).map { " b\($0)=''" }.joined() + "/>" }
        #expect(try Self.read(attributes(XMLReader.attributeLimit)).attributes.count == XMLReader.attributeLimit)
        #expect(throws: XMLRefusal.tooMany) { try Self.read(attributes(XMLReader.attributeLimit + 1)) }
        let name = String(repeating: "n", count: XMLReader.nameLimit)
        #expect(try Self.read("<\(name)/>").name == name)
        #expect(throws: XMLRefusal.malformed) { try Self.read("<\(name)n/>") }
        let text = String(repeating: "x", count: XMLReader.byteLimit - 7)
        #expect(try Self.read("<a>\(text)</a>").text.utf8.count == text.utf8.count)
        #expect(throws: XMLRefusal.tooLarge) { try Self.read("<a>\(text)x</a>") }
    }

    @Test("never reads a document that was cut short")
    func truncated() throws {
        let document = Array(#"<?xml version="1.0"?><a b="c"><d>e &amp; f</d><g nil="true"/></a>"#.utf8)
        _ = try XMLReader.read(document)
        for end in document.indices {
            #expect(throws: XMLRefusal.self, "\(end) bytes") { try XMLReader.read(Array(document[..<end])) }
        }
    }

    @Test("answers every spoilt document, one way or another", arguments: [UInt64(1), 2, 3, 4])
    func spoilt(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let document = Array(#"<?xml version="1.0"?><a b="c"><d>e &amp; &#8364;</d><g nil="true"/></a>"#.utf8)
        let marks = Array("<>&;!?[]-/='\" \u{0}aé".utf8)
        for _ in 0..<2000 {
            var spoilt = document
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: spoilt.indices, using: &random)
                let mark = marks[Int.random(in: marks.indices, using: &random)]
                if Bool.random(using: &random) { spoilt[index] = mark } else { spoilt.insert(mark, at: index) }
            }
            guard let root = try? XMLReader.read(spoilt) else { continue }
            #expect(!root.name.isEmpty && (root.text.isEmpty || root.children.isEmpty))
        }
    }
}
