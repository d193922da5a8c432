// One command of the command line: what the table of commands (table.ts) lists, and what running one gets and answers.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** 0 done, 1 failed or refused, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

export type Output = {
  /** A line for standard output: what was asked for. */
  print(text: string): void
  /** A line for standard error: what is wrong. */
  complain(text: string): void
}

export type Call = Output & {
  /** What stood behind the command. `--help` never arrives here. */
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Whether standard output is a terminal. */
  isTerminal: boolean
}

export type Command = {
  name: string
  /** Other spellings that do the same. */
  aliases?: readonly string[]
  /** What follows the name, as the list shows it. */
  parameters?: string
  /** One line for the list. Without one, the list does not show the command. */
  summary?: string
  /** What `--help` prints below the line of usage; where it begins with "Usage:", it is all that is printed. */
  help(): string | Promise<string>
  /** @throws StartFault for what an operator can mend, UsageFault for words that mean nothing */
  run(call: Call): Promise<ExitCode | undefined>
}

export type UsageFault = Error & { readonly usageFault: true }

/** The words behind a command, read by its options. @throws UsageFault for an option that it does not have, or that lacks its value */
export function readWords<Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    throw usageFault((error as Error).message)
  }
}

/** For words behind a command that mean nothing: one line that says which, and what to write instead. */
export function usageFault(message: string): UsageFault {
  return Object.assign(new Error(message), { usageFault: true as const })
}

export function isUsageFault(error: unknown): error is UsageFault {
  return error instanceof Error && (error as Partial<UsageFault>).usageFault === true
}

/** @throws UsageFault for anything behind a command that takes nothing */
export function takesNothing(name: string, args: readonly string[]): void {
  if (args.length === 0) return
  throw usageFault(
    `tandem ${name} takes nothing behind it, and got "${args.join(' ')}". Settings come from the environment.`,
  )
}

/** Whether the only word behind a command is `--json`. @throws UsageFault for any other word */
export function onlyJson(name: string, args: readonly string[]): boolean {
  const [other] = args.filter(arg => arg !== '--json')
  if (other !== undefined) throw usageFault(`tandem ${name} takes --json and nothing else, and got "${other}".`)
  return args.length > 0
}

/**
 * Runs `work`; with `--json` among the words, what it says is one JSON object: whether it went well, and its lines.
 * @returns its exit code
 */
export async function orAsJson(call: Call, work: (call: Call) => Promise<ExitCode>): Promise<ExitCode> {
  if (!call.args.includes('--json')) return work(call)
  const lines: string[] = []
  const keep = (text: string) => void lines.push(...text.split('\n'))
  const args = call.args.filter(arg => arg !== '--json')
  const code = await work({ ...call, args, print: keep, complain: keep })
  call.print(JSON.stringify({ ok: code === 0, lines }, null, 2))
  return code
}
