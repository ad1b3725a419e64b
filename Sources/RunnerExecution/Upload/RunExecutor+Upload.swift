import RunnerJob
import RunnerPlan
import RunnerStorage
import RunnerTransfer

extension RunExecutor {
    /// Bytes of a reply that are kept where the job does not save it.
    private static let keptReply = 4 << 10

    /// Starts an upload that has been given a slot: looks at its file first.
    func prepareUpload(_ index: Int, _ upload: Upload) {
        let planned = plan.tasks[index]
        let flag = CancelFlag()
        activities[index] = .preparing(flag)
        let preparation = UploadPreparation(
            task: planned.task, upload: upload, record: planned.product, contents: knownContents(for: planned),
            files: RequestFiles(
                upload.request, scheme: upload.target.origin.scheme, bodyFile: nil, environment: environment),
            directory: directory, words: words, isCancelled: flag)
        let deliver = deliver
        Lane(on: workers).submit { deliver?(WorkerNews(task: index, kind: .preparedUpload(preparation.run()))) }
    }

    /// The file was looked at.
    func take(_ outcome: UploadPreparation.Outcome, of index: Int) {
        guard case .preparing = activities[index] else { return }
        let task = plan.tasks[index].task
        guard case .upload(let upload) = task.action else { return }
        switch outcome {
        case .upToDate(let renewed):
            if let renewed { bookkeeper?.add(Product(key: task.productKey, record: renewed)) }
            var finished = TaskFinished(task, .upToDate)
            finished.timing.total = began[index].map { SteadyClock.now - $0 }
            end(index, finished, .succeeded)
        case .send(let source): send(index, upload, source)
        case .failed(let failure): fail(index, failure)
        case .cancelled:
            end(index, TaskFinished(task, cancelledOutcome), cancelledResult)
        }
    }

    private func send(_ index: Int, _ upload: Upload, _ source: UploadPreparation.Source) {
        let task = plan.tasks[index].task
        // A part of a reply is no success of the whole.
        let statuses = upload.statuses.isEmpty ? Set(200...299).subtracting([206]) : upload.statuses
        var machine = TransferMachine.Configuration(
            sources: [upload.target], policy: RetryPolicy(task.retry), segments: .single,
            resolve: URLResolution.resolve, statuses: statuses)
        machine.total = task.timeout.total
        machine.isRepeatable = upload.request.isRepeatable
        machine.isResumable = false
        machine.isUpload = true
        machine.redirects = RedirectRules(
            limit: upload.request.network.redirects.max, allowsDowngrade: upload.request.network.redirects.downgrade,
            routes: plan.job.hosts.routes)
        var setup = Transfer.Setup(
            machine: machine, request: upload.request, timeout: task.timeout,
            userAgent: "runner/\(options.version)", setsModificationTime: false)
        setup.layers = upload.layers
        setup.payload = payload(of: upload, source)
        var order = PartWriter.Order(
            path: upload.savedResponse ?? upload.path, identity: options.identity, verification: Verification(),
            mode: nil, directory: directory, states: states,
            partIdentity: PartIdentity(path: upload.path, digests: [], size: nil, sources: []))
        if upload.savedResponse == nil { order.memoryCeiling = Self.keptReply }
        sent[index] = source
        start(index, setup, nil, order)
    }

    private func payload(of upload: Upload, _ source: UploadPreparation.Source) -> UploadPayload {
        let path = upload.path.isAbsolute ? upload.path.text : plan.job.directory + "/" + upload.path.text
        let form = upload.form.map { form in
            FormBody(
                fields: form.fields.map { FormBody.Field(name: $0.name, content: .text($0.value)) } + [
                    FormBody.Field(
                        name: form.field, content: .file(path: path), fileName: form.fileName ?? upload.path.name,
                        contentType: form.contentType ?? source.contentType, headers: form.headers)
                ])
        }
        let rates = [upload.rate, plan.job.hosts.policy(for: upload.target.origin).rate, plan.job.limits.rate]
        var payload = UploadPayload(
            method: upload.method, path: path, contentType: source.contentType, form: form,
            hasSecret: upload.form?.hasSecret ?? false, rate: rates.compactMap { $0 }.min())
        if form == nil { payload.digest = source.digest?.hex }
        if !upload.target.origin.isHTTP { payload.stagedName = stagedName(of: upload) }
        return payload
    }

    /// The name that a file has at the server until it is whole: the same in every run of the job on this machine, so
    /// that one which was killed leaves nothing that the next does not write over.
    private func stagedName(of upload: Upload) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add(options.identity)
        fingerprint.add(RunIdentity.hostName())
        fingerprint.add(upload.target.url.text)
        return ".runner-\(fingerprint.digits).part"
    }

    /// An upload's last request is over.
    func endUpload(_ index: Int, _ upload: Upload, _ result: TransferResult, _ finished: inout TaskFinished) {
        let source = sent.removeValue(forKey: index)
        finished.transferred = upload.savedResponse == nil ? 0 : result.transferred
        finished.sent = result.sent
        switch result.ending {
        case .succeeded, .notModified:
            finished.digest = source?.digest
            guard let source, directory.state(of: upload.path).map({ PathStamp($0) }) == source.stamp else {
                finished.outcome = .failed
                finished.failure = words.changedWhileSent(upload.path)
                end(index, finished, .failed)
                return
            }
            if let reply = result.published?.content, !reply.isEmpty {
                finished.reply = words.redactor.text(SafeText.of(reply))
            }
            bookkeeper?.add(product(of: upload, plan.tasks[index].task, source))
            end(index, finished, .succeeded)
        case .cancelled: endCancelled(index, &finished)
        case .failed(let fault): endFailed(index, fault, result, at: upload.savedResponse ?? upload.path, &finished)
        }
    }

    private func product(of upload: Upload, _ task: JobTask, _ source: UploadPreparation.Source) -> Product {
        Product(
            key: task.productKey,
            record: ProductRecord(
                fingerprint: upload.fingerprint ?? 0,
                inputs: [
                    ProductRecord.Path(
                        upload.path, source.stamp, digests: RecordedDigests(source.digest.map { [$0] } ?? []))
                ],
                outputs: upload.outputs.map { ProductRecord.Path($0.path, directory.treeStamp(of: $0.path)) },
                finished: WallClock.seconds))
    }
}
