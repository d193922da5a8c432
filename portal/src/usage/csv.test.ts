// The file a chart is taken away in: what a spreadsheet reads is what was shown, and nothing in it is run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('one line a bucket, one column a series, empty where there is no figure', () => {
  const series = [
    { label: 'Requests', values: [1, 2] },
    { label: 'p95', values: [null, 3.5] },
  ]
  assert.equal(
    csvOf(['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'], series),
    'from,Requests,p95\r\n2026-01-01T00:00:00Z,1,\r\n2026-01-01T01:00:00Z,2,3.5\r\n',
  )
})

test('labels with commas and quotes are quoted, and those that look like formulas are defused', () => {
  const label = (text: string) => csvOf([], [{ label: text, values: [] }]).trimEnd()
  assert.equal(label('a,b'), 'from,"a,b"')
  assert.equal(label('say "x"'), 'from,"say ""x"""')
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)']) assert.equal(label(text), `from,'${text}`)
})
