// What is printed: lines for people, with colour on a terminal, or one JSON object a line. Faults go to standard error.

export type Forwarded = {
  at: string
  type: string
  eventId: string
  deliveryId: string
  attempt: number
  status: number | null
  error: string | null
  durationMs: number
}

export type Output = {
  /** Something worth saying once; `fields` for programs. */
  say(event: string, text: string, fields?: object): void
  forwarded(line: Forwarded): void
  fault(text: string): void
}

const typeWidth = 26

export function createOutput({ json }: { json: boolean }): Output {
  const hasColours = !json && process.stdout.isTTY === true && !process.env['NO_COLOR']
  const paint = (code: number, text: string) => (hasColours ? `\x1b[${code}m${text}\x1b[0m` : text)
  const write = (text: string) => void process.stdout.write(`${text}\n`)

  return {
    say(event, text, fields = {}) {
      write(json ? JSON.stringify({ event, ...fields }) : text)
    },
    forwarded(line) {
      if (json) return write(JSON.stringify({ event: 'forwarded', ...line }))
      const { at, type, eventId, attempt, status, error, durationMs } = line
      const outcome = status === null ? (error ?? 'failed').replaceAll('_', ' ') : String(status)
      const ok = status !== null && status >= 200 && status < 300
      const time = new Date(at).toTimeString().slice(0, 8)
      const again = attempt > 1 ? paint(2, ` (attempt ${attempt})`) : ''
      write(
        `${paint(2, time)}  ${type.padEnd(typeWidth)}  ${paint(2, eventId)}  ${paint(ok ? 32 : 31, outcome)}  ${durationMs} ms${again}`,
      )
    },
    fault(text) {
      if (json) write(JSON.stringify({ event: 'error', message: text }))
      else process.stderr.write(`${text}\n`)
    },
  }
}
