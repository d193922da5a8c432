// Finds the command that was asked for in the table and runs it; prints help, and what may have been meant by a mistyped name.
import { redact } from '../kernel/observe/log.ts'
import { closest } from '../kernel/values/closest.ts'
import { isStartFault } from '../kernel/values/start_fault.ts'
import { type Call, type Command, type ExitCode, isUsageFault } from './command.ts'

const heads = new Set(['--help', '-h', 'help'])

/**
 * Runs what `words` ask for: a command and what stands behind it; without any, `start`.
 * @returns the exit code, or undefined when the command sets its own by ending the process
 */
export async function runWords(
  commands: readonly Command[],
  words: readonly string[],
  call: Omit<Call, 'args'>,
): Promise<ExitCode | undefined> {
  const [name = 'start', ...args] = words
  if (heads.has(name)) return help(commands, args, call)
  const command = find(commands, name === '--version' || name === '-v' ? 'version' : name)
  if (command === undefined) return unknown(commands, name, call)
  if (args.some(arg => arg === '--help' || arg === '-h')) {
    call.print(await helpOf(command))
    return 0
  }
  try {
    return await command.run({ ...call, args })
  } catch (error) {
    if (isUsageFault(error)) {
      call.complain(`tandem: ${error.message}\n\n${await helpOf(command)}`)
      return 2
    }
    for (const line of explain(error)) call.complain(redact(`tandem: ${line}`))
    return 1
  }
}

function find(commands: readonly Command[], name: string): Command | undefined {
  return commands.find(command => command.name === name || command.aliases?.includes(name))
}

/** `help` lists the commands; `help <command>` is as `<command> --help`. */
async function help(
  commands: readonly Command[],
  [name]: readonly string[],
  call: Omit<Call, 'args'>,
): Promise<ExitCode> {
  if (name === undefined || name.startsWith('-')) {
    call.print(listOf(commands))
    return 0
  }
  const command = find(commands, name)
  if (command === undefined) return unknown(commands, name, call)
  call.print(await helpOf(command))
  return 0
}

function unknown(commands: readonly Command[], name: string, { complain }: Omit<Call, 'args'>): ExitCode {
  const names = commands
    .filter(({ summary }) => summary !== undefined)
    .flatMap(one => [one.name, ...(one.aliases ?? [])])
  const meant = closest(name, [...names, 'help'])
  const hint = meant === undefined ? 'tandem help lists the commands.' : `Did you mean "${meant}"?`
  complain(`tandem: there is no command "${name}". ${hint}`)
  return 2
}

/** The list of all commands. */
function listOf(commands: readonly Command[]): string {
  const shown = commands.filter(({ summary }) => summary !== undefined)
  const lines = shown.map(({ name, parameters, summary }) => {
    const head = `  ${[name, parameters].filter(Boolean).join(' ')}`
    return head.length < 18 ? `${head.padEnd(18)}${summary}` : `${head}\n${' '.repeat(18)}${summary}`
  })
  return `Usage: tandem <command>

${lines.join('\n')}
  help [<command>]
                  print this, or what a command does; so does <command> --help

Settings come from the environment; README.md lists them.
Exit codes: 0 done, 1 failed or refused, 2 wrong usage.`
}

async function helpOf({ name, parameters, aliases, help: text }: Command): Promise<string> {
  const words = await text()
  if (words.startsWith('Usage:')) return words
  const other = aliases === undefined ? '' : `\n\nThe same: ${aliases.map(alias => `tandem ${alias}`).join(', ')}`
  return `Usage: ${['tandem', name, parameters].filter(Boolean).join(' ')}\n\n${words}${other}`
}

/** What to print of an error that kept a command from its work: lines for its operator, or the stack of a mistake. */
function explain(error: unknown): string[] {
  if (isStartFault(error)) return [...error.lines]
  const { syscall, message, stack } = error as NodeJS.ErrnoException
  // The system refused something: a full disk, too many open files.
  if (syscall !== undefined) return [`could not start (${message}). Mend that, then start again.`]
  return [`could not start, by a mistake of its own: ${stack ?? String(error)}`]
}
