// Defects of calls, given to a copy of the sources on purpose, each with the faults that bring it to light.
import { type CatchOptions, catchDefects, type DefectOf } from '../defects.ts'
import { type CallFault, runCallScenario } from './scenario.ts'
import { hastyEdits, hastyPatience } from './world.ts'

const voice = 'server/src/modules/voice'
const jobs = `${voice}/node/jobs.ts`
const store = `${voice}/call_records/store.ts`
const jobsStore = `${voice}/call_records/jobs_store.ts`
const killOfVoice: CallFault = { kind: 'kill', role: 'voice' }

export const callDefects: readonly DefectOf<CallFault>[] = [
  {
    name: 'the INVITE leaves before the call is marked as dialled',
    breaks: /was dialled [2-9] times/,
    edits: [
      {
        file: jobs,
        find: "  if (ids.length > 0) crashPoint('dial.marked')",
        replace: `  for (const { engine, calls } of (await marked)[0]) for (const call of calls) node.dial({ scope, mode, engine, call })
  if (ids.length > 0) await new Promise(resolve => setTimeout(resolve, 50))
  if (ids.length > 0) crashPoint('dial.marked')`,
      },
      {
        file: jobs,
        find: "  if (handed.some(({ calls }) => calls.length > 0)) crashPoint('dial.committed')\n  for (const { engine, calls } of handed)\n    for (const call of calls) attempt(call.id, () => node.dial({ scope, mode, engine, call }))\n",
        replace: '',
      },
    ],
    faults: [{ kind: 'die_at', role: 'voice', point: 'dial.marked', passes: 5 }],
  },
  {
    name: 'a call whose process died is dialled again',
    breaks: /was dialled [2-9] times/,
    edits: [
      {
        file: jobs,
        find: "      removeJobs(tx, scope, token, done, 'originate'),",
        replace:
          "      void setTimeout(() => tools.db.inTenant(scope, other => removeJobs(other, scope, token, done, 'originate')).catch(() => {}), 3_000),",
      },
      {
        file: store,
        find: "    .where('state', '=', 'initiated')\n    .where('dialed_at', 'is', null)\n",
        replace: "    .where('ended_at', 'is', null)\n",
      },
      {
        file: jobsStore,
        find: '::text[]) as c (id)`.execute(tx)\n}\n\n/** Leases of locked calls that ended',
        replace:
          '::text[]) as c (id)\n    on conflict do nothing`.execute(tx)\n}\n\n/** Leases of locked calls that ended',
      },
      {
        file: `${voice}/call_records/remote_parties_store.ts`,
        find: 'stored json)`.execute(tx)\n}\n\nexport async function updateRemoteParties',
        replace: 'stored json) on conflict do nothing`.execute(tx)\n}\n\nexport async function updateRemoteParties',
      },
    ],
    faults: [{ kind: 'die_at', role: 'voice', point: 'invite.sent', passes: 5 }],
  },
  {
    name: 'the job of a call is gone before the call is marked as dialled',
    breaks: /has not come to its end/,
    edits: [
      {
        file: jobs,
        find: '  const { mode } = group[0] as CallJob\n',
        replace: `  await tools.db.inTenant(scope, other => removeJobs(other, scope, token, idsOf(group), 'originate'))
  const { mode } = group[0] as CallJob\n`,
      },
    ],
    faults: [{ kind: 'die_at', role: 'voice', point: 'dial.marked', passes: 5 }],
  },
  {
    name: 'nobody says BYE for who is stranded',
    breaks: /was never ended/,
    edits: [
      {
        file: 'server/src/engines/trunks/forgotten.ts',
        find: 'for (const call of calls) {',
        replace: 'for (const call of calls.slice(0, 0)) {',
      },
      {
        file: jobs,
        find: 'if (over.length > 0) await insertHangupJobs',
        replace: 'if (over.length < 0) await insertHangupJobs',
      },
    ],
    faults: [killOfVoice],
  },
  {
    name: 'an answer is acknowledged before the dialog is stored',
    breaks: /was never ended/,
    edits: [
      {
        file: 'server/src/engines/sip/outgoing.ts',
        find: '      store: parts.store,\n',
        replace: '      store: async () => {},\n',
      },
    ],
    faults: [killOfVoice],
  },
  {
    name: 'a phone that rings counts as answered',
    breaks: /is \w+, but nobody has picked up/,
    edits: [
      {
        file: 'server/src/engines/sip/outgoing.ts',
        find: "leg.emit({ type: 'ringing', ...(early === undefined ? {} : { earlyMedia: true }) })",
        replace: "leg.emit({ type: 'answered' })",
      },
    ],
    faults: [],
  },
  {
    name: 'a call ends twice',
    breaks: /ended 2 times/,
    edits: [
      {
        file: `${voice}/call_records/rules.ts`,
        find: "completed: { from: ['answered'], to: 'completed' }",
        replace: "completed: { from: ['answered', 'completed'], to: 'completed' }",
      },
      {
        file: `${voice}/legs/held_leg.ts`,
        find: '      if (!isWritten) this.#write(event, atMs)\n',
        replace: '      if (!isWritten) this.#write(event, atMs)\n      if (!isWritten) this.#write(event, atMs)\n',
      },
    ],
    faults: [],
  },
  {
    name: 'a lost call is billed to when that was seen',
    breaks: /is lost, but nothing had died/,
    edits: [{ file: jobs, find: 'Date.parse(lease.heartbeat_at)', replace: 'Date.now()' }],
    faults: [killOfVoice],
  },
  {
    name: 'a report whose writing was in doubt is passed over',
    breaks: /has not come to its end|somebody has picked up|never ended|is lost, but nothing had died/,
    edits: [
      {
        file: `${voice}/node/reporter.ts`,
        find: '        if (isPoison(error) ||',
        replace: '        if (tries > 0) return\n        if (isPoison(error) ||',
      },
    ],
    // Whether a report is on its way in the moment of a death is chance.
    faults: [{ kind: 'kill_database' }, { kind: 'kill_database' }, { kind: 'kill_database' }],
  },
  {
    name: 'silence is not seen',
    breaks: /its remote party fell silent/,
    edits: [{ file: 'server/src/engines/trunks/sound.ts', find: '      onSilence: options.onSilence,\n', replace: '' }],
    faults: [],
  },
  {
    name: 'a call that gets no instructions is left in silence',
    breaks: /has not come to its end/,
    edits: [
      {
        file: `${voice}/control/asking.ts`,
        find: "  if (list === undefined) return { type: 'replace', list: standIn(run) }",
        replace:
          "  if (list === undefined) standIn(run)\n  if (list === undefined) return run.held.leg.sleep(3_600_000, run.signal).then(() => ({ type: 'end' as const }))",
      },
    ],
    faults: [{ kind: 'callbacks', main: 'wrong', fallback: 'wrong', forMs: 4_000 }],
  },
]

/** A defect shows soon, or the time until it would have to is over. */
const restLimitMs = 20_000

/** Runs the defects of calls; the names of those that were not caught. */
export function catchCallDefects(
  options: Omit<CatchOptions<CallFault>, 'defects' | 'run' | 'always'>,
): Promise<string[]> {
  return catchDefects({
    ...options,
    defects: callDefects,
    always: hastyEdits,
    run: ({ tree, seed, faults, damage }) =>
      runCallScenario({ tree, seed, patience: hastyPatience, faults, damage, restLimitMs, calmMs: 3_500 }),
  })
}
