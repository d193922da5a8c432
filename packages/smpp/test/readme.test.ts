// The examples of the README run as they stand, but for the address: the client against the server, over TCP.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from './support.ts'

const folder = join(import.meta.dirname, '..')

function startExample(context: TestContext, code: string): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module-typescript', '-e', code], {
    cwd: folder,
  })
  context.after(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  return { child, output: () => output }
}

test('the examples of the README speak with each other', async context => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const [client = '', server = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(match => match[1])
  const centre = startExample(context, server.replace('2775', '0'))
  await until(() => /port: \d+/.test(centre.output()), 'the port of the server')
  const port = /port: (\d+)/.exec(centre.output())![1]!
  const adapted = client
    .replace('smsc.example.net', '127.0.0.1')
    .replace('3550', port)
    .replace('tls: true', 'tls: false')
  // The receipt comes a second after the answer; without waiting for it the client would be gone.
  const waiting = adapted.replace('await esme.close()', 'setTimeout(() => esme.close(), 1500)')
  const esme = startExample(context, waiting)
  await until(() => esme.child.exitCode !== null, 'the end of the client')
  assert.equal(esme.child.exitCode, 0, esme.output())
  assert.match(
    esme.output(),
    /bound bound as transceiver[\s\S]*ESME_ROK [0-9a-f-]{36}\nreceipt [0-9a-f-]{36} delivered/,
  )
  assert.match(esme.output(), /closed closed by us\n$/)
})
