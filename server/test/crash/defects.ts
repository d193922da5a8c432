// Defects given to a copy of the sources on purpose, each with the faults that bring it to light. A harness that does not
// catch them proves nothing by finding nothing.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, runScenario } from './scenario.ts'

export type Edit = { file: string; find: string; replace: string }

/** One that a kind of crash run is given. */
export type DefectOf<Fault> = {
  name: string
  /** The promise it breaks, as the oracle says it: anything else may have another reason. */
  breaks: RegExp
  /** Text that is in the file exactly once, and what takes its place. */
  edits?: readonly Edit[]
  /** SQL run when the schema is there. */
  damage?: string
  faults: readonly Fault[]
}

type Defect = DefectOf<Fault>

const killsOfApi: Fault[] = [
  { kind: 'die_at', role: 'api', point: 'accept.taken', passes: 20 },
  { kind: 'kill', role: 'api' },
]
const deathAfterAccept: Fault[] = [{ kind: 'die_at', role: 'api', point: 'accept.committed', passes: 20 }]
/** Twice: the answers known at one death may all be refusals, which nobody submits again. */
const deathBeforeAnswers: Fault[] = [
  { kind: 'die_at', role: 'worker', point: 'answers.known', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'answers.known', passes: 2 },
]
const sms = 'server/src/modules/messaging/sms'
const claims = 'server/migrations/0059_claims_and_answers.sql'
const answers = 'server/migrations/0059_claims_and_answers.sql'
const inbound = 'server/migrations/0017_inbound_messages.sql'

export const defects: readonly Defect[] = [
  {
    name: 'the answer leaves before the commit',
    breaks: /and is lost/,
    edits: [
      {
        file: `${sms}/spending.ts`,
        find: 'if (limits === undefined) return insertMessage(db, message)',
        replace:
          'if (limits === undefined) {\n    setTimeout(() => void insertMessage(db, message).catch(() => {}), 20)\n    return undefined\n  }',
      },
    ],
    faults: killsOfApi,
  },
  {
    name: 'Idempotency-Keys are not unique',
    breaks: /is there 2 times/,
    edits: [
      {
        file: `${sms}/endpoints.ts`,
        find: 'if (idempotency !== undefined) message.idempotency',
        replace: 'if (false as boolean) message.idempotency',
      },
    ],
    faults: deathAfterAccept,
  },
  {
    name: 'what may have been written is handed over again',
    breaks: /was submitted [2-9] times/,
    edits: [
      {
        file: claims,
        find: "case when k.resend then 'asked_again' else 'answer_lost' end",
        replace: "'asked_again'",
      },
    ],
    faults: deathBeforeAnswers,
  },
  {
    name: 'no lease keeps others away from what is being submitted',
    breaks: /was submitted [2-9] times/,
    edits: [
      {
        file: `${sms}/rules.ts`,
        find: "claimed: { from: ['queued'], to: 'sending' }",
        replace: "claimed: { from: ['queued', 'sending'], to: 'sending' }",
      },
      {
        file: claims,
        find: "when k.lost and k.status = 'sending' then case when k.resend then 'asked_again' else 'answer_lost' end",
        replace: "when false then ''",
      },
      {
        file: `${sms}/jobs.ts`,
        find: 'token, limit, leaseMs, moves: claimMoves',
        replace: 'token, limit, leaseMs: 0, moves: claimMoves',
      },
    ],
    faults: [],
  },
  {
    name: 'receipts are acknowledged before they are stored',
    breaks: /it is sent|receipt was acknowledged/,
    edits: [
      {
        file: 'server/src/modules/messaging/carrier_context.ts',
        find: 'await receiveReceipts(db, carrier, batch, routes)',
        replace: 'setTimeout(() => void receiveReceipts(db, carrier, batch, routes).catch(() => {}), 200)',
      },
    ],
    faults: [
      { kind: 'kill', role: 'worker' },
      { kind: 'kill', role: 'worker' },
    ],
  },
  {
    name: 'who takes links over does not look what the process before held',
    breaks: /it is sent|receipt was acknowledged/,
    edits: [
      {
        file: `${sms}/route_memory.ts`,
        find: 'this.isMarked = await recoverRoutes(this.services.db, this.options)',
        replace: 'this.isMarked = false',
      },
    ],
    faults: [
      { kind: 'die_at', role: 'worker', point: 'answers.committed', passes: 5 },
      { kind: 'die_at', role: 'worker', point: 'answers.committed', passes: 2 },
    ],
  },
  {
    name: 'a receipt that comes before the answer is dropped',
    breaks: /it is sent|receipt was acknowledged/,
    edits: [
      {
        file: answers,
        find: '    on conflict on constraint message_routes_pkey do nothing;\n  end loop;',
        replace:
          '    on conflict on constraint message_routes_pkey do nothing;\n    delete from message_routes where message_id is null;\n  end loop;',
      },
    ],
    faults: [],
  },
  {
    name: 'a text that is repeated is taken for another one',
    breaks: /the text .* is there 2 times/,
    damage: 'drop index messages_inbound_reference',
    edits: [
      {
        file: inbound,
        find: "    on conflict (tenant_id, carrier, carrier_reference) where direction = 'inbound' do nothing\n",
        replace: '',
      },
    ],
    faults: [
      { kind: 'die_at', role: 'worker', point: 'inbound.committed', passes: 3 },
      { kind: 'die_at', role: 'worker', point: 'inbound.committed', passes: 3 },
    ],
  },
  {
    name: 'who takes links over counts texts from the start',
    breaks: /the text .* is there 2 times/,
    edits: [
      {
        file: 'server/src/modules/messaging/carriers/jobs.ts',
        find: 'if (crashedAtMs !== null) {',
        replace: 'if (crashedAtMs === 0) {',
      },
    ],
    faults: [
      { kind: 'die_at', role: 'worker', point: 'inbound.committed', passes: 3 },
      { kind: 'die_at', role: 'worker', point: 'inbound.committed', passes: 3 },
    ],
  },
  {
    name: 'a text counts as delivered as soon as the carrier has taken it',
    breaks: /is delivered by .*, but the carrier (said undelivered|never said so)/,
    edits: [
      {
        file: `${sms}/rules.ts`,
        find: "accepted: { from: ['sending', 'unconfirmed'], to: 'sent' }",
        replace: "accepted: { from: ['sending', 'unconfirmed'], to: 'delivered' }",
      },
    ],
    faults: [],
  },
  {
    name: 'the virtual handset takes what no carrier does',
    breaks: /but (the carrier never had it|there was no carrier)/,
    edits: [
      {
        file: 'server/src/modules/messaging/routing.ts',
        find: "isSimulatorNumber(recipient) ? 'handset' : noCarrier",
        replace: "isSimulatorNumber(recipient) || noCarrier !== '' ? 'handset' : noCarrier",
      },
      {
        file: 'server/src/carriers/simulator/script.ts',
        find: "isSimulatorNumber(recipient) ? switchedOn : { answer: 'refused', code: 'no_route' }",
        replace: 'switchedOn',
      },
    ],
    faults: [],
  },
  {
    name: 'a webhook is marked as delivered before it is sent',
    breaks: /was never delivered/,
    edits: [
      {
        file: 'server/src/modules/webhooks/sender.ts',
        find: '        : await traced(tracer, lane, item, () => outbound.send({ ...request, signal: ending.signal }))',
        replace:
          '        : { ok: true, status: 200, headers: {}, body: Buffer.alloc(0), cut: undefined }; setTimeout(() => request && void outbound.send(request), 300)',
      },
    ],
    faults: [
      { kind: 'kill', role: 'worker' },
      { kind: 'kill', role: 'worker' },
    ],
  },
]

const messageRun = ({ tree, seed, faults, damage }: DefectRun<Fault>) =>
  runScenario({ tree, seed, faults, damage, calmMs: 1_500 })

/** Runs the defects of messages; the names of those that were not caught. */
export const catchMessageDefects = (options: Omit<CatchOptions<Fault>, 'defects' | 'run'>) =>
  catchDefects({ ...options, defects, run: messageRun })

export type DefectRun<Fault> = { tree: string; seed: number; faults: readonly Fault[]; damage: string | undefined }

export type CatchOptions<Fault> = {
  root: string
  log(line: string): void
  defects: readonly DefectOf<Fault>[]
  /** Only those that have these names. */
  only?: readonly string[]
  /** Changes that every tree gets, defect or not. */
  always?: readonly Edit[]
  run(run: DefectRun<Fault>): Promise<{ violations: string[] }>
}

/** A death may find nothing under way that the defect is about: then others are tried. */
const maxRuns = 3

/** Runs each defect until it is caught, a few times at most; the names of those that were not. */
export async function catchDefects<Fault>(options: CatchOptions<Fault>): Promise<string[]> {
  const { root, log, defects, only, always = [], run } = options
  const wanted = only === undefined ? defects : defects.filter(({ name }) => only.includes(name))
  if (only !== undefined && wanted.length !== only.length) throw new Error(`no such defects: ${only.join(', ')}`)
  const missed: string[] = []
  for (const defect of wanted) {
    const tree = copyTree(root, defect.name, [...always, ...(defect.edits ?? [])])
    try {
      let proof: string | undefined
      for (let seed = 1; proof === undefined && seed <= maxRuns; seed++) {
        const { violations } = await run({ tree, seed, faults: defect.faults, damage: defect.damage })
        proof = violations.find(violation => defect.breaks.test(violation))
        const found = proof ?? violations[0] ?? 'no promise broken'
        log(`${proof === undefined ? 'MISSED' : 'caught'}: ${defect.name}, run ${seed} (${found})`)
      }
      if (proof === undefined) missed.push(defect.name)
    } finally {
      rmSync(tree, { recursive: true, force: true })
    }
  }
  log(`${wanted.length - missed.length} of ${wanted.length} defects caught`)
  return missed
}

/** A copy of the sources with changes in it. */
export function copyTree(root: string, name: string, edits: readonly Edit[]): string {
  const tree = mkdtempSync(join(tmpdir(), 'tandem-defect-'))
  const copied = (path: string) => !/[/\\](node_modules|\.git|dist)$/.test(path)
  for (const entry of ['package.json', 'server', 'packages'])
    cpSync(join(root, entry), join(tree, entry), { recursive: true, filter: copied })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  for (const [file, text] of editedFiles(root, name, edits)) writeFileSync(join(tree, file), text)
  return tree
}

/** The files that changes are made in, with them; each in its order. @throws when one cannot be made */
export function editedFiles(root: string, name: string, edits: readonly Edit[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const { file, find, replace } of edits) {
    const text = files.get(file) ?? readFileSync(join(root, file), 'utf8')
    if (text.split(find).length !== 2) throw new Error(`${name}: "${find}" does not stand once in ${file}`)
    files.set(
      file,
      text.replace(find, () => replace),
    )
  }
  return files
}
