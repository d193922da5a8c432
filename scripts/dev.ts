// `npm run dev`: the server, started again whenever its code changes, and before it Vite, which serves the portal from its
// sources and puts every change into the open page. One address for both; one Ctrl-C ends both.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { freePort } from './testing/free_port.ts'

const root = join(import.meta.dirname, '..')
const host = process.env['HOST'] || '127.0.0.1'
const port = Number(process.env['PORT'] || 3000)

/** What the server answers although the portal stands before it; everything else is a page or one of its sources. */
const ofServer = [
  '^/(v1|v2|api|portal|\\.well-known|exports)(/|$)',
  '^/(healthz|readyz|metrics|openapi\\.json|llms\\.txt|llms-full\\.txt|robots\\.txt)(\\?|$)',
  '^/(explorer|errors)/[^?]*\\.md(\\?|$)',
]

async function startVite(serverPort: number): Promise<ViteDevServer> {
  const target = { target: `http://127.0.0.1:${serverPort}` }
  const vite = await createServer({
    configFile: join(root, 'portal/vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    server: { host, port, strictPort: true, proxy: Object.fromEntries(ofServer.map(path => [path, target])) },
  })
  return vite.listen()
}

/** The server in watch mode. It believes the address of Vite to be its own, so that what it prints can be opened. */
function startServer(serverPort: number, publicUrl: string): ChildProcess {
  const env = { ...process.env, HOST: '127.0.0.1', PORT: String(serverPort), TANDEM_PORTAL: '0' }
  return spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/src/main.ts', 'serve'], {
    cwd: root,
    env: { ...env, TANDEM_PUBLIC_URL: process.env['TANDEM_PUBLIC_URL'] || publicUrl },
    stdio: 'inherit',
  })
}

async function end(vite: ViteDevServer, server: ChildProcess): Promise<void> {
  const gone = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined
  // In a terminal the server has had its Ctrl-C already; it takes a repeat so soon for the same.
  server.kill('SIGINT')
  await Promise.all([gone, vite.close()])
}

const serverPort = await freePort()
const vite = await startVite(serverPort).catch((error: Error) => {
  console.error(`dev: ${error.message}. Set PORT to a free port.`)
  process.exit(1)
})
const { port: bound } = vite.httpServer!.address() as { port: number }
const address = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${bound}`
console.log(`Portal with live reload, and the API, on ${address}`)
const server = startServer(serverPort, address)

let ending: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    ending ??= end(vite, server).then(() => process.exit(0))
  })
}
// The watcher never ends by itself; when it does, there is nothing left to work with.
server.on('exit', code => {
  if (ending === undefined) void vite.close().then(() => process.exit(code ?? 1))
})
