// Commands about the server itself: start it, bring its database up to date, say what it is.
import { loadConfig, unknownSettings } from '../config/config.ts'
import { createLog } from '../kernel/observe/log.ts'
import { type Call, type Command, onlyJson, takesNothing } from './command.ts'

async function serveWith(env: NodeJS.ProcessEnv, { complain, isTerminal }: Call): Promise<undefined> {
  for (const line of unknownSettings(env)) complain(`tandem: ${line}`)
  const { serve } = await import('../serve.ts')
  await serve(loadConfig(env, { terminal: isTerminal }), env)
}

export const start: Command = {
  name: 'start',
  aliases: ['serve'],
  summary: 'start the server (the default)',
  help: () =>
    `Starts database, API, portal and workers, and runs until Ctrl-C or SIGTERM; then it finishes what is under way
and stops the database last. The first start makes the database and an Admin, and says once how to log in.

Exit codes: 0 stopped by a signal, 1 could not start, or its database ended for good.`,
  run(call) {
    takesNothing('start', call.args)
    return serveWith(call.env, call)
  },
}

export const demo: Command = {
  name: 'demo',
  summary: 'the same, with a believable data set in the first organization',
  help: () =>
    'Starts the server as "tandem start" does, and fills the first organization with people, leads, invoices,\nmessages and calls, once. It prints who can log in and with what.',
  run(call) {
    takesNothing('demo', call.args)
    return serveWith({ ...call.env, TANDEM_DEMO: '1' }, call)
  },
}

export const migrate: Command = {
  name: 'migrate',
  parameters: '[--json]',
  summary: 'bring the database up to date and stop',
  help: () =>
    `Runs the migrations that the database lacks, and stops. "tandem start" does the same by itself. The embedded
database is started for it: no server may run on the data folder then.

  --json  print {"applied": […]}, the names of the migrations that were run, and no log`,
  async run({ args, env, print }) {
    const isJson = onlyJson('migrate', args)
    const config = loadConfig(env)
    const { migrateOnly } = await import('../serve.ts')
    const applied = await migrateOnly(config, createLog({ level: isJson ? 'silent' : config.logLevel, format: 'text' }))
    if (isJson) print(JSON.stringify({ applied }))
    return 0
  },
}

export const openapi: Command = {
  name: 'openapi',
  summary: 'print the OpenAPI document of both versions',
  help: () => 'Prints the OpenAPI 3.1 document of /v1 and /v2 as JSON. Needs neither server nor database.',
  async run({ args, print }) {
    takesNothing('openapi', args)
    const { openApiDocument } = await import('../kernel/documents/openapi.ts')
    const { catalog, sentRequests, withProtocol } = await import('../catalog.ts')
    print(JSON.stringify(openApiDocument(withProtocol(catalog), sentRequests), null, 2))
    return 0
  },
}

export const version: Command = {
  name: 'version',
  parameters: '[--json]',
  summary: 'print the versions of Tandem, Node and PostgreSQL',
  help: () =>
    'Prints the versions of Tandem, of the Node that runs it and of the PostgreSQL that it brings. So does --version.',
  async run({ args, print }) {
    const isJson = onlyJson('version', args)
    const { readVersions } = await import('../versions.ts')
    const { tandem, node, postgres } = readVersions()
    if (isJson) print(JSON.stringify({ tandem, node, postgres }))
    else print(`tandem ${tandem} (Node ${node}, PostgreSQL ${postgres ?? 'not installed'})`)
    return 0
  },
}

/** Started by `start` for itself: the process in which calls live. */
export const calls: Command = {
  name: 'calls',
  help: () => 'Started by the server for itself.',
  async run() {
    const { runVoiceProcess } = await import('../voice_process.ts')
    await runVoiceProcess()
    return undefined
  },
}
