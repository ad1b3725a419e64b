import Glibc
import LibCurl
import TestSupport
import Testing

@Suite struct MultiHandleTests {
    @Test func theLibraryIsNewEnough() throws {
        try CurlLibrary.initialize()
        #expect(CurlLibrary.versionNumber >= CurlLibrary.minimumVersion)
        #expect(CurlLibrary.version.split(separator: ".").count == 3)
        #expect(CurlLibrary.tlsVersion != nil)
    }

    @Test func oneThatIsNeverUsedCanBeDropped() throws {
        for _ in 0..<100 { _ = try MultiHandle() }
    }

    @Test func oneWithTransfersUnderWayCanBeDropped() throws {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 1 << 20))])
        server.on("/a", .stall(after: 1000))
        let receiver = TransferDesk.Receiver()
        for _ in 0..<20 {
            let desk = try TransferDesk()
            for _ in 0..<3 { try desk.multi.add(TransferDesk.handle(server.url("/a"), receiver)) }
            #expect(desk.multi.count == 3)
            for _ in 0..<3 {
                try desk.multi.perform()
                desk.multi.poll(milliseconds: 5)
            }
        }
    }

    /// The multi handle keeps what it works with, whoever else lets go.
    @Test func itKeepsItsHandles() throws {
        let server = try FaultServer(files: ["/a": .text("content")])
        let receiver = TransferDesk.Receiver()
        let desk = try TransferDesk()
        weak var watched: EasyHandle?
        do {
            let handle = try TransferDesk.handle(server.url("/a"), receiver)
            watched = handle
            try desk.multi.add(handle)
        }
        let kept = try #require(watched)
        #expect(try desk.result(of: kept) == 0)
        desk.multi.remove(kept)
        #expect(desk.multi.count == 0)
        #expect(receiver.body == Array("content".utf8))
    }

    @Test func aHandleIsAddedOnceAndRemovedOnce() throws {
        let multi = try MultiHandle()
        let handle = try EasyHandle()
        try multi.add(handle)
        #expect(throws: CurlError.self) { try multi.add(handle) }
        #expect(multi.count == 1)
        multi.remove(handle)
        multi.remove(handle)
        #expect(multi.count == 0)
        try multi.add(handle)
        multi.remove(handle)
    }

    @Test func manyTransfersShareOneThread() throws {
        let files = Dictionary(uniqueKeysWithValues: (0..<40).map { ("/\($0)", ServedFile.text("file \($0)")) })
        let server = try FaultServer(files: files)
        let desk = try TransferDesk()
        let receivers = (0..<40).map { _ in TransferDesk.Receiver() }
        let handles = try receivers.enumerated().map { try TransferDesk.handle(server.url("/\($0)"), $1) }
        for handle in handles { try desk.multi.add(handle) }
        for (number, handle) in handles.enumerated() {
            #expect(try desk.result(of: handle) == 0)
            desk.multi.remove(handle)
            #expect(receivers[number].body == Array("file \(number)".utf8))
        }
    }

    @Test func aTransferThatIsTakenOutEndsItsConnection() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 1 << 20))])
        server.on("/a", .stall(after: 1000))
        let desk = try TransferDesk()
        let receiver = TransferDesk.Receiver()
        let handle = try TransferDesk.handle(server.url("/a"), receiver)
        try desk.multi.add(handle)
        for _ in 0..<500 where receiver.body.isEmpty {
            try desk.multi.perform()
            desk.multi.poll(milliseconds: 10)
        }
        desk.multi.remove(handle)
        #expect(await server.waitUntilIdle().allSatisfy(\.isAnswered))
    }

    @Test func aWakeUpEndsAPoll() throws {
        let multi = try MultiHandle()
        let wakeup = multi.wakeup
        let thread = try NativeThread { wakeup.wake() }
        // Without the wake-up this would take a minute.
        let time = ContinuousClock().measure { multi.poll(milliseconds: 60_000) }
        thread.join()
        #expect(time < .seconds(30))
    }

    @Test func theCacheOfConnectionsHasASize() throws {
        let multi = try MultiHandle()
        try multi.setConnectionCache(3)
        try multi.setConcurrentStreams(10)
    }

    // MARK: - Sockets of others

    private func takenSocket(_ desk: TransferDesk, _ url: String) throws -> Int32 {
        let handle = try TransferDesk.handle(url, TransferDesk.Receiver())
        try handle.set(.connectOnly)
        try desk.multi.add(handle)
        #expect(try desk.result(of: handle) == 0)
        let socket = try #require(desk.multi.takeSocket(of: handle))
        #expect(desk.multi.count == 0)
        return socket
    }

    /// libcurl's own descriptor is closed when it is taken; the connection is not.
    @Test(.timeLimit(.minutes(1))) func aConnectionThatIsTakenIsTheTakers() throws {
        let server = try FaultServer(files: ["/a": .text("content")])
        let desk = try TransferDesk()
        let socket = try takenSocket(desk, server.url("/a"))
        defer { close(socket) }
        #expect(server.requests.isEmpty)
        #expect(fcntl(socket, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(socket, F_GETFL) & O_NONBLOCK != 0)
        #expect(desk.multi.listen(to: socket))
        let request = Array("GET /a HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        #expect(send(socket, request, request.count, 0) == request.count)
        while true {
            desk.multi.poll(milliseconds: 10_000)
            if desk.multi.takeHeard().contains(socket) { break }
        }
        var reply = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &reply, reply.count, 0)
        #expect(String(decoding: reply.prefix(max(0, count)), as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test(.timeLimit(.minutes(1))) func whatIsIgnoredIsNotHeard() throws {
        let server = try FaultServer(files: ["/a": .text("content")])
        let desk = try TransferDesk()
        let (first, second) = (try takenSocket(desk, server.url("/a")), try takenSocket(desk, server.url("/a")))
        defer { for socket in [first, second] { close(socket) } }
        for socket in [first, second] { #expect(desk.multi.listen(to: socket)) }
        desk.multi.ignore(first)
        let request = Array("GET /a HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        for socket in [first, second] { #expect(send(socket, request, request.count, 0) == request.count) }
        // What is not heard of has come all the same.
        var byte: UInt8 = 0
        while recv(first, &byte, 1, Int32(MSG_PEEK)) < 0 { desk.multi.poll(milliseconds: 1) }
        var heard: Set<Int32> = []
        while !heard.contains(second) {
            desk.multi.poll(milliseconds: 10_000)
            heard.formUnion(desk.multi.takeHeard())
        }
        #expect(heard == [second])
    }
}
