// Guards: what several processes of a server say of themselves is one text that Prometheus takes, and none of them can spoil it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, joined } from './metrics.ts'

test('samples of a metric stand together below one description', () => {
  const one = '# HELP a Of a.\n# TYPE a gauge\na 1\n\n# HELP b Of b.\n# TYPE b counter\nb_total 2\n'
  const other =
    '# HELP b Of b.\n# TYPE b counter\nb_total{process="calls"} 3\n# HELP a Of a.\n# TYPE a gauge\na{process="calls"} 4\n'
  assert.equal(
    joined([one, other]),
    '# HELP a Of a.\n# TYPE a gauge\na 1\na{process="calls"} 4\n# HELP b Of b.\n# TYPE b counter\nb_total 2\nb_total{process="calls"} 3',
  )
})

test('another process is shown beside this one, and is left out where it does not answer', async () => {
  const [server, calls] = [createMetrics(), createMetrics()]
  server.besides(() => calls.ofProcess('calls'))
  server.besides(() => Promise.reject(new Error('it has ended')))
  server.besides(async () => undefined)
  const { text } = await server.render()
  assert.match(text, /^process_resident_memory_bytes \d+$/m)
  assert.match(text, /^process_resident_memory_bytes\{process="calls"\} \d+$/m)
  assert.equal(text.match(/^# TYPE process_resident_memory_bytes /gm)?.length, 1)
})
