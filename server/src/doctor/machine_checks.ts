// What doctor looks at on this machine: the data folder and its disk, the runtime, and certificates in files.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bytesText } from '../kernel/values/bytes_text.ts'
import { type Check, type Finding, inTime, ok, problem, warning } from './finding.ts'

const little = { problemBytes: 1e9, warningBytes: 5e9, problemShare: 0.02, warningShare: 0.1 }

/** The folder itself, or the nearest one above that is there. */
function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path))
}

export const disk: Check = async ({ config }) => {
  const folder = nearest(config.dataDir)
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder)
  return diskFindings(config.dataDir, { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, ffree, files })
}

type DiskFacts = { freeBytes: number; sizeBytes: number; ffree: number; files: number }

/** Findings for what the file system below `folder` has left. */
export function diskFindings(folder: string, { freeBytes, sizeBytes, ffree, files }: DiskFacts): Finding[] {
  const share = freeBytes / sizeBytes
  const words = `${bytesText(freeBytes)} of ${bytesText(sizeBytes)} are free for ${folder}`
  const remedy = `Free some space or enlarge the disk: without space the database stops. Large are the folders postgres and recordings in ${folder}, and the system's logs.`
  const space =
    freeBytes < little.problemBytes
      ? problem('disk', words, remedy)
      : freeBytes < little.warningBytes || share < little.problemShare
        ? warning('disk', words, remedy)
        : ok('disk', words)
  // File systems without a fixed number of inodes say 0.
  if (files === 0) return [space]
  const left = ffree / files
  const inodes = `${Math.round(left * 100)} % of the inodes are free`
  const fewer =
    'Remove folders with many small files on that file system, or make a new one with more inodes (mkfs -i).'
  return [
    space,
    left < little.problemShare
      ? problem('inodes', inodes, fewer)
      : left < little.warningShare
        ? warning('inodes', inodes, fewer)
        : ok('inodes', inodes),
  ]
}

export const dataFolder: Check = ({ config: { dataDir }, serverPid }) => {
  const own = process.getuid?.()
  if (!existsSync(dataDir)) {
    const above = nearest(dataDir)
    return mayWrite(above)
      ? [ok('data folder', `${dataDir} is not there yet; the first start makes it`)]
      : [
          problem(
            'data folder',
            `${dataDir} is not there, and user ${own} may not make it in ${above}`,
            `Make it and give it to the server's user (install -d -m 700 -o <user> ${dataDir}), or set TANDEM_DATA.`,
          ),
        ]
  }
  const { uid, mode } = statSync(dataDir)
  const running = serverPid === undefined ? 'no server uses it' : `the server with process number ${serverPid} uses it`
  if (!mayWrite(dataDir))
    return [
      problem(
        'data folder',
        `${dataDir} belongs to user ${uid}, and user ${own} may not read and write it`,
        'Run doctor as the user of the server, or give the folder to this one (chown -R).',
      ),
    ]
  if ((mode & 0o007) !== 0)
    return [
      warning(
        'data folder',
        `${dataDir} is open to every user of this machine (mode ${(mode & 0o777).toString(8)})`,
        `chmod 700 ${dataDir}: it holds the database and the secrets of this installation.`,
      ),
    ]
  return [ok('data folder', `${dataDir} can be read and written; ${running}`)]
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const neededNode = 26

export const runtime: Check = () => [runtimeFinding(process.versions.node)]

export function runtimeFinding(version: string): Finding {
  return Number(version.split('.')[0]) < neededNode
    ? problem(
        'node',
        `Node ${version} runs this, and Tandem is made for Node ${neededNode}`,
        'Start it by npm start or by bin/tandem, which use the Node that came with it.',
      )
    : ok('node', `Node ${version}`)
}

export const openFiles: Check = () => {
  if (!existsSync('/proc/self/limits')) return []
  const limit = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN)
  if (!(limit < 4_096)) return []
  return [
    warning(
      'open files',
      `a process of this user may have ${limit} files open`,
      'Each connection is one: raise it (LimitNOFILE=65536 in the unit of systemd, or ulimit -n).',
    ),
  ]
}

const soonMs = 14 * 86_400_000

export const certificates: Check = ({ config, nowMs }) => [
  ...certificateFindings('certificate of SIP', config.sipTlsCert, config.sipTlsKey, nowMs),
  ...certificateFindings('certificate of mail', config.mailTlsCert, config.mailTlsKey, nowMs),
]

function certificateFindings(
  check: string,
  cert: string | undefined,
  key: string | undefined,
  nowMs: number,
): Finding[] {
  if (cert === undefined || key === undefined) return []
  try {
    const certificate = new X509Certificate(readFileSync(cert))
    const [fromMs, untilMs] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
    const renew = `Renew it, put it into ${cert} and start the server again (certbot does so with a deploy hook).`
    const day = new Date(untilMs).toISOString().slice(0, 10)
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(key))))
      return [
        problem(check, `the key in ${key} is not that of the certificate in ${cert}`, 'Name the files of one pair.'),
      ]
    if (untilMs <= nowMs) return [problem(check, `the certificate in ${cert} ended on ${day}`, renew)]
    if (fromMs > nowMs)
      return [
        problem(
          check,
          `the certificate in ${cert} is not valid yet`,
          'Set the clock of this machine, or name another.',
        ),
      ]
    if (untilMs - nowMs < soonMs)
      return [warning(check, `the certificate in ${cert} ends in ${inTime(untilMs - nowMs)}, on ${day}`, renew)]
    return [ok(check, `the certificate in ${cert} is valid until ${day}`)]
  } catch (error) {
    const { message } = error as Error
    return [problem(check, `${cert} or ${key} cannot be used: ${message}`, 'Name readable files in PEM form.')]
  }
}
