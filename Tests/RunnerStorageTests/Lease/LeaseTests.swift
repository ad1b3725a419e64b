import Glibc
import RunnerStorage
import Synchronization
import TestSupport
import Testing

@Suite("Leases")
struct LeaseTests {
    let folder: TemporaryDirectory
    let state: StateFolder

    init() throws {
        folder = try TemporaryDirectory()
        state = StateFolder(path: folder.path("state"))
    }

    private func acquire(_ job: String = "job", as holder: LeaseHolder? = nil) throws(LeaseError) -> Lease {
        try Lease.acquire(in: state, job: job, run: "run", now: 1000, as: holder)
    }

    /// Another process, as its lease would tell of it.
    private func other(_ change: (inout LeaseHolder) -> Void) -> LeaseHolder {
        var holder = LeaseHolder.current(run: "other", since: 500)
        change(&holder)
        return holder
    }

    /// Leaves the lease of a process that did not give it back, touched so many seconds ago.
    private func leave(_ holder: LeaseHolder, age: Int = 0, job: String = "job") throws -> String {
        let lease = try acquire(job, as: holder)
        let name = try #require(folder.files().first)
        let bytes = try #require(folder.read(name))
        lease.release()
        try folder.write(name, bytes)
        touch(name, age: age)
        return name
    }

    private func touch(_ name: String, age: Int) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        now.tv_sec -= age
        utimensat(AT_FDCWD, folder.path(name), [now, now], 0)
    }

    /// A process that has ended, so that its number stands for nobody.
    private func deadPID() async throws -> Int32 {
        let process = try ChildProcess("/bin/true", [], environment: [:])
        _ = await process.wait()
        return process.pid
    }

    @Test func oneRunAtATime() throws {
        let lease = try acquire()
        #expect(throws: LeaseError.held(lease.holder)) { try acquire() }
        #expect(lease.heartbeat())
        #expect(try lease.checkStillOurs())
        lease.release()
        #expect(folder.files().isEmpty)
        #expect(!lease.heartbeat())
        #expect(try !lease.checkStillOurs())
        #expect(try acquire().holder.pid == getpid())
    }

    @Test func itIsGivenBackWithTheLastReference() throws {
        do { _ = try acquire() }
        #expect(folder.files().isEmpty)
    }

    /// A run that was killed between the two would leave a lease that says nothing, and that counts for a minute.
    @Test func aLeaseHasItsWordsBeforeItsName() throws {
        let lease = try acquire()
        let path = folder.path(try #require(folder.files().first))
        lease.release()
        let isOver = Mutex(false)
        let empty = Mutex(0)
        let observer = try NativeThread {
            while !isOver.withLock({ $0 }) {
                if DiskFile.read(path)?.isEmpty == true { empty.withLock { $0 += 1 } }
            }
        }
        for _ in 0..<3000 { try acquire().release() }
        isOver.withLock { $0 = true }
        observer.join()
        #expect(empty.withLock { $0 } == 0)
    }

    /// As on NFS; the first of them makes the folder too.
    @Test func aLeaseIsTakenWhereFilesNeedNames() throws {
        let thread = try NativeThread {
            #expect(throws: Never.self) {
                try Sandbox.refuseNamelessFiles()
                let lease = try acquire()
                #expect(try lease.checkStillOurs())
                #expect(throws: LeaseError.held(lease.holder)) { try acquire() }
                lease.release()
                #expect(folder.files().isEmpty)
            }
        }
        thread.join()
    }

    @Test func otherJobsAreNotHeldUp() throws {
        let one = try acquire("one")
        let two = try acquire("two")
        #expect(one.heartbeat() && two.heartbeat())
        #expect(folder.files().count == 2)
    }

    @Test func theHolderIsNamed() throws {
        let lease = try acquire()
        #expect(lease.holder.since == 1000)
        #expect(lease.holder.run == "run")
        #expect(!lease.holder.host.isEmpty)
        #expect(lease.holder.processStart > 0)
        #expect(try Lease.current(in: state, job: "job", now: 0) == lease.holder)
        #expect(try Lease.current(in: state, job: "other", now: 0) == nil)
    }

    @Test func lookingMakesNothing() throws {
        #expect(try Lease.current(in: state, job: "job", now: 0) == nil)
        #expect(DiskFile.entries(folder.path).isEmpty)
    }

    @Test func aDeadProcessOfThisMachineHoldsNothing() async throws {
        let pid = try await deadPID()
        _ = try leave(other { $0.pid = pid })
        #expect(try Lease.current(in: state, job: "job", now: 0) == nil)
        let lease = try acquire()
        #expect(try lease.checkStillOurs())
        #expect(folder.files().count == 1)
    }

    @Test func aProcessThatGotTheNumberOfADeadOneHoldsNothing() throws {
        _ = try leave(other { $0.processStart += 1 })
        #expect(try acquire().checkStillOurs())
    }

    @Test func aLeaseFromBeforeTheBootHoldsNothing() throws {
        _ = try leave(other { $0.boot = "another" })
        #expect(try acquire().checkStillOurs())
    }

    static let elsewhere: [@Sendable (inout LeaseHolder) -> Void] = [
        { $0.host = "elsewhere" }, { $0.namespace = "pid:[1]" }, { $0.machine = "another" },
        {
            $0.host = "elsewhere"; $0.boot = "another"; $0.pid = 0
        },
    ]

    @Test(arguments: elsewhere.indices)
    func anotherMachineHoldsAsLongAsItsHeartbeatIsFresh(_ index: Int) throws {
        let holder = other(Self.elsewhere[index])
        let name = try leave(holder, age: 50)
        #expect(throws: LeaseError.held(holder)) { try acquire() }
        touch(name, age: 70)
        #expect(try acquire().checkStillOurs())
    }

    @Test func aHeartbeatFromTheFutureIsNoSignOfAge() throws {
        let holder = other { $0.host = "elsewhere" }
        _ = try leave(holder, age: -100_000)
        #expect(throws: LeaseError.held(holder)) { try acquire() }
    }

    @Test(arguments: ["", "{", "{}", "{\"schema\":\"runner.lease/2\"}", "null"])
    func aDamagedLeaseCountsUntilItIsOld(_ text: String) throws {
        let name = try leave(other { _ in })
        try folder.write(name, text)
        #expect(throws: LeaseError.heldByUnknown(path: folder.path(name))) { try acquire() }
        touch(name, age: 70)
        let lease = try acquire()
        #expect(try lease.checkStillOurs())
        #expect(folder.files() == [name])
    }

    @Test func aLostLeaseIsNoticedAndNotTakenBack() throws {
        let lost = try acquire()
        let name = try #require(folder.files().first)
        touch(name, age: 70)
        unlink(folder.path(name))
        let new = try acquire(as: other { $0.host = "elsewhere" })
        #expect(try !lost.checkStillOurs())
        #expect(!lost.heartbeat())
        lost.release()
        #expect(try new.checkStillOurs())
    }

    @Test func aHeartbeatRenewsTheLease() throws {
        let lease = try acquire(as: other { $0.host = "elsewhere" })
        let name = try #require(folder.files().first)
        touch(name, age: 70)
        #expect(lease.heartbeat())
        #expect(throws: LeaseError.held(lease.holder)) { try acquire() }
    }

    @Test func theClaimOfADeadProcessIsNotInTheWay() async throws {
        let pid = try await deadPID()
        let dead = other { $0.pid = pid }
        let name = try leave(dead)
        let bytes = try #require(folder.read(name))
        var claimant = dead
        claimant.nonce = "claimant"
        let text = String(decoding: bytes, as: UTF8.self).replacing(dead.nonce, with: claimant.nonce)
        try folder.write("\(name).claim-\(dead.nonce).tmp", text)
        let lease = try acquire()
        #expect(try lease.checkStillOurs())
        #expect(folder.files() == [name])
    }

    @Test func theClaimOfALivingProcessIsRespected() async throws {
        let pid = try await deadPID()
        let dead = other { $0.pid = pid }
        let name = try leave(dead)
        let living = other { $0.run = "living" }
        let text = String(decoding: try #require(folder.read(name)), as: UTF8.self)
            .replacing(dead.nonce, with: living.nonce).replacing("\"pid\":\(pid)", with: "\"pid\":\(living.pid)")
        try folder.write("\(name).claim-\(dead.nonce).tmp", text)
        let error = #expect(throws: LeaseError.self) { try acquire() }
        guard case .held(let holder)? = error else { return }
        #expect(holder.nonce == living.nonce)
    }

    @Test func aFolderThatCannotBeWrittenIsTold() throws {
        try folder.write("state", "a file")
        let error = #expect(throws: LeaseError.self) { try acquire() }
        guard case .storage(.failed(_, _, let code))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(code == ENOTDIR || code == EEXIST)
    }

    @Test(arguments: [false, true])
    func ofTwoHundredThatStartAtOnceOneWins(_ isDeadOneThere: Bool) async throws {
        let pid = try await deadPID()
        if isDeadOneThere { _ = try leave(other { $0.pid = pid }) }
        let start = Mutex(0)
        let results = Mutex<[Result<Lease, LeaseError>]>([])
        let state = state
        let threads = try (0..<200).map { _ in
            try NativeThread {
                start.withLock { $0 += 1 }
                // All wait for the last one, so that they meet.
                while start.withLock({ $0 }) < 200 { sched_yield() }
                let result: Result<Lease, LeaseError>
                do throws(LeaseError) {
                    result = .success(try Lease.acquire(in: state, job: "job", run: "run", now: 1))
                } catch {
                    result = .failure(error)
                }
                results.withLock { $0.append(result) }
            }
        }
        for thread in threads { thread.join() }
        let leases = results.withLock { $0.compactMap { try? $0.get() } }
        #expect(leases.count == 1)
        #expect(results.withLock { $0.count } == 200)
        #expect(try leases.first?.checkStillOurs() == true)
        for case .failure(let error) in results.withLock({ $0 }) {
            guard case .held = error else {
                Issue.record("\(error)")
                continue
            }
        }
    }
}

@Suite("Processes, as leases see them")
struct ProcessTableTests {
    @Test func thisProcessIsThere() {
        guard case .started(let start) = ProcessTable.look(getpid()) else {
            Issue.record("not seen")
            return
        }
        #expect(start > 0)
        #expect(ProcessTable.look(getpid()) == .started(start))
    }

    @Test(arguments: [0, -1, .max] as [Int32])
    func impossibleNumbersAreNobody(_ pid: Int32) {
        #expect(ProcessTable.look(pid) == .gone)
    }

    @Test(arguments: [
        (ProcessTable.Sight.gone, LeaseHolder.Life.dead), (.started(7), .alive), (.started(8), .dead),
        (.hidden, .alive),
    ])
    func whatIsSeenDecides(_ sight: ProcessTable.Sight, _ life: LeaseHolder.Life) {
        var holder = LeaseHolder.current(run: "a", since: 0)
        holder.processStart = 7
        #expect(holder.life(seenBy: .current(run: "b", since: 0), look: { _ in sight }) == life)
    }

    @Test func withoutBootIdentityOnlyTheHeartbeatTells() {
        var holder = LeaseHolder.current(run: "a", since: 0)
        holder.boot = ""
        #expect(holder.life(seenBy: .current(run: "b", since: 0)) == .elsewhere)
    }
}
