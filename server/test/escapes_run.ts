// `npm run escapes`: every id of another organization in every place of every request, with every credential, and every table
// by SQL. Prints what was tried and what got through; the exit code says whether anything did.
import { startTestCluster } from './cluster.ts'
import { tryToEscape } from './escapes.ts'

const cluster = await startTestCluster()
process.env['TANDEM_TEST_CLUSTER'] = JSON.stringify(cluster.address)
const { startTestApp } = await import('./harness.ts')
const t = await startTestApp()
const started = performance.now()
const { http, statements, tables, endpoints, through } = await tryToEscape(t, { everything: true })
const seconds = Math.round((performance.now() - started) / 1_000)
for (const line of through) console.error(line)
console.log(
  `${http + statements} tries in ${seconds} s: ${http} requests to ${endpoints} endpoints, ${statements} statements on ${tables} tables; ${through.length} got through`,
)
await t.close()
await cluster.stop()
process.exitCode = through.length === 0 ? 0 : 1
