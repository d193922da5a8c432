// What doctor sees of the installation from outside: whether its public address leads here, by a certificate that others believe, and what
// time the machines in between have.
import { type Check, type Finding, inTime, ok, problem, warning } from './finding.ts'

const longestMs = 5_000
const check = 'public address'

export const publicAddress: Check = async ({ config: { publicUrl }, serverPid, nowMs }) => {
  if (publicUrl === undefined || serverPid === undefined) return []
  try {
    const beganMs = performance.now()
    const answer = await fetch(`${publicUrl}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(longestMs) })
    const text = await answer.text()
    const tookMs = performance.now() - beganMs
    const time = timeFindings(answer.headers.get('date'), nowMs, tookMs)
    if (answer.status === 200 && /"status":\s*"ok"/.test(text))
      return [ok(check, `${publicUrl} leads to a Tandem (${Math.round(tookMs)} ms)`), ...time]
    const remedy = 'See what the proxy hands on (docs/deployment.md), and whether TANDEM_PUBLIC_URL names it.'
    return [problem(check, `${publicUrl}/healthz answers ${answer.status}, and not as Tandem does`, remedy), ...time]
  } catch (error) {
    return [unreachable(publicUrl, error)]
  }
}

function unreachable(publicUrl: string, error: unknown): Finding {
  const { cause, name } = error as { name: string; cause?: { code?: string; message?: string } }
  const why = cause?.code ?? cause?.message ?? name
  if (/CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(why))
    return problem(
      check,
      `the certificate of ${publicUrl} is not believed (${why})`,
      'Renew it (certbot renew), and have the proxy send the whole chain.',
    )
  return warning(
    check,
    `${publicUrl} cannot be reached from this machine (${why})`,
    'See whether the proxy runs. Behind some routers an address works from outside only: then try it from there.',
  )
}

/** RFC 9110 §6.6.1: the answer names the time, in whole seconds. */
function timeFindings(date: string | null, nowMs: number, tookMs: number): Finding[] {
  const dateMs = Date.parse(date ?? '')
  if (Number.isNaN(dateMs)) return []
  const apartMs = Math.max(0, Math.abs(nowMs - dateMs) - tookMs - 1_000)
  return apartMs < 30_000
    ? []
    : [
        warning(
          'time',
          `the proxy's clock and that of this machine are ${inTime(apartMs)} apart`,
          'Have both set by NTP (timedatectl set-ntp true).',
        ),
      ]
}
