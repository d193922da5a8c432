// The command line. `serve` starts everything: database, migrations, API, workers; the other commands are its parts.
import { loadConfig } from './kernel/config.ts'
import { createLog, redact } from './kernel/log.ts'
import { isStartFault } from './kernel/start_fault.ts'
import { openDatabase, serve } from './serve.ts'

const usage = `Usage: tandem <command>

  serve     start the server (the default)
  demo      the same, with a believable data set in the first organization
  migrate   bring the database up to date and stop
  openapi   print the OpenAPI document of both versions
  help      print this

Settings come from the environment; README.md lists them.`

async function run(command: string): Promise<void> {
  switch (command) {
    case 'serve':
    case 'demo': {
      const env = command === 'demo' ? { ...process.env, TANDEM_DEMO: '1' } : process.env
      return serve(loadConfig(env, { terminal: process.stdout.isTTY === true }))
    }
    case 'migrate': {
      const config = loadConfig(process.env)
      const log = createLog({ level: config.logLevel, format: 'text' })
      const database = await openDatabase(config, log)
      await database.close()
      return
    }
    case 'openapi': {
      const { openApiDocument } = await import('./kernel/openapi.ts')
      const { catalog } = await import('./catalog.ts')
      process.stdout.write(`${JSON.stringify(openApiDocument(catalog), null, 2)}\n`)
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

try {
  await run(process.argv[2] ?? 'serve')
} catch (error) {
  if (isStartFault(error)) for (const line of error.lines) console.error(redact(`tandem: ${line}`))
  else
    console.error('tandem: could not start, by a mistake of its own:', redact(String((error as Error).stack ?? error)))
  process.exit(1)
}
