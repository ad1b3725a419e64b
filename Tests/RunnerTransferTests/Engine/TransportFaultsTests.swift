import LibCurl
import RunnerJob
import Testing

@testable import RunnerTransfer

@Suite struct TransportFaultsTests {
    static func faultClass(_ code: Int32, _ text: String = "", errno: Int32 = 0) -> FaultClass {
        TransportFaults.fault(code: code, text: text, systemErrno: errno).faultClass
    }

    /// The numbers are those of libcurl-errors(3).
    @Test(
        arguments: [
            (6, .dns), (5, .dns), (7, .connect), (28, .timeout), (18, .truncated), (55, .reset), (52, .protocol),
            (8, .protocol),
            (16, .protocol), (61, .protocol), (92, .protocol), (60, .tls), (77, .tls), (58, .tls), (59, .tls),
            (83, .tls),
            (90, .tls), (91, .tls), (67, .auth), (9, .auth), (78, .notFound), (19, .notFound), (47, .redirect),
            (63, .tooLarge),
            (3, .client), (23, .internal), (42, .internal), (43, .internal), (2, .internal), (999, .internal),
        ] as [(Int32, FaultClass)])
    func everyResultHasAClass(_ code: Int32, faultClass: FaultClass) {
        #expect(Self.faultClass(code) == faultClass)
    }

    @Test func aBrokenConnectionIsNotABrokenChunk() {
        #expect(Self.faultClass(56, "Recv failure: Connection reset by peer", errno: 104) == .reset)
        #expect(Self.faultClass(56, "Illegal or missing hexadecimal sequence in chunked-encoding") == .protocol)
        #expect(Self.faultClass(56, "Received HTTP code 502 from proxy after CONNECT") == .connect)
    }

    /// What is no HTTP at all is as broken as a bad chunk, and may pass like one.
    @Test func aReplyThatIsNoHTTPIsAMatterOfTheProtocol() {
        #expect(Self.faultClass(1, "Received HTTP/0.9 when not allowed") == .protocol)
        #expect(Self.faultClass(1, "Unsupported response code in HTTP response") == .protocol)
        #expect(Self.faultClass(1, "Unsupported HTTP version (3.7) in response") == .protocol)
        #expect(Self.faultClass(43, "Failed reading the chunked-encoded stream") == .protocol)
        #expect(Self.faultClass(1, "Protocol \"gopher\" not supported or disabled in libcurl") == .client)
    }

    @Test func aHandshakeThatIsCutIsNoMatterOfTrust() {
        #expect(Self.faultClass(35, "error:0A00042E:SSL routines::tlsv1 alert protocol version") == .tls)
        #expect(
            Self.faultClass(35, "OpenSSL SSL_connect: Connection reset by peer in connection to a:1", errno: 104)
                == .reset)
        #expect(Self.faultClass(35, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a:1 ") == .reset)
        #expect(Self.faultClass(35, "error:0A000126:SSL routines::unexpected eof while reading") == .reset)
    }

    @Test func aRefusedCertificateOfTheClientIsAMatterOfTrust() {
        let head = "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::"
        #expect(Self.faultClass(56, head + "tlsv13 alert certificate required, errno 0") == .tls)
        #expect(Self.faultClass(55, head + "tlsv1 alert unknown ca, errno 0") == .tls)
        #expect(Self.faultClass(56, head + "sslv3 alert bad certificate, errno 0") == .tls)
        #expect(Self.faultClass(56, head + "tlsv1 alert internal error, errno 0") == .reset)
    }

    /// What a server says to a file that it does not take is no fault of the program.
    @Test func aRefusedUploadIsTheServersWord() {
        #expect(Self.faultClass(25, "Failed FTP upload: 550") == .auth)
        #expect(Self.faultClass(25, "Failed FTP upload: 553") == .auth)
        #expect(Self.faultClass(25, "Failed FTP upload: 452") == .server)
        #expect(Self.faultClass(25, "Failed FTP upload: 552") == .client)
        #expect(Self.faultClass(25, "Upload failed (at start)") == .client)
        #expect(Self.faultClass(70) == .server)
        #expect(Self.faultClass(73) == .client)
    }

    @Test func theSentenceIsLibcurls() {
        #expect(
            TransportFaults.fault(code: 7, text: "no way", systemErrno: 111)
                == Fault(.connect, .transport(code: 7, text: "no way")))
    }
}
