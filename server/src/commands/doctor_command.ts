// `tandem doctor`: what is wrong with this installation, and what to do.

import type { Finding, State } from '../doctor/finding.ts'
import { systemClock } from '../kernel/values/clock.ts'
import { type Command, onlyJson } from './command.ts'

const labels: Record<State, string> = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' }

export const doctor: Command = {
  name: 'doctor',
  parameters: '[--json]',
  summary: 'say what is wrong with this installation, and what to do',
  help: () =>
    `Looks at disk, data folder, ports, clock, Node, PostgreSQL and its settings, migrations, DNS, NAT, certificates,
mail, queues, backups and keys. It changes nothing, and works beside a server that runs, with the server stopped,
and with the database away. Run it as the user of the server and with its settings:

  systemd-run --pipe --quiet -p User=tandem -p EnvironmentFile=/etc/tandem.env \\
    -E TANDEM_DATA=/var/lib/tandem/data /opt/tandem/current/bin/tandem doctor

  --json  print {"state": …, "findings": [{"check", "state", "found", "remedy"}]}, with state ok, warning or problem

Exit codes: 0 no problem (there may be warnings), 1 at least one problem, 2 wrong usage.`,
  async run({ args, env, print }) {
    const isJson = onlyJson('doctor', args)
    const { examine } = await import('../doctor/doctor.ts')
    const findings = await examine({ env, clock: systemClock })
    const has = (state: State) => findings.some(finding => finding.state === state)
    const state = has('problem') ? 'problem' : has('warning') ? 'warning' : 'ok'
    print(isJson ? JSON.stringify({ state, findings }, null, 2) : asText(findings))
    return state === 'problem' ? 1 : 0
  },
}

/** Lines for people: what is well first, what is bad last, where the eye ends. */
function asText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const order: State[] = ['ok', 'warning', 'problem']
  const sorted = order.flatMap(state => findings.filter(finding => finding.state === state))
  const lines = sorted.flatMap(({ check, state, found, remedy }) => [
    `${labels[state].padEnd(9)}${check.padEnd(width)}  ${found}${/[.?]$/.test(found) ? '' : '.'}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(9 + width)}  → ${remedy}`]),
  ])
  const count = (state: State) => {
    const found = findings.filter(finding => finding.state === state).length
    return `${found} ${state}${found === 1 ? '' : 's'}`
  }
  return `${lines.join('\n')}\n\n${findings.length} findings: ${count('problem')}, ${count('warning')}.`
}
