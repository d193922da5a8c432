/**
 * What an import costs: a file of a hundred thousand contacts, each looked up among the others by e-mail and telephone number, from the
 * file that is sent to the last row; the trial of the same; the same file again, of which every row is a duplicate; its export; and what
 * takes it all back. With the memory of the server before, and the most it had meanwhile.
 */
import type { BenchContext, BenchReport } from './bench.ts'
import { formatCount, readMemory } from './measure.ts'
import { connectOwner, createApiKey, postgresVersion, request, startTandem, type Tandem } from './servers.ts'

const rows = 100_000
const wantedSeconds = 20

type Import = { id: string; state: string; created: number; skipped: number; refused: number; batch_id: string }

/** Half of the mobile numbers of a German network are room enough. */
function fileOf(count: number): string {
  const lines = ['Name,E-mail,Mobile,Job title,Birthday,Source']
  for (let n = 0; n < count; n++)
    lines.push(
      `Bench Person ${n},person${n}@bench.example,+49151${String(10_000_000 + n)},Buyer,1990-02-${String((n % 28) + 1).padStart(2, '0')},fair`,
    )
  return `${lines.join('\r\n')}\r\n`
}

async function send(tandem: Tandem, key: string, csv: string): Promise<Import> {
  const response = await fetch(`http://${tandem.host}:${tandem.port}/v1/api/imports?noun=contacts`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', authorization: `Bearer ${key}` },
    body: csv,
  })
  if (!response.ok) throw new Error(`the file was answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { import: Import }).import
}

/** Begins it and waits for its end; the seconds it took. */
async function carriedOut(
  tandem: Tandem,
  key: string,
  id: string,
  verb: string,
  until: string,
): Promise<{ seconds: number; ended: Import }> {
  const startedMs = performance.now()
  await request(tandem, 'POST', `/v1/api/imports/${id}/${verb}`, key)
  for (;;) {
    const { import: ended } = (await request(tandem, 'GET', `/v1/api/imports/${id}`, key)) as { import: Import }
    if (ended.state === until) return { seconds: (performance.now() - startedMs) / 1000, ended }
    if (ended.state === 'failed') throw new Error(`the import failed: ${JSON.stringify(ended)}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function exported(tandem: Tandem, key: string): Promise<{ seconds: number; lines: number }> {
  const startedMs = performance.now()
  const response = await fetch(`http://${tandem.host}:${tandem.port}/v1/api/contacts/export`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const lines = (await response.text()).split('\r\n').length - 2
  return { seconds: (performance.now() - startedMs) / 1000, lines }
}

/** Memory of the server process, looked at five times a second. */
function watchMemory({ groups }: Tandem) {
  const { root } = groups['server']!
  const now = () => Math.round((readMemory([root])?.pssBytes ?? 0) / 1024 / 1024)
  let most = now()
  const timer = setInterval(() => {
    most = Math.max(most, now())
  }, 200)
  return {
    now,
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

export async function importsBench({ settings, log }: BenchContext): Promise<BenchReport> {
  const tandem = await startTandem({ settings })
  try {
    const owner = await connectOwner(tandem)
    const postgres = await postgresVersion(owner)
    await owner.end()
    const key = await createApiKey(tandem, 'live')
    const csv = fileOf(rows)
    const memory = watchMemory(tandem)
    const first = await send(tandem, key, csv)
    const before = memory.now()
    const trial = await carriedOut(tandem, key, first.id, 'dry-run', 'checked')
    const run = await carriedOut(tandem, key, first.id, 'run', 'completed')
    const again = await carriedOut(tandem, key, (await send(tandem, key, csv)).id, 'run', 'completed')
    const out = await exported(tandem, key)
    const most = memory.stop()
    const expected = [run.ended.created, again.ended.skipped, out.lines]
    if (expected.some(count => count !== rows)) throw new Error(`not all rows are there: ${expected.join(', ')}`)
    const line = (name: string, seconds: number, wanted = '') =>
      `| ${name} | ${seconds.toFixed(1)} | ${formatCount(rows / seconds)} | ${wanted} |`
    const markdown = [
      `${formatCount(rows)} contacts, ${(csv.length / 1024 / 1024).toFixed(1)} MiB of CSV.`,
      '',
      '| | seconds | rows a second | wanted |',
      '| --- | ---: | ---: | --- |',
      line('trial', trial.seconds),
      line(
        'import, each row looked up by e-mail and number',
        run.seconds,
        `≤ ${wantedSeconds} s${run.seconds > wantedSeconds ? ', MISSED' : ''}`,
      ),
      line('the same file again: all are duplicates', again.seconds),
      line('export', out.seconds),
      '',
      `- memory of the server: ${before} MiB before, ${most} MiB at most meanwhile`,
    ].join('\n')
    log(markdown)
    return {
      markdown,
      postgres,
      figures: { trial: trial.seconds, run: run.seconds, again: again.seconds, export: out.seconds, before, most },
    }
  } finally {
    await tandem.stop()
  }
}
