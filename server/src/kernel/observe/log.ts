// Structured logs. One line an event; secrets never leave, wherever in the record they stand.
import { pino } from 'pino'

export type Log = ReturnType<typeof createLog>

const secrets = ['password', 'secret', 'token', 'accessToken', 'refreshToken', 'authorization', 'apiKey', 'hash']

/** Anything that looks like one of our credentials, for texts we did not write (error messages, URLs). */
const credentialShapes =
  /tdm_(?:live|test)_[0-9A-Za-z]+|eyJ[\w-]+\.[\w-]+\.[\w-]+|tdm_rt_[\w.-]+|(?<=:\/\/[^:/@\s]*:)[^@\s]+(?=@)/g

/** Masks credentials inside a text. */
export function redact(text: string): string {
  return text.replace(credentialShapes, '[redacted]')
}

export type LogOptions = { level: string; format: 'json' | 'text'; stream?: NodeJS.WritableStream }

export function createLog({ level, format, stream = process.stdout }: LogOptions) {
  const destination = format === 'json' ? stream : textStream(stream)
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secrets.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      formatters: { level: label => ({ level: label }) },
      serializers: { err: error => redactError(pino.stdSerializers.err(error)) },
    },
    destination as NodeJS.WritableStream,
  )
}

function redactError<T extends { message?: string; stack?: string }>(error: T): T {
  return { ...error, message: redact(error.message ?? ''), stack: redact(error.stack ?? '') }
}

/** Lines for people: time, level, message, then the fields as key=value. */
function textStream(stream: NodeJS.WritableStream): { write(line: string): void } {
  return {
    write(line) {
      const { time, level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
      const fields = Object.entries(rest).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      const stack = (err as { stack?: string } | undefined)?.stack
      const head = `${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${String(msg ?? '')}`
      stream.write(`${[head, ...fields].join(' ')}${stack ? `\n${stack}` : ''}\n`)
    },
  }
}
