// The command line. `serve` starts everything: database, migrations, API, workers; the other commands are its parts.
import { loadConfig, unknownSettings } from './config/config.ts'
import { createLog, redact } from './kernel/observe/log.ts'
import { isStartFault } from './kernel/values/start_fault.ts'
import { migrateOnly, serve } from './serve.ts'

const usage = `Usage: tandem <command>

  serve     start the server (the default)
  demo      the same, with a believable data set in the first organization
  migrate   bring the database up to date and stop
  assign-number <number> <organization>
            say to which organization (by its id) a telephone number belongs
  audit verify <file> [--keys <jwks.json>]
            verify an export of the audit log: that nothing in it was changed
  organizations list|create|suspend|resume|close|reopen
  accounts list|reset-password|reset-factors|make-operator
            run the installation; each prints more with --help
  backup    make a backup of everything, while the server runs or not
  restore <file>
            put a backup into an empty installation
  sending status|hold|release
            whether anything leaves the installation; after a restore nothing does
  passwords import <file> …|status|remove
            refuse the passwords of lists that guessers have
  openapi   print the OpenAPI document of both versions
  help      print this

Settings come from the environment; README.md lists them.`

async function run(command: string, args: readonly string[]): Promise<void> {
  switch (command) {
    case 'serve':
    case 'demo': {
      const env = command === 'demo' ? { ...process.env, TANDEM_DEMO: '1' } : process.env
      for (const line of unknownSettings(env)) process.stderr.write(`tandem: ${line}\n`)
      return serve(loadConfig(env, { terminal: process.stdout.isTTY === true }), env)
    }
    // Started by `serve` for itself.
    case 'calls': {
      const { runVoiceProcess } = await import('./voice_process.ts')
      return runVoiceProcess()
    }
    case 'migrate': {
      const config = loadConfig(process.env)
      return migrateOnly(config, createLog({ level: config.logLevel, format: 'text' }))
    }
    case 'assign-number': {
      const { assignNumberCommand } = await import('./operator.ts')
      return assignNumberCommand(loadConfig(process.env), args)
    }
    case 'organizations':
    case 'accounts': {
      const { peopleCommand } = await import('./operator.ts')
      process.exitCode = await peopleCommand(loadConfig(process.env), command, args)
      return
    }
    case 'backup':
    case 'restore':
    case 'sending': {
      const [{ backupCommand }, { withOwner }] = await Promise.all([
        import('./backup_commands.ts'),
        import('./operator.ts'),
      ])
      const config = loadConfig(process.env)
      const output = { print: (text: string) => console.log(text), complain: (text: string) => console.error(text) }
      process.exitCode = await backupCommand(command, args, {
        config,
        output,
        withOwner: work => withOwner(config, work),
      })
      return
    }
    case 'passwords': {
      const { passwordsCommand } = await import('./modules/identity/login/passwords_command.ts')
      const output = { print: (text: string) => console.log(text), complain: (text: string) => console.error(text) }
      process.exitCode = await passwordsCommand(loadConfig(process.env).dataDir, args, output)
      return
    }
    case 'audit': {
      const { auditCommand } = await import('./modules/audit/verify_command.ts')
      process.exitCode = await auditCommand(args, line => console.log(line))
      return
    }
    case 'openapi': {
      const { openApiDocument } = await import('./kernel/documents/openapi.ts')
      const { catalog, sentRequests, withProtocol } = await import('./catalog.ts')
      process.stdout.write(`${JSON.stringify(openApiDocument(withProtocol(catalog), sentRequests), null, 2)}\n`)
      return
    }
    case 'help':
    case '--help':
    case '-h':
      console.log(usage)
      return
    default:
      console.error(`Unknown command "${command}".\n\n${usage}`)
      process.exitCode = 1
  }
}

/** What to print of an error that kept the server from starting: lines for its operator, or the stack of a mistake. */
function explain(error: unknown): string[] {
  if (isStartFault(error)) return [...error.lines]
  const { syscall, message, stack } = error as NodeJS.ErrnoException
  // The system refused something: a full disk, too many open files.
  if (syscall !== undefined) return [`could not start (${message}). Mend that, then start again.`]
  return [`could not start, by a mistake of its own: ${stack ?? String(error)}`]
}

try {
  await run(process.argv[2] ?? 'serve', process.argv.slice(3))
} catch (error) {
  for (const line of explain(error)) console.error(redact(`tandem: ${line}`))
  process.exit(1)
}
