// The parent's side of a process that runs test files (`worker.ts`): one file at a time, each with an outcome of its own,
// whatever the file does to the process. A file that ends it or does not end itself has failed, and the process is gone.
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addFault, emptyOutcome, type Outcome } from './outcome.ts'
import { describable, describeStuck } from './stuck.ts'
import type { News, Order } from './worker.ts'

export type FileResult = { text: string; outcome: Outcome }

export type WorkerOptions = {
  root: string
  /** A file that takes longer has failed. */
  fileTimeoutMs: number
  /** Whether it runs many files, or one. */
  life: 'many files' | 'one file'
}

const program = join(import.meta.dirname, 'worker.ts')
/** So long a process may take to end once there is nothing more to do, and once it was asked to. */
const exitLimitMs = 15_000
const killAfterMs = 3_000

type Running = {
  file: string
  result: FileResult
  /** Tests that have begun, the newest last: where a process broke off. */
  begun: string[]
  /** All its tests are reported. */
  isOver: boolean
  finish(): void
}

export class TestWorker {
  #child: ChildProcess
  #exited: Promise<string>
  #running: Running | undefined
  #options: WorkerOptions
  /** Resident memory after its last file. */
  memoryMb = 0
  /** Not fit for another file. */
  isSpent = false
  isGone = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#child = fork(program, {
      cwd: options.root,
      execArgv: [
        '--conditions=source',
        `--test-reporter=${program}`,
        '--test-reporter-destination=stdout',
        ...describable,
      ],
      env: { ...process.env, TANDEM_TEST_WORKER: options.life },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', text => this.#print(String(text)))
    this.#child.on('message', news => this.#hear(news as News))
    this.#exited = new Promise(resolve => {
      this.#child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
    void this.#exited.then(how => this.#gone(how))
  }

  /** Runs one file; `signal` stops it. */
  async run(file: string, signal: AbortSignal): Promise<FileResult> {
    const startMs = performance.now()
    const finished = Promise.withResolvers<void>()
    const result: FileResult = { text: '', outcome: emptyOutcome() }
    const running: Running = { file, result, begun: [], isOver: false, finish: finished.resolve }
    this.#running = running
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#options.fileTimeoutMs)])
    const stop = async () => {
      const when = signal.aborted
        ? 'It was running when the run was interrupted'
        : `It did not end within ${this.#options.fileTimeoutMs / 1_000} s`
      const where = this.#whereabouts()
      const doing = signal.aborted ? '' : `\n${await describeStuck(this.#child)}`
      // It ended while it was looked at.
      if (running.isOver) return
      this.#fail('the file', `${when}${where}. Its process was killed.${doing}`)
      await this.kill()
    }
    if (limit.aborted) void stop()
    else limit.addEventListener('abort', stop, { once: true })
    this.#order({ kind: 'run', file })
    await finished.promise
    limit.removeEventListener('abort', stop)
    // Where something stayed open the process would not end; and it would not be as the next file expects it.
    if (result.outcome.faults.some(fault => fault.includes('stayed open'))) await this.kill()
    else if (this.#options.life === 'one file') await this.end()
    this.#running = undefined
    result.outcome.seconds = (performance.now() - startMs) / 1_000
    return result
  }

  /** Lets the process end; one that does not is killed, and the file under way has failed. Resolves with what was wrong. */
  async end(): Promise<string | undefined> {
    if (this.isGone) return undefined
    this.#order({ kind: 'end' })
    const timer = new AbortController()
    const late = sleep(exitLimitMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const)
    const how = await Promise.race([this.#exited, late])
    timer.abort()
    if (how !== 'late') return undefined
    const text = 'Its process did not end by itself: a handle is open that nobody closed.'
    this.#fail('the file', text)
    await this.kill()
    return text
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), killAfterMs)
    await this.#exited
    clearTimeout(timer)
  }

  #order(order: Order): void {
    this.#child.send(order, error => error !== null && this.#child.kill('SIGKILL'))
  }

  #print(text: string): void {
    if (this.#running !== undefined) this.#running.result.text += text
    else process.stdout.write(text)
  }

  #fail(name: string, text: string): void {
    if (this.#running === undefined) return
    const { file, result } = this.#running
    addFault(result.outcome, `${file}: ${name}`, text)
    result.text += `✖ ${name}: ${text}\n`
  }

  #hear(news: News): void {
    const running = this.#running
    if (running === undefined) return
    const { file, result, begun } = running
    const { outcome } = result
    switch (news.kind) {
      case 'text':
        result.text += news.text
        break
      case 'started':
        begun.push(news.name)
        break
      case 'passed':
        outcome.passed += 1
        break
      case 'skipped':
        outcome.skipped.push(`${file}: ${news.name}${news.why === '' ? '' : ` (${news.why})`}`)
        break
      case 'failed':
        addFault(outcome, `${file}: ${news.name}`, news.text)
        break
      case 'ended':
        this.memoryMb = news.memoryMb
        this.isSpent = news.isSpent
        outcome.processorSeconds = news.processorSeconds
        running.isOver = true
        running.finish()
    }
  }

  #gone(how: string): void {
    this.isGone = true
    if (this.#running === undefined || this.#running.isOver) return
    const { outcome } = this.#running.result
    if (outcome.faults.length === 0) this.#fail('the file', `It ended its process (${how})${this.#whereabouts()}.`)
    this.#running.finish()
  }

  #whereabouts(): string {
    const last = this.#running?.begun.at(-1)
    return last === undefined ? ', before its first test' : `, the last test that began was "${last}"`
  }
}
