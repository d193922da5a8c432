// Faults that keep the server from starting and that its operator can mend: a wrong setting, a folder in use, an
// unreachable database. Each is one clear line that says what is wrong and what to do; `main` prints the lines, without a
// stack, and leaves with exit code 1. Anything else that is thrown while starting is a programmer's error.

export type StartFault = Error & { readonly lines: readonly string[] }

/** Makes the error to throw for `lines`; `cause` is kept for the debug log and must hold no secret. */
export function startFault(lines: string | readonly string[], cause?: unknown): StartFault {
  const list = typeof lines === 'string' ? [lines] : lines
  const error = new Error(list.join('\n'), cause === undefined ? undefined : { cause })
  error.name = 'StartFault'
  return Object.assign(error, { lines: list })
}

/** Whether `error` is one to print as plain lines. */
export function isStartFault(error: unknown): error is StartFault {
  return error instanceof Error && error.name === 'StartFault' && Array.isArray((error as Partial<StartFault>).lines)
}
